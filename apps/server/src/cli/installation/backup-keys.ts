import { readFileSync } from 'node:fs';
import { type Arguments, CommandProblem, USAGE, textOption } from '../command.ts';
import { type Decryption, type Encryption, assertIdentities, assertRecipients } from './age.ts';

/**
 * The minimum length of a passphrase, in characters. Someone who has the file can try many passphrases, so a short one
 * wouldn't protect it.
 */
const MIN_LENGTH = 16;

export const DECRYPTION_OPTIONS = {
  'passphrase-file': { type: 'string' },
  'identity-file': { type: 'string' },
} as const;
export const ENCRYPTION_OPTIONS = { ...DECRYPTION_OPTIONS, recipient: { type: 'string', multiple: true } } as const;

/**
 * Returns the encryption that the options select. Null without such options. Refuses both kinds together, an invalid
 * recipient, and a short or unreadable passphrase.
 */
export function encryptionOf(args: Arguments): Encryption | null {
  const given = args.options['recipient'];
  const recipients = Array.isArray(given) ? given.map(String) : [];
  const passphrase = passphraseOf(args);
  if (recipients.length === 0) return passphrase === null ? null : { passphrase };
  if (passphrase !== null)
    throw new CommandProblem('Use either --passphrase-file or --recipient: age has no files for both.', USAGE);
  for (const recipient of recipients)
    try {
      assertRecipients([recipient]);
    } catch {
      throw new CommandProblem(
        `--recipient ${recipient} is not a public key of age. Such a key starts with age1, and age-keygen prints it.`,
        USAGE,
      );
    }
  return { recipients };
}

/**
 * Returns the decryption that the options select. Null without such options. Refuses both kinds together, a file
 * without valid keys, and a short or unreadable passphrase.
 */
export function decryptionOf(args: Arguments): Decryption | null {
  const file = textOption(args, 'identity-file');
  const passphrase = passphraseOf(args);
  if (file === null) return passphrase === null ? null : { passphrase };
  if (passphrase !== null) throw new CommandProblem('Use either --passphrase-file or --identity-file.', USAGE);
  // The lines that age-keygen writes: keys, and comments with the public key.
  const identities = contentOf(file, 'The private key')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  try {
    if (identities.length > 0) assertIdentities(identities);
  } catch {
    identities.length = 0;
  }
  if (identities.length === 0)
    throw new CommandProblem(`${file} has no private keys as age-keygen writes them (AGE-SECRET-KEY-1…).`);
  return { identities };
}

function passphraseOf(args: Arguments): string | null {
  const file = textOption(args, 'passphrase-file');
  if (file === null) return null;
  const passphrase = contentOf(file, 'The passphrase').split(/\r?\n/, 1)[0] ?? '';
  if (passphrase.length < MIN_LENGTH)
    throw new CommandProblem(
      `The passphrase in the first line of ${file} must have at least ${MIN_LENGTH} characters.`,
    );
  return passphrase;
}

function contentOf(file: string, subject: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandProblem(`${subject} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
