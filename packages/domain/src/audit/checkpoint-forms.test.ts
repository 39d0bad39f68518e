import { describe, expect, it } from 'vitest';
import { ORG } from './audit.arbitrary.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { type Checkpoint, checkpointText, readCheckpoint, splitNotes } from './checkpoint.ts';
import { momentText, readMoment } from './moment.ts';
import { bytesOfBase64 } from './verifier/bytes.ts';
import { checkpointOf } from './verifier/notes.ts';

describe('a checkpoint', () => {
  const checkpoint: Checkpoint = {
    orgId: ORG,
    size: 4711,
    root: new Uint8Array(32).fill(7),
    head: new Uint8Array(32).fill(9),
    at: '2026-11-21T03:12:44.123Z',
  };
  const text = checkpointText(checkpoint);
  const root = toBase64(checkpoint.root);

  it('reads back as written if its size is a safe integer', () => {
    for (const size of [1, 9, 10, 4711, Number.MAX_SAFE_INTEGER]) {
      const one = { ...checkpoint, size };
      expect(readCheckpoint(checkpointText(one))).toEqual(one);
      expect(checkpointOf(checkpointText(one))).toEqual(one);
    }
  });

  it.each([
    ['no text', ''],
    ['something before it', `x${text}`],
    ['a line before it', `\n${text}`],
    ['trailing text', `${text}x`],
    ['a trailing line', `${text}\n`],
    ['no line break at its end', text.slice(0, -1)],
    ['a different origin', text.replace('stet/', 'stat/')],
    ['an organization in upper case', text.replace(ORG, ORG.toUpperCase())],
    ['an organization with more digits', text.replace(ORG, `${ORG}0`)],
    ['an organization with other hyphens', text.replace(ORG, ORG.replaceAll('-', '0'))],
    ['size 0', text.replaceAll('4711', '0')],
    ['a size with a leading zero', text.replaceAll('4711', '04711')],
    ['a size that isn’t a safe integer', text.replaceAll('4711', '9007199254740993')],
    ['a size of 17 digits', text.replaceAll('4711', '47114711471147114')],
    ['a size that isn’t a number', text.replaceAll('4711', 'many')],
    ['a different size in the line of its head', text.replace('head 4711', 'head 4712')],
    ['a root of 31 bytes', text.replace(root, toBase64(new Uint8Array(31)))],
    ['a root of 33 bytes', text.replace(root, toBase64(new Uint8Array(33)))],
    ['a root that isn’t base64', text.replace(root, `${root.slice(0, -2)}!=`)],
    ['a head of 31 bytes', text.replace('0909\nsigned', '09\nsigned')],
    ['a head of 33 bytes', text.replace('09\nsigned', '0909\nsigned')],
    ['a head that isn’t hexadecimal', text.replace('0909\nsigned', '09zz\nsigned')],
    ['something before its head', text.replace('\nhead', '\nxhead')],
    ['something before its time', text.replace('\nsigned', '\nxsigned')],
    ['a different word instead of “head”', text.replace('head ', 'tail ')],
    ['a date in a different format', text.replace('2026-11-21', '21.11.2026')],
    ['a time without fractions', text.replace('.123Z', 'Z')],
    ['a time with a space', text.replace('T03', ' 03')],
    ['a time with trailing text', text.replace('.123Z', '.123Z?')],
    ['a capital letter in “signed”', text.replace('signed ', 'Signed ')],
  ])('is refused with %s', (_, wrong) => {
    expect(readCheckpoint(wrong)).toBeNull();
    expect(checkpointOf(wrong)).toBeNull();
  });

  it('is found in a file with any number of empty lines between checkpoints', () => {
    const note = `${text}\n— name AAAA\n`;
    expect(splitNotes(`${note}\n\n\n${note}\n\n`)).toEqual([note, note]);
    expect(splitNotes(note.slice(0, -1))).toEqual([note]);
    expect(splitNotes('')).toEqual([]);
    expect(splitNotes(`said of stet/${ORG}\n`)).toEqual([`said of stet/${ORG}\n`]);
  });
});

describe('base64', () => {
  it.each([
    'A',
    'AA',
    'AAA',
    'AAAAA',
    'AA=',
    'AA==A',
    'AA==AA==',
    'A===',
    '=',
    '==',
    '====',
    '=AAA',
    'AB==',
    'AAB=',
    'AA AA',
    'AA-_',
    'AAAA\n',
    'AAAA=',
    'AAAA==',
  ])('can’t be %j', (text) => {
    expect(fromBase64(text)).toBeNull();
    expect(bytesOfBase64(text)).toBeNull();
  });

  it('reads and writes every digit at every position', () => {
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    for (const [value, digit] of digits.split('').entries()) {
      const written: [string, number[]][] = [
        [`${digit}AAA`, [value << 2, 0, 0]],
        [`A${digit}AA`, [value >> 4, (value & 15) << 4, 0]],
        [`AA${digit}A`, [0, value >> 2, (value & 3) << 6]],
        [`AAA${digit}`, [0, 0, value]],
      ];
      for (const [text, bytes] of written) {
        expect(toBase64(Uint8Array.from(bytes))).toBe(text);
        expect(fromBase64(text)).toEqual(Uint8Array.from(bytes));
        expect(bytesOfBase64(text)).toEqual(Uint8Array.from(bytes));
      }
    }
  });
});

describe('a moment', () => {
  it.each([
    [0n, '1970-01-01T00:00:00.000000Z'],
    [1n, '1970-01-01T00:00:00.000001Z'],
    [999n, '1970-01-01T00:00:00.000999Z'],
    [1_000n, '1970-01-01T00:00:00.001000Z'],
    [-1_000n, '1969-12-31T23:59:59.999000Z'],
    [-1_001n, '1969-12-31T23:59:59.998999Z'],
  ])('%s µs is written as %s and reads back', (at, text) => {
    expect(momentText(at)).toBe(text);
    expect(readMoment(text)).toBe(at);
  });

  it.each([
    '',
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:00:00.0000001Z',
    '1970-01-01T00:00:00.000001',
    '1970-01-01 00:00:00.000001Z',
    '1970-01-32T00:00:00.000001Z',
    '1970-02-29T00:00:00.000001Z',
    '1970-01-01T25:00:00.000001Z',
    'x1970-01-01T00:00:00.000001Z',
    '1970-01-01T00:00:00.000001Zx',
  ])('%j is refused', (text) => {
    expect(readMoment(text)).toBeNull();
  });
});
