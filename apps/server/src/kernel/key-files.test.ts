import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BadConfiguration } from './config.ts';
import { readOrCreate, secretKey } from './key-files.ts';

describe('a key file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stet-keys-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is created once, and then only read', () => {
    const file = join(folder, 'new', 'key');
    expect(readOrCreate(file, () => 'first')).toBe('first');
    expect(readOrCreate(file, () => 'second')).toBe('first');
  });

  it.each(['', '\n'])('is refused and not replaced if it contains only %j', (content) => {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    const file = join(dataDir, 'keys', 'secret');
    secretKey(undefined, dataDir);
    writeFileSync(file, content);
    expect(() => secretKey(undefined, dataDir)).toThrow(BadConfiguration);
    expect(() => secretKey(undefined, dataDir)).toThrow(`${file} is empty`);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });
});
