import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NamedFile } from '@stet/domain/audit';
import { afterAll, describe, expect, it } from 'vitest';
import { NamedFiles, checkFolder, exportedName } from './evidence-files.ts';

/** Returns a reproducible sequence of numbers from 0 up to, but not including, `below` (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const random = numbersFrom(203);
const root = mkdtempSync(join(tmpdir(), 'stet-evidence-'));
const BYTES = Array.from({ length: 6 }, (_, n) => Buffer.from(Array.from({ length: 1 + n * 700 }, () => random(256))));
const FILES = BYTES.map((bytes, n): NamedFile => ({
  seq: n + 1,
  fileId: `0197a3c1-0000-7000-8000-00000000000${n}`,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
  name: `file ${n}`,
  mediaType: n % 2 === 0 ? 'application/pdf' : 'application/octet-stream',
}));

const named = new NamedFiles();
named.add(FILES);

let folders = 0;
function aFolder() {
  folders += 1;
  const folder = join(root, String(folders));
  mkdirSync(folder);
  const pathOf = (n: number) => join(folder, exportedName(FILES[n] ?? fail()));
  BYTES.forEach((bytes, n) => writeFileSync(pathOf(n), bytes));
  return { folder, pathOf };
}
const fail = (): never => {
  throw new Error('no such file');
};
const problemsIn = (folder: string) =>
  checkFolder(folder, named).findings.map(({ file, problem }) => `${file.name} ${problem}`);

describe('the files of a folder', () => {
  afterAll(() => rmSync(root, { recursive: true }));

  it('are accepted if each exists with the recorded digest, and other files are only counted', () => {
    const { folder } = aFolder();
    expect(checkFolder(folder, named)).toEqual({ files: FILES.length, findings: [], unnamed: 0 });
    for (const name of ['notes.txt', `${'f'.repeat(36)}.pdf`]) writeFileSync(join(folder, name), 'x');
    expect(checkFolder(folder, named)).toMatchObject({ findings: [], unnamed: 2 });
  });

  it('are reported if one of their bits is flipped (10 000 flips)', () => {
    const { folder, pathOf } = aFolder();
    for (let flip = 0; flip < 10_000; flip += 1) {
      const n = random(FILES.length);
      const bytes = Buffer.from(BYTES[n] ?? fail());
      const at = random(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      writeFileSync(pathOf(n), bytes);
      expect(problemsIn(folder)).toEqual([`file ${n} changed`]);
      writeFileSync(pathOf(n), BYTES[n] ?? fail());
    }
    expect(problemsIn(folder)).toEqual([]);
  });

  it('are reported if they are missing, cut off, longer, empty or replaced, or if a second file with their id differs', () => {
    const { folder, pathOf } = aFolder();
    rmSync(pathOf(0));
    writeFileSync(pathOf(1), BYTES[1]?.subarray(0, -1) ?? fail());
    writeFileSync(pathOf(2), Buffer.concat([BYTES[2] ?? fail(), Buffer.alloc(1)]));
    writeFileSync(pathOf(3), '');
    writeFileSync(pathOf(4), readFileSync(pathOf(5)));
    expect(problemsIn(folder)).toEqual([
      'file 0 missing',
      'file 1 changed',
      'file 2 changed',
      'file 3 changed',
      'file 4 changed',
    ]);
    writeFileSync(`${pathOf(5)}.copy`, 'other');
    expect(problemsIn(folder)).toContain('file 5 changed');
  });

  it('are reported if the trail names one with two digests, because at most one of them is right', () => {
    const { folder } = aFolder();
    const twice = new NamedFiles();
    const [first = fail()] = FILES;
    twice.add([first, first, { ...first, seq: 9, sha256: 'ab'.repeat(32) }]);
    expect(checkFolder(folder, twice).findings).toEqual([
      { file: expect.objectContaining({ seq: 9 }) as unknown, problem: 'changed' },
    ]);
  });
});
