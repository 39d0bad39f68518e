import type { LucideIcon } from 'lucide-react';

/** An action that is available on every screen. */
export type Command = {
  label: string;
  icon: LucideIcon;
  /** Synonyms for the search. */
  words?: string;
  /** The command's shortcut outside the palette. The keys are pressed one after another. */
  keys?: readonly string[];
  run: () => void;
};

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Whether the text contains every typed word, ignoring case and accents. */
export function hasWords(text: string, typed: string): boolean {
  const within = folded(text);
  return folded(typed)
    .split(/\s+/)
    .every((word) => within.includes(word));
}

/** The commands whose name or synonyms match. Those whose name starts with the text come first. */
export function matchingCommands(commands: readonly Command[], typed: string): Command[] {
  const begins = ({ label }: Command): number => (folded(label).startsWith(folded(typed)) ? 0 : 1);
  return commands
    .filter(({ label, words = '' }) => hasWords(`${label} ${words}`, typed))
    .toSorted((one, other) => begins(one) - begins(other));
}
