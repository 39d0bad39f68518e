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

/** Opens a note with both readers, which share no code. */
const opened = (note: string, keys = [key]): string => {
  const one = openNote(note, keys, verifySignature);
  expect(textOfNote(note, keys, verifySignature)).toBe(one.ok ? one.text : null);
  return one.ok ? one.text : one.problem;
};

describe('a good note', () => {
  it.each([
    ['has its signature', `${TEXT}\n${good}`, TEXT],
    ['has an unknown signature before its own', `${TEXT}\n${foreign}${good}`, TEXT],
    ['has an unknown signature after its own', `${TEXT}\n${good}${foreign}`, TEXT],
    ['also has a short unknown signature', `${TEXT}\n${line('x', Uint8Array.of(1, 2, 3, 4, 5))}${good}`, TEXT],
    ['is signed twice', `${TEXT}\n${good}${good}`, TEXT],
  ])('can be opened if it %s', (_, note, text) => {
    expect(opened(note)).toBe(text);
  });

  it('can be opened even if its text contains empty lines', () => {
    const text = 'one\n\ntwo\n';
    expect(opened(signNote(text, key, signerOf(key.publicKey)))).toBe(text);
    expect(opened(signNote('\n', key, signerOf(key.publicKey)))).toBe('\n');
  });
});

describe('a bad note', () => {
  const short = Uint8Array.of(1, 2, 3, 4);
  it.each([
    ['is empty', '', 'form'],
    ['consists only of a signature', good, 'form'],
    ['has no line break at its end', `${TEXT}\n${good}`.slice(0, -1), 'form'],
    ['ends with something other than a line break', `${TEXT}\n${good.slice(0, -1)}x`, 'form'],
    ['has no signed text', `x${line(key.name, idOf(key), signerOf(key.publicKey)(new Uint8Array()))}`, 'form'],
    ['has no signature', `${TEXT}\n`, 'form'],
    ['has no empty line', `${TEXT}${good}`, 'form'],
    ['has a different dash', `${TEXT}\n${good.replace('—', '-')}`, 'form'],
    ['has something before the dash', `${TEXT}\nx${good}`, 'form'],
    ['has text after the signature', `${TEXT}\n${good.slice(0, -1)}!\n`, 'form'],
    ['has a name of two words', `${TEXT}\n${good.replace('— ', '— so ')}`, 'form'],
    ['has a plus sign in the name', `${TEXT}\n${good.replace('— ', '— so+')}`, 'form'],
    ['has a signature that isn’t base64', `${TEXT}\n— ${key.name} AAAA=AAA\n`, 'form'],
    ['has a signature that is only a key hash', `${TEXT}\n${line(key.name, short)}`, 'form'],
    ['has a signature that is only a key hash after the good one', `${TEXT}\n${good}${line('x', short)}`, 'form'],
    ['has an empty line between signatures', `${TEXT}\n${good}\n${good}`, 'signature'],
    ['is signed only by others', `${TEXT}\n${foreign}`, 'unknown_key'],
    ['has the hash of another key', `${TEXT}\n${line(key.name, idOf(other), signature)}`, 'unknown_key'],
    ['has the name of another key', `${TEXT}\n${line(other.name, idOf(key), signature)}`, 'unknown_key'],
    ['has the signature of another text', `more\n\n${good}`, 'signature'],
    [
      'has a wrong signature after the good one',
      `${TEXT}\n${good}${line(key.name, idOf(key), new Uint8Array(64))}`,
      'signature',
    ],
    ['has a signature that is too short', `${TEXT}\n${line(key.name, idOf(key), signature.slice(1))}`, 'signature'],
    ['has a signature that is too long', `${TEXT}\n${line(key.name, idOf(key), signature, short)}`, 'signature'],
  ])('can’t be opened if it %s', (_, note, problem) => {
    expect(opened(note)).toBe(problem);
  });

  it('can’t be opened if its signature has the wrong length, even if the verifier accepts every signature', () => {
    for (const length of [63, 65]) {
      const note = `${TEXT}\n${line(key.name, idOf(key), new Uint8Array(length))}`;
      expect(openNote(note, [key], () => true)).toEqual({ ok: false, problem: 'signature' });
      expect(textOfNote(note, [key], () => true)).toBeNull();
    }
  });

  it('can’t be signed if its text doesn’t end with a line break', () => {
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
  ])('can’t be read from %j', (wrong) => {
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
