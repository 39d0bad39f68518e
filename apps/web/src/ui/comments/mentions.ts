import { mentionOf } from '@stet/domain/notifications';
import type { Mentionable } from '@stet/domain/notifications';

/** The maximum number of suggestions. */
const OFFERED = 6;
/** The maximum length of a typed mention in characters, including the `@`. */
const MAX_LENGTH = 80;

/** The text between an `@` and the caret, and the position of the `@`. Null if the person isn't typing a mention. */
export function mentionAt(text: string, caret: number): { from: number; typed: string } | null {
  const from = text.lastIndexOf('@', caret - 1);
  if (from === -1 || caret - from > MAX_LENGTH) return null;
  const typed = text.slice(from + 1, caret);
  const isWithinWord = /[\p{L}\p{N}\p{M}_.+-]$/u.test(text.slice(Math.max(0, from - 2), from));
  return isWithinWord || /^\s|\n/.test(typed) ? null : { from, typed };
}

/**
 * The members that match the typed text, at most `most`. Those whose name starts with it come first, then those with
 * another part of the name that does, then those whose address does.
 */
export function mentionCandidates<P extends Mentionable>(people: readonly P[], typed: string, most = OFFERED): P[] {
  const sought = typed.toLowerCase();
  const rankOf = ({ name, email }: P): number => {
    const called = name.toLowerCase();
    if (called.startsWith(sought)) return 0;
    if (called.split(/\s+/).some((part) => part.startsWith(sought))) return 1;
    return email.startsWith(sought) ? 2 : 3;
  };
  return people
    .map((person) => ({ person, rank: rankOf(person) }))
    .filter(({ rank }) => rank < 3)
    .toSorted((one, other) => one.rank - other.rank || one.person.name.localeCompare(other.person.name))
    .slice(0, most)
    .map(({ person }) => person);
}

/**
 * The text with the mention in place of the typed name, and the new caret position. The caret is after a space, so that
 * the person can continue typing.
 */
export function named(
  text: string,
  { from, caret }: { from: number; caret: number },
  person: Mentionable,
  people: readonly Mentionable[],
): { text: string; caret: number } {
  const after = text.slice(caret);
  const mention = `${mentionOf(person, people)}${after.startsWith(' ') ? '' : ' '}`;
  const to = from + mention.length + (after.startsWith(' ') ? 1 : 0);
  return { text: text.slice(0, from) + mention + after, caret: to };
}

export type Said = { text: string; userId: string | null };

/** Splits a comment into mentions and the text between them. Positions that don't fit the text are ignored. */
export function partsOf(body: string, mentions: readonly { userId: string; from: number; to: number }[]): Said[] {
  const parts: Said[] = [];
  let at = 0;
  for (const { userId, from, to } of mentions) {
    if (from < at || to <= from || to > body.length) continue;
    if (from > at) parts.push({ text: body.slice(at, from), userId: null });
    parts.push({ text: body.slice(from, to), userId });
    at = to;
  }
  if (at < body.length) parts.push({ text: body.slice(at), userId: null });
  return parts;
}
