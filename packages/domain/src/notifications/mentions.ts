export type Mentionable = { id: string; name: string; email: string };

/** A person mentioned in text, at the UTF-16 units from `from` (the `@`) to `to`, exclusive. */
export type Mention = { userId: string; from: number; to: number };

/** Maximum number of places that are searched for mentions; more in one comment are unlikely. */
export const MAX_MENTIONS = 50;
/** Maximum length of a name or an address. */
const MAX_LENGTH = 320;

/** An `@` after one of these is part of a word or an address. */
const WITHIN = /[\p{L}\p{N}\p{M}_.+@-]$/u;
/** Matches if the name or address continues after a candidate. */
const GOES_ON = /^[@.+-]?[\p{L}\p{N}\p{M}_]/u;

/** Returns where a mention can begin: at an `@` that isn't inside a word or an address. */
function beginningsIn(text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf('@'); at !== -1 && places.length < MAX_MENTIONS; at = text.indexOf('@', at + 1)) {
    if (!WITHIN.test(text.slice(Math.max(0, at - 2), at))) places.push(at);
  }
  return places;
}

/**
 * Returns the text after each `@` that may begin a mention, in lower case. The name or address of a mentioned person is
 * a prefix of one of these texts.
 */
export const mentionProbes = (text: string): string[] => [
  ...new Set(beginningsIn(text).map((at) => text.slice(at + 1, at + 1 + MAX_LENGTH).toLowerCase())),
];

/**
 * Returns the mentions in `text`, in order: `@` and a name, a whole address, or the part of an address before its own
 * `@`, ignoring case. The longest match wins; if it belongs to two people, it is ignored.
 */
export function mentionsIn(text: string, people: readonly Mentionable[]): Mention[] {
  const mentions: Mention[] = [];
  let done = 0;
  for (const from of beginningsIn(text)) {
    if (from < done) continue;
    const found = whoIsAt(text, from + 1, people);
    if (!found) continue;
    mentions.push({ userId: found.userId, from, to: found.to });
    done = found.to;
  }
  return mentions;
}

/** Returns a mention that identifies only this person: by name if it is unique, else by address. */
export function mentionOf(person: Mentionable, people: readonly Mentionable[]): string {
  const text = `@${person.name}`;
  const [mention, ...more] = mentionsIn(text, people);
  const isClear = mention?.userId === person.id && mention.to === text.length && more.length === 0;
  return isClear ? text : `@${person.email}`;
}

function whoIsAt(text: string, at: number, people: readonly Mentionable[]): { userId: string; to: number } | null {
  let longest = 0;
  let who = new Set<string>();
  for (const { id, name, email } of people) {
    for (const called of [name.trim(), email, email.slice(0, Math.max(0, email.indexOf('@')))]) {
      const { length } = called;
      if (length === 0 || length < longest || !isCalled(text, at, called)) continue;
      if (length > longest) who = new Set();
      longest = length;
      who.add(id);
    }
  }
  const [userId, ...others] = who;
  return userId === undefined || others.length > 0 ? null : { userId, to: at + longest };
}

function isCalled(text: string, at: number, called: string): boolean {
  const end = at + called.length;
  return text.slice(at, end).toLowerCase() === called.toLowerCase() && !GOES_ON.test(text.slice(end, end + 4));
}
