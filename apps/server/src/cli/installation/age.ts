import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Readable, Transform, pipeline } from 'node:stream';

// The file format of age (age-encryption.org/v1) with a passphrase, so that the age tool can decrypt a backup too.
const VERSION = 'age-encryption.org/v1\n';
/** The work factor of new files: 2^18, about a second and 256 MiB. */
const LOG_N = 18;
/** A hostile file can't make the reader use more than 1 GiB. */
const MAX_LOG_N = 20;
const FILE_KEY_BYTES = 16;
const NONCE_BYTES = 16;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
/** The header of a file with one passphrase has about 150 bytes. */
const MAX_HEADER_BYTES = 4096;

export class WrongPassphrase extends Error {}
/** The file is encrypted for something else than a passphrase, for example an age key. */
export class NotForPassphrase extends Error {}
/** The encrypted content was changed or cut off. */
export class Undecryptable extends Error {}

/** Encrypts what is written to it. The passphrase must be strong, because someone who has the file can try many. */
export async function encrypting(passphrase: string, logN: number = LOG_N): Promise<Transform> {
  const fileKey = randomBytes(FILE_KEY_BYTES);
  const salt = randomBytes(16);
  const wrapped = seal(await wrapKey(passphrase, salt, logN), Buffer.alloc(12), fileKey);
  const signed = `${VERSION}-> scrypt ${base64(salt)} ${logN}\n${base64(wrapped)}\n---`;
  const nonce = randomBytes(NONCE_BYTES);
  const key = derived(fileKey, nonce, 'payload');
  const nextNonce = chunkNonces();
  let pending = Buffer.alloc(0);
  return new Transform({
    construct(done) {
      this.push(Buffer.concat([Buffer.from(`${signed} ${base64(headerMac(fileKey, signed))}\n`), nonce]));
      done();
    },
    transform(piece: Buffer, _, done) {
      pending = Buffer.concat([pending, piece]);
      for (; pending.length > CHUNK_BYTES; pending = pending.subarray(CHUNK_BYTES))
        this.push(seal(key, nextNonce(false), pending.subarray(0, CHUNK_BYTES)));
      done();
    },
    flush(done) {
      this.push(seal(key, nextNonce(true), pending));
      done();
    },
  });
}

export async function isEncrypted(file: string): Promise<boolean> {
  return (await startOf(file)).startsWith(VERSION);
}

/**
 * The decrypted content of an encrypted file, without the memory for the whole of it. Rejects with `WrongPassphrase`,
 * `NotForPassphrase` or `Undecryptable`; the stream fails with the last of them.
 */
export async function decrypted(file: string, passphrase: string): Promise<Readable> {
  const start = await startOf(file);
  const parts = /^(age-encryption\.org\/v1\n-> scrypt (\S+) (\d{1,2})\n(\S+)\n---) (\S+)\n/.exec(start);
  if (!parts) throw start.includes('\n-> scrypt ') ? new Undecryptable() : new NotForPassphrase();
  const [whole, signed = '', salt = '', logN = '', wrapped = '', mac = ''] = parts;
  if (Number(logN) > MAX_LOG_N) throw new Undecryptable();
  let fileKey: Buffer;
  try {
    const key = await wrapKey(passphrase, Buffer.from(salt, 'base64'), Number(logN));
    fileKey = unseal(key, Buffer.alloc(12), Buffer.from(wrapped, 'base64'));
  } catch {
    throw new WrongPassphrase();
  }
  const claimed = Buffer.from(mac, 'base64');
  const expected = headerMac(fileKey, signed);
  if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) throw new Undecryptable();
  const content = decryptingChunks(fileKey);
  pipeline(createReadStream(file, { start: Buffer.byteLength(whole, 'latin1') }), content, () => {}); // The reader gets the error.
  return content;
}

function decryptingChunks(fileKey: Buffer): Transform {
  const nextNonce = chunkNonces();
  let key: Buffer | null = null;
  let pending = Buffer.alloc(0);
  const read = (chunk: Buffer, isLast: boolean): Buffer => {
    if (!key) throw new Undecryptable();
    return unseal(key, nextNonce(isLast), chunk);
  };
  return new Transform({
    transform(piece: Buffer, _, done) {
      pending = Buffer.concat([pending, piece]);
      if (!key && pending.length >= NONCE_BYTES) {
        key = derived(fileKey, pending.subarray(0, NONCE_BYTES), 'payload');
        pending = pending.subarray(NONCE_BYTES);
      }
      try {
        for (; key && pending.length > CHUNK_BYTES + TAG_BYTES; pending = pending.subarray(CHUNK_BYTES + TAG_BYTES))
          this.push(read(pending.subarray(0, CHUNK_BYTES + TAG_BYTES), false));
        done();
      } catch {
        done(new Undecryptable());
      }
    },
    flush(done) {
      try {
        this.push(read(pending, true));
        done();
      } catch {
        done(new Undecryptable());
      }
    },
  });
}

/** Each chunk has its number in its nonce, and the last one a mark, so chunks can't be moved or left out. */
function chunkNonces(): (isLast: boolean) => Buffer {
  let count = 0;
  return (isLast) => {
    const nonce = Buffer.alloc(12);
    nonce.writeUIntBE(count, 5, 6);
    nonce[11] = isLast ? 1 : 0;
    count += 1;
    return nonce;
  };
}

async function startOf(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function wrapKey(passphrase: string, salt: Buffer, logN: number): Promise<Buffer> {
  const N = 2 ** logN;
  const options = { N, r: 8, p: 1, maxmem: 2 * 128 * 8 * N };
  return new Promise((resolve, reject) => {
    scrypt(passphrase, Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt]), 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

const derived = (fileKey: Buffer, salt: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', fileKey, salt, purpose, 32));

const headerMac = (fileKey: Buffer, signed: string): Buffer =>
  createHmac('sha256', derived(fileKey, Buffer.alloc(0), 'header'))
    .update(signed)
    .digest();

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

function seal(key: Buffer, nonce: Buffer, content: Buffer): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if the content wasn't sealed with this key and nonce. */
function unseal(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  const end = sealed.length - TAG_BYTES;
  if (end < 0) throw new Undecryptable();
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
}
