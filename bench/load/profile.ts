import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The part of a `node --cpu-prof` profile that we use. Times are in microseconds of the monotonic clock. */
export type Profile = {
  nodes: readonly { id: number; callFrame: { functionName: string; url: string }; children?: readonly number[] }[];
  startTime: number;
  samples: readonly number[];
  timeDeltas: readonly number[];
};

/** A span of `process.hrtime()` in microseconds, the clock of the profiles. */
export type Span = { from: number; to: number };
export const monotonic = (): number => Number(process.hrtime.bigint() / 1000n);

const GARBAGE = 'garbage collection';
const RUNTIME = 'Node.js: sockets, streams, HTTP';
const OWN = "Stet's own code";
const OTHERS = 'other libraries';
const LIBRARIES: readonly [RegExp, string][] = [
  [/^pg/, 'the PostgreSQL client'],
  [/^graphile-worker$/, 'the job queue'],
  [/^zod$|^fastify-type-provider-zod$/, 'validation of input and output'],
  [
    /^fastify$|^@fastify\/|^find-my-way$|^avvio$|^reusify$|^fast-|^pino$|^thread-stream$|^light-my-request$/,
    'the HTTP framework',
  ],
];

/** Returns the profile with the most work in a directory, which is the one of the process's main thread. */
export function readProfile(folder: string): Profile {
  const all = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile);
  const most = all.toSorted((a, b) => busy(b) - busy(a))[0];
  if (!most) throw new Error(`No profile was written to ${folder}`);
  return most;
}

const busy = (profile: Profile): number => [...timeByPart(profile).values()].reduce((sum, time) => sum + time, 0);

/**
 * Returns the microseconds that each part of the server used on its main thread within a span, excluding idle time. The
 * largest comes first.
 */
export function timeByPart(profile: Profile, within: Span = { from: 0, to: Infinity }): Map<string, number> {
  const parts = partOfNodes(profile);
  const times = new Map<string, number>();
  let at = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    at += profile.timeDeltas[index] ?? 0;
    const part = parts.get(id) ?? null;
    // A sample counts for the time until the next one.
    if (part !== null && at >= within.from && at < within.to)
      times.set(part, (times.get(part) ?? 0) + (profile.timeDeltas[index + 1] ?? 0));
  }
  return new Map([...times].toSorted(([, a], [, b]) => b - a));
}

/** Returns the part of each node; null for idle ones. Native functions belong to the parts of their callers. */
function partOfNodes({ nodes }: Profile): Map<number, string | null> {
  const parts = new Map<number, string | null>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const walk = (id: number, callers: string): void => {
    const node = byId.get(id);
    if (!node) return;
    const { functionName, url } = node.callFrame;
    const own = partOf(functionName, url, callers);
    parts.set(id, own);
    for (const child of node.children ?? []) walk(child, own ?? callers);
  };
  const called = new Set(nodes.flatMap(({ children }) => children ?? []));
  for (const { id } of nodes) if (!called.has(id)) walk(id, RUNTIME);
  return parts;
}

function partOf(functionName: string, url: string, callers: string): string | null {
  if (functionName === '(idle)') return null;
  if (functionName === '(garbage collector)') return GARBAGE;
  if (url.startsWith('node:')) return RUNTIME;
  const library = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (library !== undefined) return LIBRARIES.find(([names]) => names.test(library))?.[1] ?? OTHERS;
  return url.startsWith('file:') ? OWN : callers;
}
