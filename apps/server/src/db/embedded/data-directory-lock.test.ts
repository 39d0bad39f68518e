import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { claim, identify, type ProcessIdentity } from './data-directory-lock.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-lock-'));
let made = 0;
const freshDirectory = (): string => path.join(root, String((made += 1)));

afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const first: ProcessIdentity = { pid: 100, started: 'monday' };
const second: ProcessIdentity = { pid: 200, started: 'tuesday' };
const running =
  (...alive: ProcessIdentity[]) =>
  (holder: ProcessIdentity) =>
    alive.some(({ pid, started }) => pid === holder.pid && started === holder.started);

describe('a lock on a data directory', () => {
  it('is refused while its owner is running, and the refusal names the owner', () => {
    const directory = freshDirectory();
    claim(directory, first, running(first));
    expect(claim(directory, second, running(first, second))).toEqual({ ok: false, holder: first });
  });

  it('can be acquired again after its release, even by the same process', () => {
    const directory = freshDirectory();
    const held = claim(directory, first, running(first));
    if (held.ok) held.release();
    expect(claim(directory, first, running(first)).ok).toBe(true);
  });

  it('expires when its owner is killed', () => {
    const directory = freshDirectory();
    claim(directory, first, running(first));
    expect(claim(directory, second, running(second)).ok).toBe(true);
  });

  it("expires if a different process now has its owner's process id", () => {
    const directory = freshDirectory();
    claim(directory, first, running(first));
    const later = { pid: first.pid, started: 'wednesday' };
    expect(claim(directory, later, running(later)).ok).toBe(true);
  });

  it('expires if a power cut left its file empty', () => {
    const directory = freshDirectory();
    claim(directory, first, running(first));
    for (const name of fs.readdirSync(directory)) fs.writeFileSync(path.join(directory, name), '');
    expect(claim(directory, second, running(first, second)).ok).toBe(true);
  });

  it('can’t be acquired if the newest claim can’t be read', () => {
    const directory = freshDirectory();
    fs.mkdirSync(path.join(directory, '1'), { recursive: true });
    expect(() => claim(directory, first, running(first))).toThrow('EISDIR');
  });

  it('is acquired by only one of two processes that both find it abandoned', () => {
    const directory = freshDirectory();
    claim(directory, first, running(first));
    const third: ProcessIdentity = { pid: 300, started: 'thursday' };
    let overtaken = false;
    const slow = claim(directory, third, (holder) => {
      // The fast process claims after the slow one has read the old claim, and before the slow one claims.
      if (!overtaken) {
        overtaken = true;
        expect(claim(directory, second, running(second)).ok).toBe(true);
        return false;
      }
      return running(second, third)(holder);
    });
    expect(slow).toEqual({ ok: false, holder: second });
  });

  it('leaves only one file after many changes of owner', () => {
    const directory = freshDirectory();
    for (let turn = 1; turn <= 5; turn += 1) claim(directory, { pid: turn, started: 'x' }, () => false);
    expect(fs.readdirSync(directory)).toEqual(['5']);
  });
});

describe('the identity of a process', () => {
  it('is the same each time it is read', () => {
    expect(identify(process.pid)).toEqual(identify(process.pid));
    expect(identify(process.pid)?.started).not.toBe('');
  });

  it('is undefined if the process has ended', async () => {
    const child = spawn(process.execPath, ['-e', '0']);
    const pid = child.pid ?? 0;
    expect(identify(pid)).toBeDefined();
    await new Promise((resolve) => child.once('close', resolve));
    expect(identify(pid)).toBeUndefined();
  });
});
