import type { LucideIcon } from 'lucide-react';

/** Something that can be done from anywhere. */
export type Command = {
  label: string;
  icon: LucideIcon;
  /** Other words for it. */
  words?: string;
  /** What does it without the palette, one after the other. */
  keys?: readonly string[];
  run: () => void;
};

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Whether a text has each of the words that were typed, in any case, with or without accents. */
export function hasWords(text: string, typed: string): boolean {
  const within = folded(text);
  return folded(typed)
    .split(/\s+/)
    .every((word) => within.includes(word));
}

/** The commands that have the words in their name or beside it; those first whose name begins with them. */
export function matchingCommands(commands: readonly Command[], typed: string): Command[] {
  const begins = ({ label }: Command): number => (folded(label).startsWith(folded(typed)) ? 0 : 1);
  return commands
    .filter(({ label, words = '' }) => hasWords(`${label} ${words}`, typed))
    .toSorted((one, other) => begins(one) - begins(other));
}
