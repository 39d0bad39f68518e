import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils';
import { describe, expect, it } from 'vitest';
import { ORG } from './audit.arbitrary.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { originOf } from './checkpoint.ts';
import { openNote, readNoteKey, signNote, writeNoteKey } from './note.ts';
import { keyNamed, signerOf, verifySignature } from './signing.arbitrary.ts';
import { keyOfText, textOfNote } from './verifier/notes.ts';

const key = keyNamed(originOf(ORG));
const other = keyNamed('other', 3);
const idOf = (one: typeof key): Uint8Array => hexToBytes(writeNoteKey(one).split('+')[1] ?? '');
const TEXT = 'said\n';
const signature = signerOf(key.publicKey)(utf8ToBytes(TEXT));
const line = (name: string, ...parts: readonly Uint8Array[]): string =>
  `— ${name} ${toBase64(concatBytes(...parts))}\n`;
const good = line(key.name, idOf(key), signature);
const foreign = line(other.name, idOf(other), signerOf(other.publicKey)(utf8ToBytes(TEXT)));

/** What both readers, which share no code, return for a note. */
const opened = (note: string, keys = [key]): string => {
  const one = openNote(note, keys, verifySignature);
  expect(textOfNote(note, keys, verifySignature)).toBe(one.ok ? one.text : null);
  return one.ok ? one.text : one.problem;
};

describe('a note can be opened', () => {
  it.each([
    ['with its signature', `${TEXT}\n${good}`, TEXT],
    ['with an unknown one before it', `${TEXT}\n${foreign}${good}`, TEXT],
    ['with an unknown one after it', `${TEXT}\n${good}${foreign}`, TEXT],
    ['with an unknown short one', `${TEXT}\n${line('x', Uint8Array.of(1, 2, 3, 4, 5))}${good}`, TEXT],
    ['signed twice', `${TEXT}\n${good}${good}`, TEXT],
  ])('%s', (_, note, text) => {
    expect(opened(note)).toBe(text);
  });

  it('even if its text contains empty lines', () => {
    const text = 'one\n\ntwo\n';
    expect(opened(signNote(text, key, signerOf(key.publicKey)))).toBe(text);
    expect(opened(signNote('\n', key, signerOf(key.publicKey)))).toBe('\n');
  });
});

describe('a note can’t be opened', () => {
  const short = Uint8Array.of(1, 2, 3, 4);
  it.each([
    ['that is empty', '', 'form'],
    ['that is only signed', good, 'form'],
    ['without a line break at its end', `${TEXT}\n${good}`.slice(0, -1), 'form'],
    ['with something other than a line break at its end', `${TEXT}\n${good.slice(0, -1)}x`, 'form'],
    ['without signed text', `x${line(key.name, idOf(key), signerOf(key.publicKey)(new Uint8Array()))}`, 'form'],
    ['without a signature', `${TEXT}\n`, 'form'],
    ['without an empty line', `${TEXT}${good}`, 'form'],
    ['with another dash', `${TEXT}\n${good.replace('—', '-')}`, 'form'],
    ['with something before the dash', `${TEXT}\nx${good}`, 'form'],
    ['with text after the signature', `${TEXT}\n${good.slice(0, -1)}!\n`, 'form'],
    ['with two words for a name', `${TEXT}\n${good.replace('— ', '— so ')}`, 'form'],
    ['with a plus in the name', `${TEXT}\n${good.replace('— ', '— so+')}`, 'form'],
    ['with a signature that isn’t base64', `${TEXT}\n— ${key.name} AAAA=AAA\n`, 'form'],
    ['with a signature that contains only a key hash', `${TEXT}\n${line(key.name, short)}`, 'form'],
    ['with such a line after the good one', `${TEXT}\n${good}${line('x', short)}`, 'form'],
    ['with an empty line between signatures', `${TEXT}\n${good}\n${good}`, 'signature'],
    ['signed by others', `${TEXT}\n${foreign}`, 'unknown_key'],
    ['with the hash of another key', `${TEXT}\n${line(key.name, idOf(other), signature)}`, 'unknown_key'],
    ['with the name of another key', `${TEXT}\n${line(other.name, idOf(key), signature)}`, 'unknown_key'],
    ['with the signature of another text', `more\n\n${good}`, 'signature'],
    [
      'with a wrong signature after the good one',
      `${TEXT}\n${good}${line(key.name, idOf(key), new Uint8Array(64))}`,
      'signature',
    ],
    ['with a signature too short', `${TEXT}\n${line(key.name, idOf(key), signature.slice(1))}`, 'signature'],
    ['with a signature too long', `${TEXT}\n${line(key.name, idOf(key), signature, short)}`, 'signature'],
  ])('%s', (_, note, problem) => {
    expect(opened(note)).toBe(problem);
  });

  it('with a key of the wrong length, even if the verifier accepts every signature', () => {
    for (const length of [63, 65]) {
      const note = `${TEXT}\n${line(key.name, idOf(key), new Uint8Array(length))}`;
      expect(openNote(note, [key], () => true)).toEqual({ ok: false, problem: 'signature' });
      expect(textOfNote(note, [key], () => true)).toBeNull();
    }
  });

  it('if its text doesn’t end with a line break', () => {
    expect(() => signNote('said', key, signerOf(key.publicKey))).toThrow(/line break/);
  });
});

describe('a key', () => {
  const text = writeNoteKey(key);
  const [name = '', id = '', ...parts] = text.split('+');
  const encoded = parts.join('+');
  const bytes = fromBase64(encoded) ?? new Uint8Array();

  it('reads back as written, with any bytes', () => {
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
  ])('is refused as %j', (wrong) => {
    expect(readNoteKey(wrong)).toBeNull();
    expect(keyOfText(wrong)).toBeNull();
  });

  it('is refused if its name has two words, even if the hash matches', () => {
    const two = 'two words';
    const hash = sha256(concatBytes(utf8ToBytes(`${two}\n`), bytes)).subarray(0, 4);
    const written = `${two}+${bytesToHex(hash)}+${encoded}`;
    expect(readNoteKey(written)).toBeNull();
    expect(keyOfText(written)).toBeNull();
  });

  it.each(['', ' ', 'two words', 'a+b', ' a', 'a ', 'a\n'])('can’t be named %j', (wrong) => {
    expect(() => writeNoteKey(keyNamed(wrong))).toThrow(/can't name a key/);
  });
});
