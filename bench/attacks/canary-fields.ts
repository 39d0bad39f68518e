import { type ContractKey, contract } from '@stet/contract';
import { z } from 'zod';
import { routes } from '../../apps/server/src/testing/routes.ts';
import { emailOf, lineOf, textOf } from './canaries.ts';
import type { Schema } from './schema-values.ts';

/**
 * A text field in a call's body: its route, its place in the body, and the word that identifies its canary in every
 * output.
 */
export type TextField = { name: string; word: string; write: ((reserved: number) => string) | null };

const ROOM_FOR_TEXT = 400;
const MADE_BY_PROGRAMS = ['uuid', 'date-time', 'date'];
/** Forms of a canary, the most dangerous first. The first one that matches the field's pattern is used. */
const FORMS: readonly ((word: string) => string)[] = [lineOf, emailOf];

/**
 * Every free text in the body of every route of the contract. `write` returns the canary, and leaves room for
 * `reserved` characters in the field. It is null if the field's pattern allows no canary.
 */
export const TEXT_FIELDS: ReadonlyMap<string, TextField> = new Map(
  routes
    .flatMap(([key, { body }]) => [...textsOf(key, body)])
    // Texts of different step types at the same place count as one field.
    .filter(({ name }, n, all) => all.findIndex((other) => other.name === name) === n)
    .map(({ name, schema }, n) => [name, fieldOf(name, schema, `zqk${n.toString(36).padStart(2, '0')}z`)]),
);

/** Returns the canary words in `text`. */
export const wordsIn = (text: string): string[] => [...new Set(text.toLowerCase().match(/zqk[0-9a-z]{2}z/g) ?? [])];

/** Returns the route of a call. Throws if there is none. */
export function routeOf(method: string, path: string): ContractKey {
  const [address = ''] = path.split('?');
  const found = (Object.keys(contract) as ContractKey[]).find((key) => {
    const [verb, pattern = ''] = key.split(' ');
    const form = pattern.replaceAll(/[.]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+');
    return verb === method && new RegExp(`^${form}$`).test(address);
  });
  if (!found) throw new Error(`there is no route ${method} ${path}`);
  return found;
}

function fieldOf(name: string, { pattern, maxLength = ROOM_FOR_TEXT }: Schema, word: string): TextField {
  const takes = (text: string): boolean => pattern === undefined || new RegExp(pattern, 'u').test(text);
  const form =
    maxLength >= ROOM_FOR_TEXT && takes(textOf(word)) ? textOf : FORMS.find((make) => takes(make(word).slice(0, 254)));
  return {
    name,
    word,
    write: form ? (reserved) => form(word).slice(0, maxLength - reserved) : null,
  };
}

function* textsOf(key: ContractKey, body: z.ZodType | undefined): Generator<{ name: string; schema: Schema }> {
  if (!body) return;
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema;
  for (const [place, text] of leavesOf(schema, '')) yield { name: `${key} ${place}`.trim(), schema: text };
}

function* leavesOf(schema: Schema, place: string): Generator<[string, Schema]> {
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) for (const choice of choices) yield* leavesOf(choice, place);
  else if (schema.type === 'object') {
    for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* leavesOf(inner, `${place}.${name}`);
    if (typeof schema.additionalProperties === 'object') yield* leavesOf(schema.additionalProperties, `${place}.*`);
  } else if (schema.type === 'array') yield* leavesOf(schema.items ?? {}, `${place}[]`);
  else if (schema.enum !== undefined || schema.const !== undefined) return;
  // A field without a declared type also accepts text.
  else if (schema.type === undefined) yield [place, { maxLength: 200 }];
  else if (schema.type === 'string' && !MADE_BY_PROGRAMS.includes(schema.format ?? '')) yield [place, schema];
}
