/** Maximum nesting depth. Deeper values and cycles are refused. */
export const MAX_CANONICAL_DEPTH = 100;

/** Thrown for a value without a canonical form: a bug, not a user error. */
export class NotCanonical extends TypeError {
  override readonly name = 'NotCanonical';
}

// Built once. The bundler replaces a literal inside the function with an object that is built at each call.
const LONE_SURROGATE = /\p{Surrogate}/u;
/** Printable ASCII without quotes and backslashes, which is most text. JSON writes it unchanged between quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * True if the text has no lone surrogate, so that it can be encoded in UTF-8 and its hash is meaningful. Check external
 * texts with this before hashing them.
 */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/**
 * Returns the canonical JSON text of a value as defined in RFC 8785: without white space, with keys sorted by their
 * UTF-16 code units, and with numbers and escapes as `JSON.stringify` writes them. Values that are equal as JSON have
 * the same text.
 *
 * A property that is `undefined` is omitted; nothing else is normalized. Refused with `NotCanonical`: `undefined`
 * elsewhere, NaN and infinities, bigints, functions, symbols, objects that are neither plain nor arrays, lone
 * surrogates in texts and keys, nesting deeper than `MAX_CANONICAL_DEPTH`.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

/**
 * True if two JSON values have the same canonical text; doesn't compute the text. A property that is `undefined` counts
 * as absent.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = definedKeys(a);
  return (
    keys.length === definedKeys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

function definedKeys(object: Record<string, unknown>): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

function write(value: unknown, depth: number): string {
  if (depth > MAX_CANONICAL_DEPTH) throw new NotCanonical('nested too deeply, or a cycle');
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotCanonical(`${value} has no JSON form`);
    return String(value);
  }
  if (Array.isArray(value)) return `[${Array.from(value, (item) => write(item, depth + 1)).join(',')}]`;
  if (isPlainObject(value)) return writeObject(value, depth);
  throw new NotCanonical(`a ${typeof value} has no JSON form here`);
}

function writeText(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!isWellFormed(text)) throw new NotCanonical('a text contains a lone surrogate');
  return JSON.stringify(text);
}

function writeObject(object: Record<string, unknown>, depth: number): string {
  let members = '';
  // `sort` orders by UTF-16 code units by default, as the RFC requires.
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) members += `${members === '' ? '' : ','}${writeText(key)}:${write(member, depth + 1)}`;
  }
  return `{${members}}`;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
