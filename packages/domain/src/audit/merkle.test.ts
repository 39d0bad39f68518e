import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendLeaf, appendNode, emptyRange, merkleRoot, rootOf, treeOf, type TreeRange } from './merkle.ts';

const leafOf = (entry: Uint8Array): Uint8Array => sha256(concatBytes(Uint8Array.of(0), entry));
const leaves = Array.from({ length: 70 }, (_, n) => leafOf(utf8ToBytes(`event ${n}`)));

/** Returns the root as RFC 6962, section 2.1, defines it. */
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

describe('a tree’s root', () => {
  it('matches the published examples of RFC 6962', () => {
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

  it('matches the definition at every size while the tree grows leaf by leaf', () => {
    for (let n = 0; n <= leaves.length; n++) expect(rootOf(treeOver(0, n))).toEqual(definedRoot(leaves.slice(0, n)));
  });

  it('can be computed from saved subtrees and from a span that replaces missing leaves', () => {
    fc.assert(
      fc.property(fc.nat(leaves.length), fc.nat(leaves.length), fc.nat(leaves.length), (...cuts) => {
        const [one = 0, two = 0, three = 0] = cuts.toSorted((a, b) => a - b);
        const savedTree = treeOver(0, one);
        let tree = treeOf(
          one,
          savedTree.nodes.map(({ hash }) => hash),
        );
        expect(tree).toEqual(savedTree);
        const span = treeOver(one, two);
        expect(span.nodes.length).toBeLessThan(15);
        for (const node of span.nodes) tree = appendNode(tree, node);
        for (const leaf of leaves.slice(two, three)) tree = appendLeaf(tree, leaf);
        expect(tree.to).toBe(three);
        expect(rootOf(tree)).toEqual(definedRoot(leaves.slice(0, three)));
      }),
    );
  });

  it('is refused for an incomplete or impossible tree', () => {
    expect(() => rootOf(treeOver(3, 7))).toThrow(RangeError);
    expect(() => treeOf(3, leaves.slice(0, 1))).toThrow(RangeError);
    for (const level of [1, -1, 0.5]) {
      expect(() => appendNode(treeOver(0, 3), { level, hash: leafOf(new Uint8Array()) })).toThrow(RangeError);
    }
  });
});
