import { utf8ToBytes } from '@noble/hashes/utils';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64, toBase64 } from './base64.ts';
import { checkpointText, originOf, readCheckpoint, splitNotes, type Checkpoint } from './checkpoint.ts';
import { ORG } from './audit.arbitrary.ts';
import { momentText, readMoment } from './moment.ts';
import { signatureStart, openNote, readNoteKey, signNote, writeNoteKey, type NoteKey } from './note.ts';
import { keyNamed, signerOf, verifySignature } from './signing.arbitrary.ts';

const key = keyNamed(originOf(ORG));
const sign = signerOf(key.publicKey);
const checkpoint: Checkpoint = {
  orgId: ORG,
  size: 4711,
  root: new Uint8Array(32).fill(7),
  head: new Uint8Array(32).fill(9),
  at: '2026-11-21T03:12:44.123Z',
};

describe('base64', () => {
  it('reads back as written, and rejects any other text', () => {
    expect(['', 'f', 'fo', 'foo', 'foob'].map((text) => toBase64(utf8ToBytes(text)))).toEqual([
      '',
      'Zg==',
      'Zm8=',
      'Zm9v',
      'Zm9vYg==',
    ]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        expect(fromBase64(toBase64(bytes))).toEqual(bytes);
      }),
    );
    for (const text of ['Zg', 'Zg=', 'Zh==', 'Z===', 'Zm9v\n', 'Zm-v', '=']) expect(fromBase64(text)).toBeNull();
  });
});

describe('a moment', () => {
  it('is written and read back exact to the microsecond, and isn’t read from any other format', () => {
    expect(momentText(1_795_228_967_000_123n)).toBe('2026-11-21T02:42:47.000123Z');
    expect(momentText(-1n)).toBe('1969-12-31T23:59:59.999999Z');
    const micros = fc.bigInt({ min: -(10n ** 16n), max: 2n * 10n ** 17n });
    fc.assert(
      fc.property(micros, (at) => {
        expect(readMoment(momentText(at))).toBe(at);
      }),
    );
    for (const text of ['2026-11-21T02:42:47.000Z', '2026-02-30T02:42:47.000000Z', '2026-11-21 02:42:47.000000Z']) {
      expect(readMoment(text)).toBeNull();
    }
  });
});

describe('a signed note', () => {
  const note = signNote(checkpointText(checkpoint), key, sign);

  it('has the C2SP format: text, empty line, one line for each signature', () => {
    const zeros = 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=';
    const head = '09'.repeat(32);
    expect(note.split('\n').slice(0, 6)).toEqual([
      `stet/${ORG}`,
      '4711',
      zeros,
      `head 4711 ${head}`,
      'signed 2026-11-21T03:12:44.123Z',
      '',
    ]);
    expect(note).toMatch(/\n\n— stet\/[0-9a-f-]{36} [A-Za-z0-9+/]{91}=\n$/);
  });

  it('opens with its key, even among other keys, but not without it', () => {
    const text = checkpointText(checkpoint);
    expect(openNote(note, [keyNamed('other', 3), key], verifySignature)).toEqual({ ok: true, text });
    expect(openNote(note, [], verifySignature)).toEqual({ ok: false, problem: 'unknown_key' });
    expect(openNote(note, [keyNamed(key.name, 2)], verifySignature)).toEqual({ ok: false, problem: 'unknown_key' });
    const twice = `${note}${signNote(text, keyNamed('other', 3), signerOf(keyNamed('', 3).publicKey)).slice(text.length + 1)}`;
    expect(openNote(twice, [key], verifySignature)).toEqual({ ok: true, text });
    const names = (signed: string, by: NoteKey): boolean => signed.includes(signatureStart(by));
    expect(names(twice, key)).toBe(true);
    expect(names(twice, keyNamed('other', 3))).toBe(true);
    expect(names(note, keyNamed('other', 3))).toBe(false);
    expect(names(note, keyNamed(key.name, 2))).toBe(false);
  });

  it('does not open if any character of it was changed', () => {
    fc.assert(
      fc.property(fc.nat(note.length - 1), fc.constantFrom('0', 'A', '\n', '— ', ''), (at, other) => {
        const changed = note.slice(0, at) + other + note.slice(at + 1);
        fc.pre(changed !== note);
        expect(openNote(changed, [key], verifySignature).ok).toBe(false);
      }),
    );
    expect(() => signNote('no line break', key, sign)).toThrow(RangeError);
  });

  it('is found in a file of many notes', () => {
    const other = signNote(checkpointText({ ...checkpoint, size: 5000 }), key, sign);
    expect(splitNotes(`${note}\n${other}\n`)).toEqual([note, other]);
    expect(splitNotes(`${note}${other}`)).toEqual([note, other]);
    expect(splitNotes('\n')).toEqual([]);
  });
});

describe('text that people exchange', () => {
  it('can be a key with its name and hash', () => {
    expect(writeNoteKey(key)).toMatch(/^stet\/[0-9a-f-]{36}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/);
    expect(readNoteKey(writeNoteKey(key))).toEqual(key);
    for (const text of [
      '',
      'stet',
      writeNoteKey(key).replace('+A', '+B'),
      `${writeNoteKey(key)}\n`,
      writeNoteKey(key).replace('stet', 'stat'),
    ]) {
      expect(readNoteKey(text)).toBeNull();
    }
    expect(() => writeNoteKey(keyNamed('two words'))).toThrow(RangeError);
  });

  it('can be a checkpoint; text that only looks like one is rejected', () => {
    const text = checkpointText(checkpoint);
    expect(readCheckpoint(text)).toEqual(checkpoint);
    for (const other of [
      text.replace('\n4711\n', '\n04711\n'),
      text.replace('head 4711', 'head 4710'),
      text.replace('signed', 'Signed'),
      `${text}more\n`,
      text.slice(1),
      '',
    ]) {
      expect(readCheckpoint(other)).toBeNull();
    }
  });
});
