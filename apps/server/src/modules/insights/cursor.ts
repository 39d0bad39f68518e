import type { z } from 'zod';
import { Refused } from '../../kernel/refused.ts';

/** Reads the last row's key from a cursor. Refuses a text that isn't one of this list's cursors. */
export function readCursor<T>(of: z.ZodType<T>, cursor: string): T {
  let value: unknown = null;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    // The text is not JSON, and is refused below.
  }
  const parsed = of.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor for this list' }] });
}

/** The header with the cursor of the next page, if there is one. */
export const cursorHeader = (next: object | null): Record<string, string> =>
  next ? { 'x-next-cursor': Buffer.from(JSON.stringify(next)).toString('base64url') } : {};
