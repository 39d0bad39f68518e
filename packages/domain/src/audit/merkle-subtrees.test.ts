import { sha256 } from '@noble/hashes/sha2';
import { utf8ToBytes } from '@noble/hashes/utils';
import { describe, expect, it } from 'vitest';
import { appendNode, emptyRange, merkleRoot, rootOf, treeOf } from './merkle.ts';
import { appendSubtree, NO_LEAVES, rootOfCounter } from './verifier/tree.ts';

const leaves = Array.from({ length: 13 }, (_, n) => sha256(utf8ToBytes(`event ${n}`)));
const stranger = sha256(utf8ToBytes('stranger'));
const first = (count: number): Uint8Array[] => leaves.slice(0, count);
const rootOfFirst = (count: number): Uint8Array => merkleRoot(first(count));

describe('a tree', () => {
  it('consists of one subtree for each 1 bit of its size', () => {
    expect(treeOf(0, [])).toEqual({ from: 0, to: 0, nodes: [] });
    expect(treeOf(11, first(3)).nodes.map(({ level }) => level)).toEqual([3, 1, 0]);
    expect(treeOf(2 ** 52 + 1, first(2)).nodes.map(({ level }) => level)).toEqual([52, 0]);
    expect(treeOf(11, first(3)).nodes.map(({ hash }) => hash)).toEqual(first(3));
    expect(() => treeOf(11, first(2))).toThrow('a tree of 11 leaves has 3 subtrees');
    expect(() => treeOf(11, first(4))).toThrow(RangeError);
  });

  it('has a root only if it is complete, and accepts a subtree only where one can begin', () => {
    expect(() => rootOf(emptyRange(1))).toThrow('only a complete tree has a root');
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

  it('doesn’t merge neighbors that have different parents', () => {
    const three = [1, 2, 3].reduce(
      (range, at) => appendNode(range, { level: 0, hash: leaves[at] ?? stranger }),
      emptyRange(1),
    );
    expect(three.nodes.map(({ level }) => level)).toEqual([0, 1]);
    expect(three).toMatchObject({ from: 1, to: 4 });
  });
});

describe('the verifier’s tree', () => {
  it('has the same root whether it grows by subtrees or by their leaves', () => {
    const byTwo = [0, 2, 4].reduce<ReturnType<typeof appendSubtree>>(
      (tree, at) => tree && appendSubtree(tree, 1, merkleRoot(leaves.slice(at, at + 2))),
      NO_LEAVES,
    );
    const odd = byTwo && appendSubtree(byTwo, 0, leaves[6] ?? stranger);
    expect(odd?.size).toBe(7);
    expect(odd && rootOfCounter(odd)).toEqual(rootOfFirst(7));
    expect(byTwo && rootOfCounter(byTwo)).toEqual(rootOfFirst(6));
  });

  it('rejects a subtree where none can begin, or beyond the safe integers', () => {
    const one = appendSubtree(NO_LEAVES, 0, stranger);
    expect(one && appendSubtree(one, 1, stranger)).toBeNull();
    expect(appendSubtree(NO_LEAVES, 52, stranger)?.size).toBe(2 ** 52);
    expect(appendSubtree(NO_LEAVES, 53, stranger)).toBeNull();
    const full = appendSubtree(NO_LEAVES, 52, stranger);
    expect(full && appendSubtree(full, 52, stranger)).toBeNull();
  });
});
