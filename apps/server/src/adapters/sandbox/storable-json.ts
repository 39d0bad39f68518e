import type { Json } from '@stet/domain/runs';

/** Replaces the characters that the database can't store: NUL and lone surrogates. */
export const storableText = (text: string): string => text.replaceAll('\u0000', '\uFFFD').toWellFormed();

/** Parses JSON and makes all its text and keys storable. */
export function storableJson(text: string): Json {
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value === 'string') return storableText(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value);
    if (entries.every(([key]) => key === storableText(key))) return value;
    return Object.fromEntries(entries.map(([key, inner]: [string, unknown]) => [storableText(key), inner]));
  }) as Json;
}
