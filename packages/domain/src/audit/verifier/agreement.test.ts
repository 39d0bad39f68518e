import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainOf, macOf, someRecords } from '../audit.arbitrary.ts';
import { fromBase64, toBase64 } from '../base64.ts';
import { bundleOf, checkpointOver, KEY } from '../bundle.arbitrary.ts';
import { readBundleLine } from '../bundle.ts';
import { readCheckpoint } from '../checkpoint.ts';
import { chainProblem, payloadProblem } from '../event-problems.ts';
import type { AuditEvent } from '../events.ts';
import { merkleRoot } from '../merkle.ts';
import { openNote, readNoteKey, writeNoteKey } from '../note.ts';
import { verifySignature } from '../signing.arbitrary.ts';
import { bytesOfBase64 } from './bytes.ts';
import { problemOf } from './events.ts';
import { lineOfText } from './lines.ts';
import { checkpointOf, keyOfText, textOfNote } from './notes.ts';
import { NO_LEAVES, appendSubtree, rootOfCounter } from './tree.ts';

const COUNT = 20;
const chain = chainOf(someRecords(COUNT)).map((event) => ({ ...event, mac: event.seq > 3 ? macOf(event) : null }));
const isTaken = ({ seq }: AuditEvent): boolean => seq % 5 !== 0;
const lines = [...bundleOf(chain, [7, COUNT]), ...bundleOf(chain, [COUNT], { isTaken })];

/** Returns the text, often with a change at one position. */
const touched = (text: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant(text),
    fc
      .tuple(
        fc.nat(text.length),
        fc.nat(3),
        fc.constantFrom('', '0', 'f', 'Z', '"', '\n', ' ', '=', '+', '-', '\\ud800', ',"a":1', ',"mac":"00"', '-0'),
      )
      .map(([at, gone, put]) => text.slice(0, at) + put + text.slice(at + gone)),
  );

describe('the independent verifier and the product’s code', () => {
  it('agree on bundle lines', () => {
    fc.assert(
      fc.property(fc.constantFrom(...lines).chain(touched), (text) => {
        expect(lineOfText(text)).toEqual(readBundleLine(text));
      }),
      { numRuns: 400 },
    );
  });

  it('agree on base64, keys, notes and checkpoints', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }).map(toBase64).chain(touched), (text) => {
        expect(bytesOfBase64(text)).toEqual(fromBase64(text));
      }),
    );
    const note = checkpointOver(chain, 7);
    fc.assert(
      fc.property(touched(writeNoteKey(KEY)), touched(note), (key, changed) => {
        expect(keyOfText(key)).toEqual(readNoteKey(key));
        const opened = openNote(changed, [KEY], verifySignature);
        expect(textOfNote(changed, [KEY], verifySignature)).toBe(opened.ok ? opened.text : null);
        const text = changed.slice(0, changed.lastIndexOf('\n\n') + 1);
        expect(checkpointOf(text)).toEqual(readCheckpoint(text));
      }),
      { numRuns: 200 },
    );
  });

  it.each([' ', '\t', '\r', ' \n', '\n'])('reject a note that continues after its signature with %j', (after) => {
    const note = `${checkpointOver(chain, 7).slice(0, -1)}${after}\n`;
    expect(openNote(note, [KEY], verifySignature).ok).toBe(false);
    expect(textOfNote(note, [KEY], verifySignature)).toBe(null);
  });

  it('agree on the tree, whether it grows by leaves or by subtrees', () => {
    let tree: ReturnType<typeof appendSubtree> = NO_LEAVES;
    for (const [at, { hash }] of chain.entries()) {
      tree = tree && appendSubtree(tree, 0, hash);
      expect(tree && rootOfCounter(tree)).toEqual(merkleRoot(chain.slice(0, at + 1).map((event) => event.hash)));
    }
    expect(rootOfCounter(NO_LEAVES)).toEqual(merkleRoot([]));
    // The first 4 events as one subtree, then 2, then single ones.
    const bySubtrees = [2, 1, 0].reduce<{ tree: typeof tree; at: number }>(
      ({ tree: before, at }, level) => {
        const hash = merkleRoot(chain.slice(at, at + 2 ** level).map((event) => event.hash));
        const next = before && appendSubtree(before, level, hash);
        expect(next && rootOfCounter(next)).toEqual(
          merkleRoot(chain.slice(0, at + 2 ** level).map((event) => event.hash)),
        );
        return { tree: next, at: at + 2 ** level };
      },
      { tree: NO_LEAVES, at: 0 },
    );
    expect(bySubtrees.at).toBeLessThanOrEqual(chain.length);
    const [three] = [
      chain.slice(0, 3).reduce<typeof tree>((so, { hash }) => so && appendSubtree(so, 0, hash), NO_LEAVES),
    ];
    expect(three && appendSubtree(three, 1, chain[0]?.hash ?? new Uint8Array(32))).toBeNull();
  });

  it('agree on an event’s problem after any change', () => {
    const changes: readonly ((event: AuditEvent) => Partial<AuditEvent>)[] = [
      () => ({}),
      ({ seq }) => ({ seq: seq + 1 }),
      ({ at }) => ({ at: at - 10_000_000n }),
      ({ at }) => ({ at: at + 1n }),
      () => ({ prev: new Uint8Array(31) }),
      () => ({ digest: new Uint8Array(32) }),
      () => ({ hash: new Uint8Array(32) }),
      () => ({ payload: null, salt: null }),
      () => ({ salt: null }),
      ({ payload }) => ({ payload: `${payload} ` }),
      () => ({ actor: 'someone' }),
      () => ({ action: 'other' }),
      () => ({ runId: 'other' }),
      () => ({ orgId: 'nonsense' }),
    ];
    for (const [at, event] of chain.entries()) {
      const before = chain[at - 1] ?? { seq: 0, hash: new Uint8Array(32), at: 0n };
      for (const change of changes) {
        const changed = { ...event, ...change(event) };
        for (const orgId of [event.orgId, changed.orgId])
          expect(problemOf(changed, before, orgId)).toBe(
            chainProblem(changed, before, orgId) ?? payloadProblem(changed),
          );
      }
    }
  });
});
