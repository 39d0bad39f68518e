import type { z } from 'zod';
import type { Statement } from '../kernel/database.ts';

const declared = new Map<string, Statement<string, unknown>>();

/**
 * Declares a statement. Values are passed in an object with the names in `params`. Throws at startup if two statements
 * have the same name, because PostgreSQL would execute the first one instead of the second.
 */
export function statement<const P extends string, R extends z.ZodObject>(s: {
  name: string;
  params: readonly P[];
  list?: NoInfer<P>;
  each?: readonly NoInfer<P>[];
  row: R;
  text: string;
}): Statement<P, z.output<R>>;
export function statement<const P extends string>(s: {
  name: string;
  params: readonly P[];
  list?: NoInfer<P>;
  long?: { column: string; param: NoInfer<P> };
  text: string;
}): Statement<P, never>;
export function statement(s: {
  name: string;
  params: readonly string[];
  list?: string;
  long?: { column: string; param: string };
  each?: readonly string[];
  row?: z.ZodObject;
  text: string;
}): Statement<string, unknown> {
  if (declared.has(s.name)) throw new Error(`two statements are named ${s.name}`);
  const { name, text, params, list = null, long, each = null, row = null } = s;
  const made: Statement<string, unknown> = { name, text, params, list, long, each, row };
  declared.set(s.name, made);
  return made;
}

/** All statements declared by the modules loaded so far. */
export const declaredStatements = (): Statement<string, unknown>[] => [...declared.values()];
