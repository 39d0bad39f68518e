import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { buffer, text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { containing, startBackupScene } from '../../testing/backup-scene.ts';
import { publish } from '../../testing/organization.ts';
import { startTestServer } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';
import { NotForPassphrase, Undecryptable, WrongPassphrase, decrypted, encrypting, isEncrypted } from './age.ts';

const PASSPHRASE = 'a passphrase of the tests';
/** Cheap to derive a key with. */
const LOG_N = 4;
/** Encrypted by age-encryption 0.3.1 with a work factor of 10. */
const MADE_ELSEWHERE =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBITE1vaXN1SGIvaHl1QmsxMkJ6VHhnIDEwCldGQXBISUtSZ3Fod0s1WUtCWVIyNDlGQ3B2TUVZdTVjbFpnVXkreCtDM0EKLS0tIEhEaVBiQlkvWWc3dWM1b0NtZ1FqMXpndG02ekQrL1hkWHJpZkpFU1hLNDgK7f+pgJaLLEA+QzR+nvEYiZ/rpco9063ios6rKLRXNFIBLml+80k7b3rQQ4vi3I3MzlVEBLDLBVk6O+m8wPWo';

const scene = await startBackupScene();
const { env, inFolder, restored, stopped } = scene;

afterAll(() => scene.stop());

const encryptedBytes = async (content: Buffer): Promise<Buffer> =>
  buffer(Readable.from(content.length > 0 ? [content] : []).pipe(await encrypting(PASSPHRASE, LOG_N)));

function fileWith(name: string, content: string | Buffer): string {
  const file = inFolder(name);
  writeFileSync(file, content);
  return file;
}

describe('the encryption of a backup', () => {
  it('returns exactly the content, whatever its length and pieces', async () => {
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
        const sealed = await buffer(Readable.from(pieces).pipe(await encrypting(PASSPHRASE, LOG_N)));
        const back = await buffer(await decrypted(fileWith('pieces.age', sealed), PASSPHRASE));
        expect(back.equals(content)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('reads what another implementation of the format wrote', async () => {
    const file = fileWith('elsewhere.age', Buffer.from(MADE_ELSEWHERE, 'base64'));
    expect(await text(await decrypted(file, PASSPHRASE))).toBe('made by another implementation\n');
  });

  it('refuses a file in which any byte was changed, or that was cut off or continued', async () => {
    const sealed = await encryptedBytes(Buffer.alloc(70_000, 'text '));
    const read = async (bytes: Buffer) => buffer(await decrypted(fileWith('attacked.age', bytes), PASSPHRASE));
    expect((await read(sealed)).length).toBe(70_000);
    const refusals = [WrongPassphrase, NotForPassphrase, Undecryptable];
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
        // A larger work factor would only make the test slow.
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

describe('an encrypted backup', () => {
  const passphraseFile = fileWith('passphrase', `${PASSPHRASE}\n`);
  const otherFile = fileWith('other', 'a passphrase of others\n');

  it('is verified, checked and restored with its passphrase, and contains nothing readable', async () => {
    // All its rows come from calls, so that its trail is intact.
    const own = await startTestServer();
    stopped.unshift(() => own.stop());
    const person = await own.signUp();
    await publish(person, person, 'flow');
    const ownEnv = { DATABASE_URL: own.database.url, DATA_DIR: own.dataDir };
    const folder = inFolder('nightly/');
    mkdirSync(folder);
    writeFileSync(`${folder}stet-backup-2020-01-01T00-00-00Z.jsonl.gz`, '');
    const made = await stet(['backup', folder, '--passphrase-file', passphraseFile, '--verify', '--keep', '1'], ownEnv);
    expect(made).toMatchObject({ code: 0, stderr: containing('intact') });
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

  it('is refused in a sentence without the passphrase, with a different one, and if it was damaged, and nothing is restored', async () => {
    const file = inFolder('refused.age');
    expect((await stet(['backup', file, '--passphrase-file', passphraseFile], env)).code).toBe(0);
    const without = await restored(file);
    expect(without.outcome).toMatchObject({ code: 1, stderr: `${file} is encrypted. Use --passphrase-file.\n` });
    expect(readdirSync(without.dataDir)).toEqual([]);
    expect((await restored(file, '--passphrase-file', otherFile)).outcome).toMatchObject({
      code: 1,
      stderr: `${file} is encrypted with a different passphrase.\n`,
    });
    const whole = readFileSync(file);
    const cut = fileWith('cut.age', whole.subarray(0, whole.length - 20));
    expect((await restored(cut, '--passphrase-file', passphraseFile)).outcome).toMatchObject({
      code: 1,
      stderr: containing('it was changed or cut off. Nothing was restored.'),
    });
    const forKey = fileWith('key.age', 'age-encryption.org/v1\n-> X25519 abc\ndef\n--- ghi\n');
    expect((await restored(forKey, '--passphrase-file', passphraseFile)).outcome).toMatchObject({
      code: 1,
      stderr: containing('is encrypted for a key'),
    });
  });

  it('needs a passphrase that is not short, in a file that can be read', async () => {
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
