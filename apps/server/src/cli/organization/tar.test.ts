import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { listTar, paddingOf, tarHeader } from './tar.ts';
import { openTarWriter } from './tar-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'stet-tar-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const listed = (path: string) => {
  const file = openSync(path, 'r');
  try {
    return listTar(file, statSync(path).size);
  } finally {
    closeSync(file);
  }
};
const written = async (name: string, files: Readonly<Record<string, string>>): Promise<string> => {
  const path = join(folder, name);
  const archive = await openTarWriter(path, { replace: true, at: 1_795_228_967 });
  for (const [member, content] of Object.entries(files)) await archive.add(member, [content]);
  await archive.finish();
  return path;
};
const LONG = `workflows/${'k'.repeat(120)}/v1.yaml`;

describe('a tar archive', () => {
  it('is extracted by tar, with long paths and empty files, readable only by the owner', async () => {
    const path = await written('good.tar', { 'README.txt': 'Grüße\n', 'empty.csv': '', [LONG]: 'x'.repeat(1025) });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(execFileSync('tar', ['-tf', path], { encoding: 'utf8' }).split('\n').slice(0, -1)).toEqual([
      'README.txt',
      'empty.csv',
      LONG,
    ]);
    execFileSync('tar', ['-xf', path, '-C', folder]);
    expect(readFileSync(join(folder, 'README.txt'), 'utf8')).toBe('Grüße\n');
    expect(statSync(join(folder, LONG)).size).toBe(1025);
    const { files, problems } = listed(path);
    expect(problems).toEqual([]);
    expect([...files].map(([name, { size }]) => [name, size])).toEqual([
      ['README.txt', 8],
      ['empty.csv', 0],
      [LONG, 1025],
    ]);
  });

  it('stores sizes of 8 GiB and more, and refuses a path that is too long', () => {
    const size = 8 ** 11 + 5;
    const header = tarHeader({ path: 'audit/trail.ndjson', size, at: 0 });
    const path = join(folder, 'large.tar');
    writeFileSync(path, header);
    // Only the header exists. The content of this size is missing.
    expect(listed(path).problems).toEqual([
      { kind: 'cut', path: null, sentence: 'The archive is truncated in audit/trail.ndjson.' },
    ]);
    const { stdout } = spawnSync('tar', ['--list', '--verbose', '-f', path], { encoding: 'utf8' });
    expect(stdout).toContain(String(size));
    expect(() => tarHeader({ path: 'x'.repeat(101), size: 0, at: 0 })).toThrow(RangeError);
  });

  it('has no byte outside its contents that can be changed unnoticed', async () => {
    const path = await written('flip.tar', { a: 'content', 'folder/b': 'x'.repeat(600) });
    const bytes = readFileSync(path);
    const { files } = listed(path);
    const isContent = (at: number): boolean =>
      [...files.values()].some(({ start, size }) => at >= start && at < start + size);
    const changed = join(folder, 'changed.tar');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        fc.pre(!isContent(at));
        const other = Buffer.from(bytes);
        other[at] = (other[at] ?? 0) ^ mask;
        writeFileSync(changed, other);
        expect(listed(changed).problems).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
    for (const length of [0, 1, 511, 512, 600, 1024, 1600, bytes.length - 1024, bytes.length - 1]) {
      writeFileSync(changed, bytes.subarray(0, length));
      expect({ length, kind: listed(changed).problems[0]?.kind }).toEqual({ length, kind: 'cut' });
    }
    writeFileSync(changed, Buffer.concat([bytes, Buffer.alloc(512)]));
    expect(listed(changed).problems[0]?.kind).toBe('damaged');
    expect(paddingOf(512)).toBe(0);
  });

  it('is listed to its end even if a path appears twice or padding was changed, and the problems name both files', async () => {
    const path = join(folder, 'twice.tar');
    const archive = await openTarWriter(path, { replace: true, at: 0 });
    for (const [name, content] of [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
      ['c', '4'],
    ] as const)
      await archive.add(name, [content]);
    await archive.finish();
    const bytes = readFileSync(path);
    const padding = (listed(path).files.get('b')?.start ?? 0) + 100;
    bytes[padding] = 1;
    writeFileSync(path, bytes);
    const { files, problems } = listed(path);
    expect([...files.keys()]).toEqual(['a', 'b', 'c']);
    expect(problems.map(({ kind, path: at }) => [kind, at])).toEqual([
      ['damaged', 'b'],
      ['damaged', 'a'],
    ]);
  });

  it('leaves no file if it is abandoned, and replaces an existing file only on request', async () => {
    const path = await written('kept.tar', { a: '1' });
    const before = readFileSync(path);
    const archive = await openTarWriter(path, { replace: false, at: 0 });
    await archive.add('a', ['2']);
    await expect(archive.finish()).rejects.toThrow('already exists');
    await archive.abandon();
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(execFileSync('ls', [folder], { encoding: 'utf8' })).not.toContain('unfinished');
    await expect(openTarWriter(join(folder, 'none', 'x.tar'), { replace: false, at: 0 })).rejects.toThrow(
      "can't be written",
    );
  });
});
