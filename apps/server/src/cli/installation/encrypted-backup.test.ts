import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import fc from 'fast-check';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { containing, startBackupScene } from '../../testing/backup-scene.ts';
import { publish } from '../../testing/organization.ts';
import { startTestServer } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';
import { Undecryptable, WrongKey, decrypted, encrypting, isEncrypted } from './age.ts';

const PASSPHRASE = 'a passphrase of the tests';
const byPassphrase = { passphrase: PASSPHRASE };
/** The base-2 logarithm of scrypt's cost. It is low, so that the tests are fast. */
const LOG_N = 4;
/**
 * Gzipped lines that an earlier version of Stet encrypted with its own code instead of the library, with a work factor
 * of 10.
 */
const MADE_BEFORE =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCAzM2RLbkY2WDV1SlVndHUzbHlHUE9nIDEwCit1SGczWU5zaDRsaUg4OFc4eUJsOElGWnBldEJnMXNTcnIrVE1iQzhmcG8KLS0tIC9nNnhubVpST0pycVR4L0NNZkVZbDJKTCtKeDZDYUZuYlRnQUhuaDd1VDQKmO25Pe9f9/v86/IHm7jHpZUZAaGnw+TDCYczUkc0LHETJ+MpifwjX9DR8DVCvxaZDT5pb1KnqT47BMxzKhWarcZ+lqE1zJNq4wrJ0uje5lw=';

const scene = await startBackupScene();
const { env, inFolder, restored, stopped } = scene;

afterAll(() => scene.stop());

async function* streamOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

const encryptedBytes = (pieces: readonly Uint8Array[]): Promise<Buffer> =>
  buffer(encrypting(streamOf(pieces), byPassphrase, LOG_N));

function fileWith(name: string, content: string | Buffer): string {
  const file = inFolder(name);
  writeFileSync(file, content);
  return file;
}

describe('an encrypted file', () => {
  it('is decrypted to exactly its content, whatever its length and pieces', async () => {
    const lengths = fc.oneof(
      fc.integer({ min: 0, max: 200 }),
      fc.constantFrom(65_535, 65_536, 65_537, 131_072, 131_073),
    );
    await fc.assert(
      fc.asyncProperty(lengths, fc.integer({ min: 1, max: 70_000 }), async (length, size) => {
        const content = Buffer.from(Array.from({ length }, (_, n) => (n * 7 + length) % 251));
        const pieces = Array.from({ length: Math.ceil(length / size) }, (_, n) =>
          content.subarray(n * size, (n + 1) * size),
        );
        const sealed = await encryptedBytes(pieces);
        const back = await buffer(decrypted(fileWith('pieces.age', sealed), byPassphrase));
        expect(back.equals(content)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('can be decrypted if an earlier release encrypted it', async () => {
    const file = fileWith('before.age', Buffer.from(MADE_BEFORE, 'base64'));
    const content = await buffer(decrypted(file, byPassphrase));
    expect(gunzipSync(content).toString()).toBe('{"a":"line of a backup"}\n'.repeat(3));
  });

  it('can be decrypted with each of several keys, and with no other', async () => {
    const [one, other, stranger] = [await generateIdentity(), await generateIdentity(), await generateIdentity()];
    const recipients = [await identityToRecipient(one), await identityToRecipient(other)];
    const file = fileWith(
      'keys.age',
      await buffer(encrypting(streamOf([Buffer.from('for two keys')]), { recipients })),
    );
    for (const identities of [[one], [other], [stranger, other]])
      expect(await text(decrypted(file, { identities }))).toBe('for two keys');
    await expect(text(decrypted(file, { identities: [stranger] }))).rejects.toThrow(WrongKey);
    await expect(text(decrypted(file, byPassphrase))).rejects.toThrow(WrongKey);
  });

  it('is written with only a few chunks in memory', async () => {
    const CHUNKS = 200;
    let read = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for (; read < CHUNKS; read += 1) yield Buffer.alloc(65_536, read);
    }
    let written = 0;
    for await (const piece of encrypting(counted(), byPassphrase, LOG_N)) {
      written += piece.length;
      // Waits as a slow disk would.
      await new Promise((resolve) => setImmediate(resolve));
      expect(read * 65_536 - written).toBeLessThan(10 * 65_536);
    }
    expect(written).toBeGreaterThan(CHUNKS * 65_536);
  });

  it('is refused if any byte was changed, or if it was cut off or continued', async () => {
    const sealed = await encryptedBytes([Buffer.alloc(70_000, 'text ')]);
    const read = async (bytes: Buffer) => buffer(decrypted(fileWith('attacked.age', bytes), byPassphrase));
    expect((await read(sealed)).length).toBe(70_000);
    const refusals = [WrongKey, Undecryptable];
    const isRefused = async (bytes: Buffer) => {
      const error = await read(bytes).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(refusals.some((kind) => error instanceof kind)).toBe(true);
    };
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(sealed);
        // Skips the byte of the work factor, because a larger one would make the test slow.
        if (changed.subarray(0, 64).toString('latin1').indexOf(` ${LOG_N}\n`) + 1 === at) return;
        changed[at] = (changed[at] ?? 0) ^ change;
        await isRefused(changed);
      }),
      { numRuns: 60 },
    );
    for (const end of [0, 40, 200, 65_000, 65_536 + 200, sealed.length - 1]) await isRefused(sealed.subarray(0, end));
    await isRefused(Buffer.concat([sealed, Buffer.from('more')]));
  });
});

/**
 * The next file is encrypted at a low cost, because a test that derives its key several times would otherwise take
 * twenty seconds. Returns a list to which the replaced work factor is added.
 */
function withLowCost(): number[] {
  const replaced: number[] = [];
  const spy = vi.spyOn(Encrypter.prototype, 'setScryptWorkFactor');
  spy.mockImplementation(function (this: Encrypter, workFactor) {
    replaced.push(workFactor);
    spy.mockRestore();
    this.setScryptWorkFactor(LOG_N);
  });
  onTestFinished(() => spy.mockRestore());
  return replaced;
}

describe('an encrypted backup', () => {
  const passphraseFile = fileWith('passphrase', `${PASSPHRASE}\n`);
  const otherFile = fileWith('other', 'a passphrase of others\n');

  it('is encrypted, verified, checked and restored with its passphrase', async () => {
    // All its rows come from calls, so that its trail is intact.
    const own = await startTestServer();
    stopped.unshift(() => own.stop());
    const person = await own.signUp();
    await publish(person, person, 'flow');
    const ownEnv = { DATABASE_URL: own.database.url, DATA_DIR: own.dataDir };
    const folder = inFolder('nightly/');
    mkdirSync(folder);
    writeFileSync(`${folder}stet-backup-2020-01-01T00-00-00Z.jsonl.gz`, '');
    const replaced = withLowCost();
    const made = await stet(['backup', folder, '--passphrase-file', passphraseFile, '--verify', '--keep', '1'], ownEnv);
    expect(made).toMatchObject({ code: 0, stderr: containing('intact') });
    expect(replaced).toEqual([18]);
    const [name = '', ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(name).toMatch(/^stet-backup-.*\.jsonl\.gz\.age$/);
    const file = `${folder}${name}`;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await isEncrypted(file)).toBe(true);
    expect(() => gunzipSync(readFileSync(file))).toThrow('incorrect header check');
    expect(await stet(['restore', file, '--check', '--passphrase-file', passphraseFile], env)).toMatchObject({
      code: 0,
      stderr: containing('is complete'),
    });
    const { outcome, dataDir } = await restored(file, '--passphrase-file', passphraseFile);
    expect(outcome).toMatchObject({ code: 0, stderr: containing('Restored as of') });
    const key = 'keys/audit-signing.key';
    expect(readFileSync(`${dataDir}/${key}`).equals(readFileSync(`${own.dataDir}/${key}`))).toBe(true);
  });

  it('isn’t restored without the passphrase, with a different one, or if it was cut off, and the message says why', async () => {
    const file = inFolder('refused.age');
    expect((await stet(['backup', file, '--passphrase-file', passphraseFile], env)).code).toBe(0);
    const without = await restored(file);
    expect(without.outcome).toMatchObject({
      code: 1,
      stderr: `${file} is encrypted. Use --passphrase-file or --identity-file.\n`,
    });
    expect(readdirSync(without.dataDir)).toEqual([]);
    expect((await restored(file, '--passphrase-file', otherFile)).outcome).toMatchObject({
      code: 1,
      stderr: containing('it is encrypted with a different passphrase or key'),
    });
    const whole = readFileSync(file);
    const cut = fileWith('cut.age', whole.subarray(0, whole.length - 20));
    expect((await restored(cut, '--passphrase-file', passphraseFile)).outcome).toMatchObject({
      code: 1,
      stderr: containing('it was changed or cut off. Nothing was restored.'),
    });
  });

  it('can be encrypted for a public key, and is restored only with the private key', async () => {
    const identity = await generateIdentity();
    const recipient = await identityToRecipient(identity);
    const identityFile = fileWith('key.txt', `# public key: ${recipient}\n${identity}\n`);
    const folder = inFolder('for-key/');
    mkdirSync(folder);
    expect(await stet(['backup', folder, '--recipient', recipient], env)).toMatchObject({ code: 0 });
    const [name = ''] = readdirSync(folder);
    expect(name).toMatch(/\.jsonl\.gz\.age$/);
    const file = `${folder}${name}`;
    expect((await restored(file, '--passphrase-file', passphraseFile)).outcome.code).toBe(1);
    const check = (...options: string[]) => stet(['restore', file, '--check', ...options], env);
    expect(await check('--identity-file', identityFile)).toMatchObject({ code: 0, stderr: containing('is complete') });
    expect((await restored(file, '--identity-file', identityFile)).outcome).toMatchObject({
      code: 0,
      stderr: containing('Restored as of'),
    });
    expect(await check('--identity-file', passphraseFile)).toMatchObject({
      code: 1,
      stderr: containing('has no private keys as age-keygen writes them'),
    });
  });

  it('isn’t created if the given keys wouldn’t encrypt it, or if it couldn’t be verified with them', async () => {
    const recipient = await identityToRecipient(await generateIdentity());
    const refusals: [string[], string][] = [
      [['--recipient', 'ssh-ed25519 AAAA'], 'is not a public key of age'],
      [['--recipient', recipient, '--passphrase-file', passphraseFile], 'Use either'],
      [['--recipient', recipient, '--verify'], 'needs the private key'],
      [['--identity-file', passphraseFile], 'only decrypts'],
    ];
    for (const [options, why] of refusals)
      expect(await stet(['backup', inFolder('never.age'), ...options], env)).toMatchObject({
        code: 2,
        stderr: containing(why),
      });
    expect(readdirSync(scene.folder)).not.toContain('never.age');
  });

  it('requires a readable file with a passphrase that isn’t too short', async () => {
    const short = fileWith('short', 'too short\n');
    expect(await stet(['backup', inFolder('never.age'), '--passphrase-file', short], env)).toMatchObject({
      code: 1,
      stderr: containing('must have at least 16 characters'),
    });
    expect(await stet(['backup', inFolder('never.age'), '--passphrase-file', inFolder('absent')], env)).toMatchObject({
      code: 1,
      stderr: containing("The passphrase can't be read"),
    });
    expect(readdirSync(scene.folder)).not.toContain('never.age');
    expect((await stet(['doctor'], env)).out).toContain("failed: The passphrase can't be read");
  });
});
