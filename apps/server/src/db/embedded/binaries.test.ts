import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { restoreLinks, runnableBinaries } from './binaries.ts';

const isRoot = process.getuid?.() === 0;
const other = { kind: 'other', uid: 65_534, gid: 65_534 } as const;
const made: string[] = [];

afterEach(() => {
  for (const directory of made.splice(0)) fs.rmSync(directory, { recursive: true, force: true });
});

function directoryWith(mode: number): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-binaries-'));
  fs.chmodSync(directory, mode);
  made.push(directory);
  return directory;
}

/** Creates a directory laid out as in the npm package, with one shared library. */
function binariesIn(directory: string): string {
  const native = path.join(directory, 'native');
  fs.mkdirSync(path.join(native, 'bin'), { recursive: true });
  fs.mkdirSync(path.join(native, 'lib'));
  fs.writeFileSync(path.join(native, 'bin', 'postgres'), 'program', { mode: 0o755 });
  fs.writeFileSync(path.join(native, 'lib', 'libx.so.1.2'), 'library');
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }];
  fs.writeFileSync(path.join(native, 'pg-symlinks.json'), JSON.stringify(links));
  return native;
}

describe('the binaries', () => {
  it('get their library links even if the install script was skipped', () => {
    const native = binariesIn(directoryWith(0o755));
    restoreLinks(native);
    restoreLinks(native);
    expect(fs.readFileSync(path.join(native, 'lib', 'libx.so.1'), 'utf8')).toBe('library');
  });

  it('are used in place if the account can reach them', () => {
    const native = binariesIn(directoryWith(0o755));
    expect(runnableBinaries(native, { kind: 'self' }, [])).toBe(native);
  });

  it.runIf(isRoot)('are copied once, with their links, to the first place that the account can reach', () => {
    const native = binariesIn(directoryWith(0o700));
    restoreLinks(native);
    const [hidden, open] = [directoryWith(0o700), directoryWith(0o755)];
    const copy = runnableBinaries(native, other, [hidden, open]);
    expect(path.dirname(copy)).toBe(open);
    expect(fs.readlinkSync(path.join(copy, 'lib', 'libx.so.1'))).toBe('libx.so.1.2');
    expect(runnableBinaries(native, other, [hidden, open])).toBe(copy);
    expect(fs.readdirSync(open)).toEqual([path.basename(copy)]);
  });

  it.runIf(isRoot)('are refused with a message if no place can be reached', () => {
    const native = binariesIn(directoryWith(0o700));
    expect(() => runnableBinaries(native, other, [directoryWith(0o700)])).toThrow(/can't reach/);
  });

  it.runIf(isRoot)('are never used from a copy that another user could have created', () => {
    const native = binariesIn(directoryWith(0o700));
    const open = directoryWith(0o755);
    fs.chownSync(runnableBinaries(native, other, [open]), other.uid, other.gid);
    expect(() => runnableBinaries(native, other, [open])).toThrow(/not created by this user/);
  });
});
