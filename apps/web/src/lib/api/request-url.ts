type Value = string | number | boolean | null | undefined;

const isValue = (value: unknown): value is Value =>
  value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value);

function text(value: unknown, name: string): string {
  if (!isValue(value)) throw new TypeError(`"${name}" can't be written in an address`);
  return String(value);
}

/**
 * Fills in each `{name}` in a path and appends the query. Absent and empty query values are omitted. Throws if `params`
 * lacks a name, or if a value is an object or list.
 */
export function requestUrl(path: string, params: object = {}, query: object = {}): string {
  const given = new Map<string, unknown>(Object.entries(params));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (!given.has(name)) throw new TypeError(`"${name}" is missing for ${path}`);
    return encodeURIComponent(text(given.get(name), name));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, text(value, name));
  }
  const tail = search.toString();
  return tail === '' ? filled : `${filled}?${tail}`;
}
