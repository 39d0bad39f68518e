import { readFileSync } from 'node:fs';
import { type Arguments, CommandProblem, textOption } from '../command.ts';

/** Someone who has the file can try passphrases, so a short one protects nothing. */
const MIN_LENGTH = 16;

export const PASSPHRASE_OPTION = { 'passphrase-file': { type: 'string' } } as const;

/** The first line of the file in `--passphrase-file`; null without the option. */
export function passphraseOf(args: Arguments): string | null {
  const file = textOption(args, 'passphrase-file');
  if (file === null) return null;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandProblem(`The passphrase can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const passphrase = text.split(/\r?\n/, 1)[0] ?? '';
  if (passphrase.length < MIN_LENGTH)
    throw new CommandProblem(
      `The passphrase in the first line of ${file} must have at least ${MIN_LENGTH} characters.`,
    );
  return passphrase;
}
