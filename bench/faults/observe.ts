import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { call, must } from './call.ts';
import { JOBS_WORKFLOW, SERVER_STEPS, STEPS } from './player.ts';
import { nameOf } from './verdict.ts';

const CLI = fileURLToPath(new URL('../../apps/server/dist/cli-main.js', import.meta.url));
const AT_ONCE = 6;

type Run = {
  id: string;
  name: string;
  workflowKey: string;
  status: string;
  history: { stepId: string | null; action: string }[];
  steps: { id: string; output: unknown }[];
};
type Workflow = {
  key: string;
  metadata: { title: string };
  version: { number: number } | null;
  versions: { revision: number }[];
};

export type Reader = { url: string; token: string };

/**
 * Reads the runs and workflows from the API. Returns how often each change by people (`seen`) and each step completed
 * by the server (`byServer`) occurs, and the contradictions that it finds (`odd`).
 */
export async function look(
  reader: Reader,
): Promise<{ seen: Map<string, number>; byServer: Map<string, number>; odd: string[] }> {
  const seen = new Map<string, number>();
  const byServer = new Map<string, number>();
  const odd: string[] = [];
  const add = (name: string, times = 1, to = seen): void => void to.set(name, (to.get(name) ?? 0) + times);

  const runs = await all<Run>(reader, '/api/runs');
  for (const { name } of runs) add(nameOf('run', name));
  await eachOf(runs, async ({ id, name, workflowKey }) => {
    const run = await must<Run>({ method: 'GET', url: `${reader.url}/api/runs/${id}`, token: reader.token });
    const completed = run.history.filter(({ action, stepId }) => action === 'completed' && stepId !== null);
    const ofServer = workflowKey === JOBS_WORKFLOW ? SERVER_STEPS : [];
    for (const { stepId } of completed)
      add(nameOf('step', `${name}/${stepId}`), 1, ofServer.some((step) => step === stepId) ? byServer : seen);
    const wanted = workflowKey === JOBS_WORKFLOW ? [...STEPS.slice(0, 1), ...SERVER_STEPS] : STEPS;
    const isDone = wanted.every((step) => completed.some(({ stepId }) => stepId === step));
    const worked = run.steps.find(({ id: stepId }) => stepId === SERVER_STEPS[0])?.output;
    if (ofServer.length > 0 && isDone && !JSON.stringify(worked).includes(name))
      odd.push(`the script of ${name} returned ${JSON.stringify(worked)}`);
    if (isDone !== (run.status === 'completed')) odd.push(`${name} is ${run.status}, but its history differs`);
  });
  for (const { key, metadata, version, versions } of await all<Workflow>(reader, '/api/workflows')) {
    const saves = versions.reduce((sum, { revision }) => sum + revision - 1, 0);
    add(nameOf('draft', key), versions.length);
    add(nameOf('save', key), metadata.title === `Saved ${key}` || saves > 1 ? saves : 0);
    add(nameOf('merge', key), version?.number ?? 0);
  }
  for (const [name, times] of byServer) if (times > 1) odd.push(`the server completed ${name} ${times} times`);
  return { seen, byServer, odd };
}

/** Returns the entries of all pages of a list. */
export async function all<T>({ url, token }: Reader, path: string): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await call<T[]>({ method: 'GET', url: `${url}${path}?limit=200${query}`, token });
    if (page?.status !== 200) throw new Error(`${path} could not be listed: ${page?.status ?? 'no response'}`);
    found.push(...page.body);
    cursor = page.headers.get('x-next-cursor');
  }
  return found;
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/**
 * Returns the number of each action in the exported audit trail, and the result of `audit verify`: null if it is
 * intact.
 */
export async function readTrail(
  { url, token }: Reader,
  dataDir: string,
): Promise<{ actions: { action: string; count: number }[]; problem: string | null }> {
  const response = await fetch(`${url}/api/audit/export.ndjson`, { headers: { authorization: `Bearer ${token}` } });
  const bundle = await response.text();
  const file = join(dataDir, 'faults-trail.ndjson');
  writeFileSync(file, bundle);
  const counts = new Map<string, number>();
  for (const text of bundle.split('\n')) {
    const { action } = (text === '' ? {} : JSON.parse(text)) as { action?: string };
    if (action !== undefined) counts.set(action, (counts.get(action) ?? 0) + 1);
  }
  const key = join(dataDir, 'keys', 'audit-signing.pub');
  const options = existsSync(key) ? ['--key', key] : [];
  const verified = await promisify(execFile)(process.execPath, [CLI, 'audit', 'verify', file, ...options]).then(
    () => null,
    (error: Error & { stdout?: string }) => (error.stdout || error.message).slice(0, 400),
  );
  rmSync(file);
  const actions = [...counts].map(([action, count]) => ({ action, count }));
  return { actions, problem: verified };
}
