import { isMap, isNode, isScalar, isSeq } from 'yaml';
import type { OutlineProblem } from './outline.ts';

type NodeValue = { ok: true; value: unknown } | { ok: false; problem: OutlineProblem };

/**
 * The plain value of a parsed node. Refuses a map with a duplicate name, or with a list or map as a name. `watchOutline`
 * limits the nesting and thereby the recursion.
 */
export function valueOfNode(node: unknown): NodeValue {
  if (isScalar(node)) return { ok: true, value: node.value };
  if (isSeq(node)) {
    const values: unknown[] = [];
    for (const item of node.items) {
      const read = valueOfNode(item);
      if (!read.ok) return read;
      values.push(read.value);
    }
    return { ok: true, value: values };
  }
  if (!isMap(node)) return { ok: true, value: null };
  const fields = new Map<string, unknown>();
  for (const { key, value } of node.items) {
    const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
    const name = isScalar(key) ? nameOf(key.value) : null;
    if (name === null) return { ok: false, problem: { offset, sentence: 'A name must be text' } };
    if (fields.has(name)) return { ok: false, problem: { offset, sentence: 'Map keys must be unique' } };
    const read = valueOfNode(value);
    if (!read.ok) return read;
    fields.set(name, read.value);
  }
  // Fields aren't assigned one by one, because a field may be called __proto__.
  return { ok: true, value: Object.fromEntries(fields) };
}

/** The name of a field. YAML reads some names as numbers or booleans, and an empty name as null. */
function nameOf(key: unknown): string | null {
  if (typeof key === 'string') return key;
  if (typeof key === 'number' || typeof key === 'boolean') return String(key);
  return key === null ? '' : null;
}
