// Measures other people's requests while malicious scripts run continuously, and checks that memory is freed.
// Usage: tsx bench/hostile-scripts.ts [--seconds 15] [--attackers 4] [--clients 4].
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Call, callerOf } from './caller.ts';
import { quantile } from './figures.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    attackers: { type: 'string', default: '4' },
    clients: { type: 'string', default: '4' },
  },
});
const seconds = Number(values.seconds);

/** Each is the script of an automated step, or a condition. All of them must fail without other effects. */
const HOSTILE: readonly { name: string; script?: string; condition?: string }[] = [
  { name: 'endless loop', script: 'for (;;) {}' },
  { name: 'endless loop that catches', script: 'for (;;) { try { for (;;) {} } catch {} }' },
  { name: 'backtracking pattern', script: 'return /^(a+)+$/.test("a".repeat(60) + "b")' },
  { name: 'memory by texts', script: 'const all = []; for (;;) all.push("x".repeat(100000) + all.length)' },
  { name: 'memory by objects', script: 'const all = []; for (;;) all.push({ n: all.length })' },
  { name: 'large buffer', script: 'return new Uint8Array(2e9).length' },
  { name: 'deep recursion', script: 'const f = () => f() + 1; return f()' },
  { name: 'deep value', script: 'let a = []; for (let n = 0; n < 100000; n++) a = [a]; return a' },
  { name: 'huge output', script: 'return "x".repeat(1e7)' },
  { name: 'prototype tricks', script: 'Object.prototype.then = null; Array.prototype[0] = 1; throw Object.prototype' },
  { name: 'host probing', script: 'return globalThis.constructor.constructor("return process.env")()' },
  { name: 'host import', script: 'return import("node:fs")' },
  { name: 'endless expression', condition: 'some i in 1..1000000000000 satisfies i < 0' },
  { name: 'memory by expression', condition: 'count(for i in 1..1000000000000 return i) > 1' },
];

/**
 * Another person's run or trial must take less time than this. In the same time, three endless scripts with timeouts of
 * three seconds would end, one after another.
 */
const HOSTILE_MS = 9000;

const dataDir = mkdtempSync(join(tmpdir(), 'stet-hostile-'));
const server = new ServerProcess(3600 + (process.pid % 90), dataDir);

async function signUp(email: string): Promise<Call> {
  const person = { email, name: email, password: 'hostile-1' };
  const { token } = await callerOf(server.url)<{ token: string }>('POST', '/api/auth/signup', person);
  return callerOf(server.url, token);
}

async function publish(call: Call, key: string, steps: object[]): Promise<void> {
  const { draftId } = await call<{ draftId: string }>('POST', `/api/workflows/${key}/drafts`, {
    metadata: { title: key },
    steps,
  });
  await call('POST', `/api/workflows/${key}/drafts/${draftId}/merge`);
}

/**
 * Returns the durations of an ordinary person's requests, in milliseconds: starting a run, reading it and the list,
 * completing its step.
 */
async function measure(call: Call, clients: number): Promise<number[]> {
  const took: number[] = [];
  const until = performance.now() + seconds * 1000;
  const timed = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const began = performance.now();
    const answer = await call<T>(method, path, body);
    took.push(performance.now() - began);
    return answer;
  };
  const work = async (): Promise<void> => {
    while (performance.now() < until) {
      const { id } = await timed<{ id: string }>('POST', '/api/runs', { key: 'ordinary', name: 'An ordinary run' });
      await timed('GET', `/api/runs/${id}`);
      await timed('GET', '/api/runs?limit=50');
      await timed('POST', `/api/runs/${id}/complete`, { stepId: 'one', output: { text: 'done' } });
      await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  return took;
}

/**
 * Returns the durations of an ordinary person's runs with scripts and a condition, and of their trials of a script, in
 * milliseconds. They are measured one after another.
 */
async function measureWork(call: Call): Promise<{ runs: number[]; trials: number[] }> {
  const runs: number[] = [];
  const trials: number[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const began = performance.now();
    const { id } = await call<{ id: string }>('POST', '/api/runs', { key: 'decides', name: 'A run that decides' });
    while ((await call<{ status: string }>('GET', `/api/runs/${id}`)).status === 'running') await sleep(20);
    runs.push(performance.now() - began);
    const asked = performance.now();
    await call('POST', '/api/workflows/script-trial', { script: 'return 1' });
    trials.push(performance.now() - asked);
  }
  return { runs, trials };
}

/** Returns the resident memory of the server and its script processes in megabytes, and how many such processes run. */
function memoryMb(): { all: number; sandboxes: number } {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const sandboxes = lines.filter(
    (line) => line.includes('sandbox-process') && Number(line.trim().split(/\s+/)[1]) === server.pid,
  );
  const pids = [server.pid, ...sandboxes.map((line) => Number(line.trim().split(/\s+/)[0]))];
  const all = pids.reduce<number>((sum, pid) => sum + residentMb(pid), 0);
  return { all, sandboxes: sandboxes.length };
}

function residentMb(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

let failed = false;
const must = (holds: boolean, what: string): void => {
  if (holds) return;
  failed = true;
  console.log(`✗ ${what}`);
};

try {
  await server.start();
  const ordinary = await signUp('ordinary@example.com');
  const attacker = await signUp('attacker@example.com');
  await publish(ordinary, 'ordinary', [{ id: 'one', title: 'One' }]);
  await publish(ordinary, 'decides', [
    { id: 'count', title: 'Count', type: 'automated', config: { script: 'return 3' }, next: ['decide'] },
    {
      id: 'decide',
      title: 'Decide',
      type: 'condition',
      config: { condition: 'count > 2', trueNext: 'end' },
      next: ['end'],
    },
    { id: 'end', title: 'End', type: 'automated', config: { script: 'return 1' }, next: [] },
  ]);
  for (const [n, { name, script, condition }] of HOSTILE.entries()) {
    const step =
      script === undefined
        ? { type: 'condition', config: { condition, trueNext: 'end' }, next: ['end'] }
        : { type: 'automated', config: { script, timeout: 3 } };
    await publish(attacker, `hostile-${n}`, [
      { id: 'one', title: name, ...step },
      { id: 'end', title: 'End', next: [] },
    ]);
  }

  await measure(ordinary, 1);
  const before = memoryMb();
  const idle = await measure(ordinary, Number(values.clients));
  const idleWork = await measureWork(ordinary);

  const started: { id: string; name: string }[] = [];
  let isOver = false;
  let peak = 0;
  const attack = async (from: number): Promise<void> => {
    for (let n = from; !isOver; n = (n + 1) % HOSTILE.length) {
      const { id } = await attacker<{ id: string }>('POST', '/api/runs', {
        key: `hostile-${n}`,
        name: 'A hostile run',
      });
      started.push({ id, name: HOSTILE[n]?.name ?? '' });
      peak = Math.max(peak, memoryMb().all);
      // Each attacker waits until its run has ended, because scripts that only wait in the queue do no harm.
      while (!isOver && (await attacker<{ status: string }>('GET', `/api/runs/${id}`)).status === 'running')
        await sleep(200);
    }
  };
  const attacks = Array.from({ length: Number(values.attackers) }, (_, n) =>
    attack(Math.floor((n * HOSTILE.length) / Number(values.attackers))),
  );
  await sleep(1000);
  const under = await measure(ordinary, Number(values.clients));
  const underWork = await measureWork(ordinary);
  isOver = true;
  await Promise.all(attacks);

  // Runs the scripts that haven't had their turn yet.
  for (const [n, { name }] of HOSTILE.entries()) {
    if (started.some((run) => run.name === name)) continue;
    const { id } = await attacker<{ id: string }>('POST', '/api/runs', { key: `hostile-${n}`, name: 'A hostile run' });
    started.push({ id, name });
  }
  const reasons = new Map<string, string>();
  for (const { id, name } of started) {
    let run = await attacker<{ status: string; failure: { reason: string } | null }>('GET', `/api/runs/${id}`);
    for (let n = 0; n < 200 && run.status === 'running'; n++) {
      await sleep(200);
      run = await attacker('GET', `/api/runs/${id}`);
    }
    must(run.status === 'failed' && Boolean(run.failure?.reason), `${name} is ${run.status}`);
    reasons.set(name, run.failure?.reason ?? run.status);
  }
  for (const [name, reason] of reasons) console.log(`${name.padEnd(28)} ${reason.slice(0, 90)}`);

  for (let n = 0; n < 60 && memoryMb().sandboxes > 0; n++) await sleep(1000);
  const after = memoryMb();
  const figures = (took: number[]): string =>
    `${took.length} requests, p50 ${quantile(took, 0.5).toFixed(0)} ms, p99 ${quantile(took, 0.99).toFixed(0)} ms`;
  console.log(`idle:          ${figures(idle)}`);
  console.log(`under attack:  ${figures(under)} (${started.length} hostile runs)`);
  console.log(
    `memory:        ${before.all.toFixed(0)} MB before, ${peak.toFixed(0)} MB at peak, ${after.all.toFixed(0)} MB after`,
  );
  const most = (took: number[]): string =>
    `${took.length}, p50 ${quantile(took, 0.5).toFixed(0)} ms, at most ${Math.max(...took).toFixed(0)} ms`;
  console.log(`script and condition of a run: idle ${most(idleWork.runs)}; under attack ${most(underWork.runs)}`);
  console.log(`trial: idle ${most(idleWork.trials)}; under attack ${most(underWork.trials)}`);
  // No organization gets all slots, so an ordinary one never has to wait until a hostile one's scripts time out.
  must(Math.max(...underWork.runs) < HOSTILE_MS, 'scripts and conditions of others get their turn');
  must(Math.max(...underWork.trials) < HOSTILE_MS, 'trials of others get their turn');
  must(quantile(under, 0.99) < 2 * quantile(idle, 0.99) + 50, 'the p99 stays below twice its idle value plus 50 ms');
  must(after.sandboxes === 0, 'processes without work end');
  must(after.all < before.all * 1.5 + 60, 'memory is freed');
} finally {
  if ((await server.stop()) !== 0) failed = true;
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(failed ? '1 failed' : 'passed');
process.exitCode = failed ? 1 : 0;
