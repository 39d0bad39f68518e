import { problemWords, workflowFile } from '@stet/contract';
import type { LeftOut } from '@stet/domain/bpmn';

type Parsed = ReturnType<typeof workflowFile.safeParse>;

/** Removes unknown fields from a file's value, which is modified, and parses it. Returns the removed fields by name. */
export function withoutUnknownFields(value: unknown): { parsed: Parsed; leftOut: LeftOut[] } {
  // Maps each unknown field to the numbers of the steps that contain it, or to none if it belongs to the file itself.
  const places = new Map<string, number[]>();
  for (;;) {
    const parsed = workflowFile.safeParse(value, { error: problemWords });
    const unknown = (parsed.error?.issues ?? []).flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ path: issue.path, key })) : [],
    );
    if (unknown.length === 0) return { parsed, leftOut: listed([...places].toSorted(byFirstStep).map(leftOutOf)) };
    for (const { path, key } of unknown) {
      remove(value, path, key);
      const step = path[0] === 'steps' && typeof path[1] === 'number' ? [path[1] + 1] : [];
      const name = [...path.slice(step.length * 2).filter((part) => typeof part === 'string'), key].join('.');
      places.set(name, [...(places.get(name) ?? []), ...step]);
    }
  }
}

type Places = [name: string, steps: number[]];

const byFirstStep = ([, one]: Places, [, other]: Places): number => (one[0] ?? 0) - (other[0] ?? 0);

const MAX_LISTED = 100;

function listed(leftOut: LeftOut[]): LeftOut[] {
  const more = leftOut.length - MAX_LISTED;
  if (more <= 0) return leftOut;
  return [
    ...leftOut.slice(0, MAX_LISTED),
    { what: `${more} more ${more === 1 ? 'field' : 'fields'}`, name: '', reason: REASON },
  ];
}

const REASON = 'Stet has no such field';
const MAX_NAMED = 3;

function leftOutOf([name, steps]: Places): LeftOut {
  if (steps.length === 0) return { what: 'field in the file', name, reason: REASON };
  const unique = [...new Set(steps)];
  const named = unique.slice(0, MAX_NAMED).join(', ');
  if (unique.length > MAX_NAMED)
    return { what: `field in steps ${named} and ${unique.length - MAX_NAMED} more`, name, reason: REASON };
  return { what: unique.length === 1 ? `field in step ${named}` : `field in steps ${named}`, name, reason: REASON };
}

function remove(value: unknown, path: readonly PropertyKey[], key: string): void {
  let inner = value;
  for (const part of path) inner = (inner as Record<PropertyKey, unknown>)[part];
  Reflect.deleteProperty(inner as object, key);
}
