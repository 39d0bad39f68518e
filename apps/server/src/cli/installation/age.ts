import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Decrypter, Encrypter } from 'age-encryption';

const FIRST_LINE = 'age-encryption.org/v1\n';

/**
 * The people who can decrypt a new file: those who know the passphrase, or who have the private key of one of the
 * recipients (`age1…`).
 */
export type Encryption = { passphrase: string } | { recipients: readonly string[] };
/** How to decrypt a file: with a passphrase, or with private keys (`AGE-SECRET-KEY-1…`), one of which must match. */
export type Decryption = { passphrase: string } | { identities: readonly string[] };

/**
 * The file is encrypted for another passphrase or key, or its header was damaged. The two cases can't be distinguished.
 */
export class WrongKey extends Error {}
/** The encrypted content was changed or cut off. */
export class Undecryptable extends Error {}

/**
 * Encrypts in the format of age, with a few chunks of 64 KiB in memory.
 * Throws if a recipient is invalid.
 * @param workFactor for a passphrase: the base-2 logarithm of scrypt's cost; 18 takes about a second and 256 MiB
 */
export async function* encrypting(
  content: AsyncIterable<Uint8Array>,
  encryption: Encryption,
  workFactor = 18,
): AsyncGenerator<Uint8Array> {
  yield* await encrypterFor(encryption, workFactor).encrypt(ReadableStream.from(content));
}

/** Throws if one of the recipients isn't valid. */
export const assertRecipients = (recipients: readonly string[]): unknown => encrypterFor({ recipients });

/** Throws if one of the private keys isn't valid. */
export const assertIdentities = (identities: readonly string[]): unknown => decrypterFor({ identities });

export async function isEncrypted(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_LINE.length), 0, FIRST_LINE.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === FIRST_LINE;
  } finally {
    await handle.close();
  }
}

/**
 * Returns the decrypted content of an encrypted file, with a few chunks in memory. Throws `WrongKey` or
 * `Undecryptable`, or the system's error if the file can't be read.
 */
export async function* decrypted(file: string, decryption: Decryption): AsyncGenerator<Uint8Array> {
  const source = createReadStream(file);
  const because = (problem: Error): unknown => source.errored ?? problem;
  try {
    let content: ReadableStream<Uint8Array>;
    try {
      content = await decrypterFor(decryption).decrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>);
    } catch {
      throw because(new WrongKey());
    }
    try {
      yield* content;
    } catch {
      throw because(new Undecryptable());
    }
  } finally {
    source.destroy();
  }
}

function encrypterFor(encryption: Encryption, workFactor?: number): Encrypter {
  const encrypter = new Encrypter();
  if ('passphrase' in encryption) {
    encrypter.setPassphrase(encryption.passphrase);
    if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor);
  } else for (const recipient of encryption.recipients) encrypter.addRecipient(recipient);
  return encrypter;
}

function decrypterFor(decryption: Decryption): Decrypter {
  const decrypter = new Decrypter();
  if ('passphrase' in decryption) decrypter.addPassphrase(decryption.passphrase);
  else for (const identity of decryption.identities) decrypter.addIdentity(identity);
  return decrypter;
}
