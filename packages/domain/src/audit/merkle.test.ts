import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendLeaf, appendNode, emptyRange, merkleRoot, rootOf, treeOf, type TreeRange } from './merkle.ts';
import { consistencyProof, inclusionProof, isConsistent, isIncluded } from './merkle-proofs.ts';

const leafOf = (entry: Uint8Array): Uint8Array => sha256(concatBytes(Uint8Array.of(0), entry));
const leaves = Array.from({ length: 70 }, (_, n) => leafOf(utf8ToBytes(`event ${n}`)));
const size = fc.integer({ min: 1, max: leaves.length });

/** The definition of RFC 6962, section 2.1, word by word. */
function definedRoot(of: readonly Uint8Array[]): Uint8Array {
  const [first] = of;
  if (first === undefined) return sha256(new Uint8Array());
  if (of.length === 1) return first;
  let k = 1;
  while (k * 2 < of.length) k *= 2;
  return sha256(concatBytes(Uint8Array.of(1), definedRoot(of.slice(0, k)), definedRoot(of.slice(k))));
}
const treeOver = (from: number, to: number): TreeRange =>
  leaves.slice(from, to).reduce((range, leaf) => appendLeaf(range, leaf), emptyRange(from));

describe('the root of a tree', () => {
  it('is that of the published examples of RFC 6962', () => {
    const entries = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ];
    const published: [number, string][] = [
      [0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
      [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
      [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
      [4, 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
      [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
    ];
    for (const [count, root] of published) {
      expect(bytesToHex(merkleRoot(entries.slice(0, count).map((entry) => leafOf(hexToBytes(entry)))))).toBe(root);
    }
  });

  it('is as defined for every size, grown leaf by leaf', () => {
    for (let n = 0; n <= leaves.length; n++) expect(rootOf(treeOver(0, n))).toEqual(definedRoot(leaves.slice(0, n)));
  });

  it('is had from the subtrees that were kept, and from a span for leaves that are not at hand', () => {
    fc.assert(
      fc.property(fc.nat(leaves.length), fc.nat(leaves.length), fc.nat(leaves.length), (...cuts) => {
        const [one = 0, two = 0, three = 0] = cuts.toSorted((a, b) => a - b);
        const kept = treeOver(0, one);
        let tree = treeOf(
          one,
          kept.nodes.map(({ hash }) => hash),
        );
        expect(tree).toEqual(kept);
        const span = treeOver(one, two);
        expect(span.nodes.length).toBeLessThan(15);
        for (const node of span.nodes) tree = appendNode(tree, node);
        for (const leaf of leaves.slice(two, three)) tree = appendLeaf(tree, leaf);
        expect(tree.to).toBe(three);
        expect(rootOf(tree)).toEqual(definedRoot(leaves.slice(0, three)));
      }),
    );
  });

  it('is refused where there is no such tree', () => {
    expect(() => rootOf(treeOver(3, 7))).toThrow(RangeError);
    expect(() => treeOf(3, leaves.slice(0, 1))).toThrow(RangeError);
    for (const level of [1, -1, 0.5]) {
      expect(() => appendNode(treeOver(0, 3), { level, hash: leafOf(new Uint8Array()) })).toThrow(RangeError);
    }
  });
});

describe('a proof', () => {
  const tampered = (proof: readonly Uint8Array[], at: number): Uint8Array[] =>
    proof.map((hash, index) => (index === at % proof.length ? hash.map((byte) => byte ^ 1) : hash));

  it('of inclusion holds for its leaf at its place in its tree, and for nothing else', () => {
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(), (count, any, other) => {
        const [index, wrong] = [any % count, other % leaves.length];
        const of = leaves.slice(0, count);
        const [leaf, another] = [leaves[index], leaves[wrong]];
        if (!leaf || !another) throw new Error('no such leaf');
        const claim = { leaf, index, size: count, root: merkleRoot(of), proof: inclusionProof(of, index) };
        expect(isIncluded(claim)).toBe(true);
        expect(isIncluded({ ...claim, leaf: another })).toBe(wrong === index);
        expect(isIncluded({ ...claim, index: other % count })).toBe(other % count === index);
        expect(isIncluded({ ...claim, root: another })).toBe(count === 1 && wrong === index);
        expect(isIncluded({ ...claim, proof: [...claim.proof, another] })).toBe(false);
        if (claim.proof.length > 0) {
          expect(isIncluded({ ...claim, proof: tampered(claim.proof, other) })).toBe(false);
          expect(isIncluded({ ...claim, proof: claim.proof.slice(1) })).toBe(false);
        }
      }),
    );
    expect(() => inclusionProof(leaves, leaves.length)).toThrow(RangeError);
  });

  it('of consistency holds where one tree begins the other, and not where something before was changed', () => {
    fc.assert(
      fc.property(size, size, fc.nat(), (a, b, any) => {
        const [small, large] = a < b ? [a, b] : [b, a];
        const of = leaves.slice(0, large);
        const first = { size: small, root: merkleRoot(of.slice(0, small)) };
        const second = { size: large, root: merkleRoot(of) };
        const proof = consistencyProof(of, small);
        expect(isConsistent({ first, second, proof })).toBe(true);
        const changed = of.map((leaf, index) => (index === any % small ? leafOf(leaf) : leaf));
        const rewritten = { size: large, root: merkleRoot(changed) };
        expect(isConsistent({ first, second: rewritten, proof: consistencyProof(changed, small) })).toBe(false);
        expect(isConsistent({ first, second, proof: [...proof, first.root] })).toBe(false);
        if (proof.length > 0) expect(isConsistent({ first, second, proof: tampered(proof, any) })).toBe(false);
      }),
    );
    expect(() => consistencyProof(leaves, 0)).toThrow(RangeError);
  });
});
