export type Mentionable = { id: string; name: string; email: string };

/** A person named in a text, at its UTF-16 units `from` (the `@`) until before `to`. */
export type Mention = { userId: string; from: number; to: number };

/** So many places of a text are looked at: nobody calls more people together in one comment. */
export const MOST_MENTIONS = 50;
/** As long as a name or an address can be. */
const LONGEST = 320;

/** An `@` behind one of these is within a word or an address. */
const WITHIN = /[\p{L}\p{N}\p{M}_.+@-]$/u;
/** What was called goes on: as another name, or as an address of which this is a part. */
const GOES_ON = /^[@.+-]?[\p{L}\p{N}\p{M}_]/u;

/** Where a mention can begin: at an `@` that is not within a word, as that of an address is. */
function beginningsIn(text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf('@'); at !== -1 && places.length < MOST_MENTIONS; at = text.indexOf('@', at + 1)) {
    if (!WITHIN.test(text.slice(Math.max(0, at - 2), at))) places.push(at);
  }
  return places;
}

/** What follows each `@` that may begin a mention, in lower case: whoever is meant has a name or address that it begins with. */
export const mentionProbes = (text: string): string[] => [
  ...new Set(beginningsIn(text).map((at) => text.slice(at + 1, at + 1 + LONGEST).toLowerCase())),
];

/**
 * Who is mentioned in a text, in its order: `@` and a name, a whole address, or what an address begins with before its own
 * `@`, in any case. Of what fits the longest is meant; where it is that of two people nobody is.
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

/** How to mention someone so that they alone are meant: by name where nobody else has it, else by address. */
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
