import { sha256 } from '@noble/hashes/sha2';
import { utf8ToBytes } from '@noble/hashes/utils';
import { describe, expect, it } from 'vitest';
import { appendNode, emptyRange, merkleRoot, parentHash, rootOf, treeOf } from './merkle.ts';
import { consistencyProof, inclusionProof, isConsistent, isIncluded } from './merkle-proofs.ts';
import { grown, NO_LEAVES, rootOfCounter } from './verifier/tree.ts';

const MOST = 13;
const leaves = Array.from({ length: MOST }, (_, n) => sha256(utf8ToBytes(`event ${n}`)));
const sizes = leaves.map((_, at) => at + 1);
const [stranger] = [sha256(utf8ToBytes('stranger'))];
const first = (count: number): Uint8Array[] => leaves.slice(0, count);
const rootOfFirst = (count: number): Uint8Array => merkleRoot(first(count));

describe('a proof that an event is in a tree', () => {
  it.each(sizes)('of %i holds for each leaf at its place alone', (size) => {
    const root = rootOfFirst(size);
    for (const [index, leaf] of first(size).entries()) {
      const proof = inclusionProof(first(size), index);
      const claim = { leaf, index, size, root, proof };
      expect(isIncluded(claim)).toBe(true);
      for (let at = 0; at < size; at++) expect(isIncluded({ ...claim, index: at })).toBe(at === index);
      expect(isIncluded({ ...claim, leaf: stranger })).toBe(false);
      expect(isIncluded({ ...claim, root: stranger })).toBe(false);
      expect(isIncluded({ ...claim, proof: [...proof, stranger] })).toBe(false);
      for (const at of proof.keys()) {
        expect(isIncluded({ ...claim, proof: proof.with(at, stranger) })).toBe(false);
        expect(isIncluded({ ...claim, proof: proof.toSpliced(at, 1) })).toBe(false);
      }
    }
  });

  it('ends at the root: none goes on above it', () => {
    for (const size of sizes) {
      const proof = [...inclusionProof(first(size), 0), stranger];
      const root = parentHash(stranger, rootOfFirst(size));
      expect(isIncluded({ leaf: leaves[0] ?? stranger, index: 0, size, root, proof })).toBe(false);
    }
  });

  it('is as long as the tree is deep, and shorter where the tree is not full', () => {
    expect(inclusionProof(first(8), 7)).toHaveLength(3);
    expect(inclusionProof(first(9), 7)).toHaveLength(4);
    expect(inclusionProof(first(9), 8)).toEqual([rootOfFirst(8)]);
    expect(inclusionProof(first(1), 0)).toEqual([]);
  });

  it.each([-1, 0.5, 5, Number.NaN])('there is none for place %d of 5', (index) => {
    expect(() => inclusionProof(first(5), index)).toThrow(`no leaf ${index}`);
    for (const proof of [[], inclusionProof(first(5), 0), inclusionProof(first(5), 4)])
      expect(isIncluded({ leaf: stranger, index, size: 5, root: rootOfFirst(5), proof })).toBe(false);
  });

  it('holds for nothing that has no place, be it the root itself', () => {
    for (const index of [-1, 0.5, 1])
      expect(isIncluded({ leaf: stranger, index, size: 1, root: stranger, proof: [] })).toBe(false);
    expect(isIncluded({ leaf: stranger, index: 0, size: 0, root: stranger, proof: [] })).toBe(false);
  });
});

describe('a proof that a tree begins another', () => {
  it.each(sizes)('of %i holds for each smaller one alone', (size) => {
    const second = { size, root: rootOfFirst(size) };
    for (const small of sizes.slice(0, size)) {
      const claim = {
        first: { size: small, root: rootOfFirst(small) },
        second,
        proof: consistencyProof(first(size), small),
      };
      const { proof } = claim;
      expect(isConsistent(claim)).toBe(true);
      expect(isConsistent({ ...claim, first: { size: small, root: stranger } })).toBe(false);
      expect(isConsistent({ ...claim, second: { size, root: stranger } })).toBe(false);
      expect(isConsistent({ ...claim, proof: [...proof, stranger] })).toBe(false);
      expect(isConsistent({ ...claim, proof: [stranger, ...proof] })).toBe(false);
      for (const at of proof.keys()) {
        expect(isConsistent({ ...claim, proof: proof.with(at, stranger) })).toBe(false);
        expect(isConsistent({ ...claim, proof: proof.toSpliced(at, 1) })).toBe(false);
      }
      for (const wrong of sizes.slice(0, size).filter((one) => one !== small))
        expect(isConsistent({ ...claim, first: { size: wrong, root: rootOfFirst(small) } })).toBe(false);
    }
  });

  it('ends at the roots: none goes on above them', () => {
    for (const size of sizes)
      for (const small of sizes.slice(0, size - 1)) {
        const [one, other] = [small, size].map((of) => ({ size: of, root: parentHash(stranger, rootOfFirst(of)) }));
        const proof = [...consistencyProof(first(size), small), stranger];
        if (one && other) expect(isConsistent({ first: one, second: other, proof })).toBe(false);
      }
  });

  it('is empty for the tree itself', () => {
    for (const size of sizes) expect(consistencyProof(first(size), size)).toEqual([]);
  });

  it('leaves out what is known: the root of a tree that is full', () => {
    expect(consistencyProof(first(8), 4)).toEqual([merkleRoot(leaves.slice(4, 8))]);
    expect(consistencyProof(first(4), 3)).toEqual([leaves[2], leaves[3], rootOfFirst(2)]);
  });

  it.each([0, -1, 0.5, 6, Number.NaN])('there is none for %d of 5', (size) => {
    expect(() => consistencyProof(first(5), size)).toThrow(`no tree of ${size}`);
  });

  it('holds for no tree that is empty, or larger than the other', () => {
    const tree = { size: 3, root: stranger };
    expect(isConsistent({ first: { size: 0, root: stranger }, second: { size: 0, root: stranger }, proof: [] })).toBe(
      false,
    );
    expect(isConsistent({ first: { size: 0, root: stranger }, second: { size: 1, root: stranger }, proof: [] })).toBe(
      false,
    );
    expect(isConsistent({ first: { size: 4, root: stranger }, second: tree, proof: [] })).toBe(false);
    expect(isConsistent({ first: { size: 2, root: stranger }, second: { size: 1, root: stranger }, proof: [] })).toBe(
      false,
    );
    expect(isConsistent({ first: tree, second: tree, proof: [] })).toBe(true);
    expect(isConsistent({ first: tree, second: tree, proof: [stranger] })).toBe(false);
    expect(isConsistent({ first: { size: 3, root: stranger }, second: { size: 7, root: stranger }, proof: [] })).toBe(
      false,
    );
  });
});

describe('a tree', () => {
  it('is had from as many subtrees as its size has ones', () => {
    expect(treeOf(0, [])).toEqual({ from: 0, to: 0, nodes: [] });
    expect(treeOf(11, first(3)).nodes.map(({ level }) => level)).toEqual([3, 1, 0]);
    expect(treeOf(2 ** 52 + 1, first(2)).nodes.map(({ level }) => level)).toEqual([52, 0]);
    expect(treeOf(11, first(3)).nodes.map(({ hash }) => hash)).toEqual(first(3));
    expect(() => treeOf(11, first(2))).toThrow('a tree of 11 leaves has 3 subtrees');
    expect(() => treeOf(11, first(4))).toThrow(RangeError);
  });

  it('has no root for a part, and takes no subtree where none begins', () => {
    expect(() => rootOf(emptyRange(1))).toThrow('only a whole tree has a root');
    expect(rootOf(emptyRange())).toEqual(sha256(new Uint8Array()));
    for (const [to, level] of [
      [1, 1],
      [2, 2],
      [0, -1],
      [0, 0.5],
      [0, Number.NaN],
    ] as const)
      expect(() => appendNode(emptyRange(to), { level, hash: stranger })).toThrow(
        `no subtree of level ${level} begins at leaf ${to}`,
      );
    expect(appendNode(emptyRange(4), { level: 2, hash: stranger })).toEqual({
      from: 4,
      to: 8,
      nodes: [{ level: 2, hash: stranger }],
    });
  });

  it('keeps neighbours apart that are no subtree of one parent', () => {
    const three = [1, 2, 3].reduce(
      (range, at) => appendNode(range, { level: 0, hash: leaves[at] ?? stranger }),
      emptyRange(1),
    );
    expect(three.nodes.map(({ level }) => level)).toEqual([0, 1]);
    expect(three).toMatchObject({ from: 1, to: 4 });
  });
});

describe('the tree of the verifier', () => {
  it('grows by subtrees as by their leaves', () => {
    const byTwo = [0, 2, 4].reduce<ReturnType<typeof grown>>(
      (tree, at) => tree && grown(tree, 1, merkleRoot(leaves.slice(at, at + 2))),
      NO_LEAVES,
    );
    const odd = byTwo && grown(byTwo, 0, leaves[6] ?? stranger);
    expect(odd?.size).toBe(7);
    expect(odd && rootOfCounter(odd)).toEqual(rootOfFirst(7));
    expect(byTwo && rootOfCounter(byTwo)).toEqual(rootOfFirst(6));
  });

  it('takes no subtree where none begins, or past all counting', () => {
    const one = grown(NO_LEAVES, 0, stranger);
    expect(one && grown(one, 1, stranger)).toBeNull();
    expect(grown(NO_LEAVES, 52, stranger)?.size).toBe(2 ** 52);
    expect(grown(NO_LEAVES, 53, stranger)).toBeNull();
    const full = grown(NO_LEAVES, 52, stranger);
    expect(full && grown(full, 52, stranger)).toBeNull();
  });
});
