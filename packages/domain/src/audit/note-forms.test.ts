import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils';
import { describe, expect, it } from 'vitest';
import { ORG } from './audit.arbitrary.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { type Checkpoint, checkpointText, originOf, readCheckpoint, splitNotes } from './checkpoint.ts';
import { momentText, readMoment } from './moment.ts';
import { openNote, readNoteKey, signNote, writeNoteKey } from './note.ts';
import { keyNamed, signerOf, verifySignature } from './signing.arbitrary.ts';
import { bytesOfBase64 } from './verifier/bytes.ts';
import { checkpointOf, keyOfText, textOfNote } from './verifier/notes.ts';

const key = keyNamed(originOf(ORG));
const other = keyNamed('other', 3);
const idOf = (one: typeof key): Uint8Array => hexToBytes(writeNoteKey(one).split('+')[1] ?? '');
const TEXT = 'said\n';
const signature = signerOf(key.publicKey)(utf8ToBytes(TEXT));
const line = (name: string, ...parts: readonly Uint8Array[]): string =>
  `— ${name} ${toBase64(concatBytes(...parts))}\n`;
const good = line(key.name, idOf(key), signature);
const foreign = line(other.name, idOf(other), signerOf(other.publicKey)(utf8ToBytes(TEXT)));

/** What both readers, which have no code in common, make of a note. */
const opened = (note: string, keys = [key]): string => {
  const one = openNote(note, keys, verifySignature);
  expect(textOfNote(note, keys, verifySignature)).toBe(one.ok ? one.text : null);
  return one.ok ? one.text : one.problem;
};

describe('a note is opened', () => {
  it.each([
    ['with its signature', `${TEXT}\n${good}`, TEXT],
    ['with one that is not known before it', `${TEXT}\n${foreign}${good}`, TEXT],
    ['with one that is not known behind it', `${TEXT}\n${good}${foreign}`, TEXT],
    ['with one that is not known and short', `${TEXT}\n${line('x', Uint8Array.of(1, 2, 3, 4, 5))}${good}`, TEXT],
    ['signed twice', `${TEXT}\n${good}${good}`, TEXT],
  ])('%s', (_, note, text) => {
    expect(opened(note)).toBe(text);
  });

  it('with empty lines in its text, up to the last one', () => {
    const text = 'one\n\ntwo\n';
    expect(opened(signNote(text, key, signerOf(key.publicKey)))).toBe(text);
  });
});

describe('a note is not opened', () => {
  const short = Uint8Array.of(1, 2, 3, 4);
  it.each([
    ['that is empty', '', 'form'],
    ['that is only signed', good, 'form'],
    ['without a line break at its end', `${TEXT}\n${good}`.slice(0, -1), 'form'],
    ['without a signature', `${TEXT}\n`, 'form'],
    ['without an empty line', `${TEXT}${good}`, 'form'],
    ['with another dash', `${TEXT}\n${good.replace('—', '-')}`, 'form'],
    ['with something before the dash', `${TEXT}\nx${good}`, 'form'],
    ['with something behind the signature', `${TEXT}\n${good.slice(0, -1)}!\n`, 'form'],
    ['with two words for a name', `${TEXT}\n${good.replace('— ', '— so ')}`, 'form'],
    ['with a plus in the name', `${TEXT}\n${good.replace('— ', '— so+')}`, 'form'],
    ['with a signature that is no base64', `${TEXT}\n— ${key.name} AAAA=AAA\n`, 'form'],
    ['with a key hash and nothing more', `${TEXT}\n${line(key.name, short)}`, 'form'],
    ['with such a line behind the good one', `${TEXT}\n${good}${line('x', short)}`, 'form'],
    ['with an empty line between signatures', `${TEXT}\n${good}\n${good}`, 'signature'],
    ['signed by others', `${TEXT}\n${foreign}`, 'unknown_key'],
    ['with the hash of another key', `${TEXT}\n${line(key.name, idOf(other), signature)}`, 'unknown_key'],
    ['with the name of another key', `${TEXT}\n${line(other.name, idOf(key), signature)}`, 'unknown_key'],
    ['with the signature of another text', `more\n\n${good}`, 'signature'],
    [
      'with a wrong signature behind the good one',
      `${TEXT}\n${good}${line(key.name, idOf(key), new Uint8Array(64))}`,
      'signature',
    ],
    ['with a signature too short', `${TEXT}\n${line(key.name, idOf(key), signature.slice(1))}`, 'signature'],
    ['with a signature too long', `${TEXT}\n${line(key.name, idOf(key), signature, short)}`, 'signature'],
  ])('%s', (_, note, problem) => {
    expect(opened(note)).toBe(problem);
  });

  it('by a key that checks every signature as good, where it has another length than 64 bytes', () => {
    for (const length of [63, 65]) {
      const note = `${TEXT}\n${line(key.name, idOf(key), new Uint8Array(length))}`;
      expect(openNote(note, [key], () => true)).toEqual({ ok: false, problem: 'signature' });
      expect(textOfNote(note, [key], () => true)).toBeNull();
    }
  });

  it('is not written for a text that does not end', () => {
    expect(() => signNote('said', key, signerOf(key.publicKey))).toThrow(/line break/);
  });
});

describe('a key', () => {
  const text = writeNoteKey(key);
  const [name = '', id = '', encoded = ''] = [...text.split('+', 2), text.split('+').slice(2).join('+')];
  const bytes = fromBase64(encoded) ?? new Uint8Array();

  it('is read as it was written, whatever its bytes', () => {
    for (const number of [0, 1, 0xfb, 0xff]) {
      const one = keyNamed('a/b', number);
      expect(readNoteKey(writeNoteKey(one))).toEqual(one);
      expect(keyOfText(writeNoteKey(one))).toEqual(one);
    }
  });

  it.each([
    '',
    name,
    `${name}+${id}`,
    `+${id}+${encoded}`,
    `${name}++${encoded}`,
    `${name}+${id}+`,
    `${name}+${id.slice(1)}+${encoded}`,
    `${name}+0${id}+${encoded}`,
    `${name}+${id.toUpperCase()}x+${encoded}`,
    `${name}+00000000+${encoded}`,
    `two ${text}`,
    `${text} `,
    ` ${text}`,
    `${text}\n`,
    `${name}+${id}+${toBase64(bytes.slice(0, 32))}`,
    `${name}+${id}+${toBase64(concatBytes(bytes, Uint8Array.of(1)))}`,
    `${name}+${id}+${toBase64(concatBytes(Uint8Array.of(2), key.publicKey))}`,
    `${name}x+${id}+${encoded}`,
  ])('is not read from %j', (wrong) => {
    expect(readNoteKey(wrong)).toBeNull();
    expect(keyOfText(wrong)).toBeNull();
  });

  it.each(['', ' ', 'two words', 'a+b', ' a', 'a ', 'a\n'])('is not named %j', (wrong) => {
    expect(() => writeNoteKey(keyNamed(wrong))).toThrow(/can't name a key/);
  });
});

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

  it('is read as it was written, of any size that is exact', () => {
    for (const size of [1, 9, 10, 4711, Number.MAX_SAFE_INTEGER]) {
      const one = { ...checkpoint, size };
      expect(readCheckpoint(checkpointText(one))).toEqual(one);
      expect(checkpointOf(checkpointText(one))).toEqual(one);
    }
  });

  it.each([
    ['nothing', ''],
    ['something before it', `x${text}`],
    ['a line before it', `\n${text}`],
    ['something behind it', `${text}x`],
    ['a line behind it', `${text}\n`],
    ['no line break at its end', text.slice(0, -1)],
    ['another origin', text.replace('stet/', 'stat/')],
    ['an organization in upper case', text.replace(ORG, ORG.toUpperCase())],
    ['an organization with more digits', text.replace(ORG, `${ORG}0`)],
    ['an organization with other hyphens', text.replace(ORG, ORG.replaceAll('-', '0'))],
    ['size 0', text.replaceAll('4711', '0')],
    ['a size with a zero before it', text.replaceAll('4711', '04711')],
    ['a size that is not exact', text.replaceAll('4711', '9007199254740993')],
    ['a size past all counting', text.replaceAll('4711', '47114711471147114')],
    ['a size that is no number', text.replaceAll('4711', 'many')],
    ['another size beside its head', text.replace('head 4711', 'head 4712')],
    ['a root of 31 bytes', text.replace(root, toBase64(new Uint8Array(31)))],
    ['a root of 33 bytes', text.replace(root, toBase64(new Uint8Array(33)))],
    ['a root that is no base64', text.replace(root, `${root.slice(0, -2)}!=`)],
    ['a head of 31 bytes', text.replace('0909\nsigned', '09\nsigned')],
    ['a head of 33 bytes', text.replace('09\nsigned', '0909\nsigned')],
    ['a head that is no number', text.replace('0909\nsigned', '09zz\nsigned')],
    ['no head', text.replace('head ', 'tail ')],
    ['a day in another form', text.replace('2026-11-21', '21.11.2026')],
    ['a moment without fractions', text.replace('.123Z', 'Z')],
    ['a moment with a space', text.replace('T03', ' 03')],
    ['a moment that goes on', text.replace('.123Z', '.123Z?')],
    ['no moment', text.replace('signed ', 'Signed ')],
  ])('is not read with %s', (_, wrong) => {
    expect(readCheckpoint(wrong)).toBeNull();
    expect(checkpointOf(wrong)).toBeNull();
  });

  it('is one of a file, however many empty lines stand between', () => {
    const note = `${text}\n${good}`;
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
  ])('has no %j', (text) => {
    expect(fromBase64(text)).toBeNull();
    expect(bytesOfBase64(text)).toBeNull();
  });

  it('has each digit at each place', () => {
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    for (const [value, digit] of [...digits].entries()) {
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
  ])('of %s is %s', (at, text) => {
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
  ])('is not %j', (text) => {
    expect(readMoment(text)).toBeNull();
  });
});
