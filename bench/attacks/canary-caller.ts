import { type Call, callerOf } from '../caller.ts';
import { lineOf } from './canaries.ts';
import { TEXT_FIELDS, type TextField, routeOf } from './canary-fields.ts';

/** A placeholder in a body that is replaced by the canary of its field, with text before and after it. */
class Canary {
  constructor(
    readonly before: string,
    readonly after: string,
    /** The longest canary that the field accepts, if its schema doesn't say it. */
    readonly most?: number,
  ) {}
}
export const CANARY = new Canary('', '');
export const canaryAnd = (after: string): Canary => new Canary('', after);
export const canaryAfter = (before: string): Canary => new Canary(before, '');

export const canaryUpTo = (most: number): Canary => new Canary('', '', most);

/** Names of the fields whose canaries the server accepted. */
export type Planted = Set<string>;

/** Like `callerOf`, but replaces each `CANARY` with the canary of its field. */
export const planterOf =
  (planted: Planted, url: string, token = ''): Call =>
  async (method, path, body) => {
    const names: string[] = [];
    const written = body === undefined ? undefined : write(body, routeOf(method, path), '', names);
    const answer = await callerOf(url, token)<never>(method, path, written);
    for (const name of names) planted.add(name);
    return answer;
  };

/** Sends a workflow file that contains the route's canary. */
export async function plantFile(
  planted: Planted,
  { url, token, path, type }: { url: string; token: string; path: string; type: string },
  fileOf: (canary: string) => string,
): Promise<void> {
  const field = fieldAt(routeOf('POST', path), '');
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: fileOf(lineOf(field.word)),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  planted.add(field.name);
}

function write(value: unknown, route: string, place: string, names: string[]): unknown {
  if (value instanceof Canary) {
    const field = fieldAt(route, place);
    names.push(field.name);
    if (!field.write) throw new Error(`${field.name} accepts no canary`);
    return value.before + field.write(value.before.length + value.after.length).slice(0, value.most) + value.after;
  }
  if (Array.isArray(value)) return value.map((item) => write(item, route, `${place}[]`, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, write(inner, route, `${place}.${name}`, names)]),
  );
}

/** Returns the field at a place in the body, or the one that stands for all property names there. */
function fieldAt(route: string, place: string): TextField {
  const any = place.replace(/\.[^.[]+$/, '.*');
  const field = TEXT_FIELDS.get(`${route} ${place}`.trim()) ?? TEXT_FIELDS.get(`${route} ${any}`);
  if (!field) throw new Error(`${route} has no text at ${place}`);
  return field;
}
