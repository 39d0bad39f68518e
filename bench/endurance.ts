// node --import tsx bench/endurance.ts [--minutes 15] [--rate 20] [--streams 50]
// Sends requests at a fixed rate while people have event streams open, and prints the server's memory, descriptors and
// connections every half minute, and the growth of each table. Exits with 1 if a request fails, or if after the first
// five minutes (or the first third, if that is shorter) the server's memory grows by more than 5 %, or its descriptors
// or connections by more than 10 %.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { callerOf } from './caller.ts';
import { busyWords, quantile } from './figures.ts';
import { freePort } from './free-port.ts';
import { embeddedPostgres, openSql } from './load/database.ts';
import { listenTo } from './load/listener.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    rate: { type: 'string', default: '20' },
    streams: { type: 'string', default: '50' },
  },
});
const [minutes, rate, streams] = [Number(values.minutes), Number(values.rate), Number(values.streams)];
const WARM_MINUTES = Math.min(5, minutes / 3);
const SAMPLE_MS = 30_000;
const MAX_GROWTH = 1.05;
const PASSWORD = 'a long enough one';
const STEPS = ['one', 'two', 'three', 'four', 'five'];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

type Sample = { minute: number; rss: number; descriptors: number; connections: number };
type Call = ReturnType<typeof callerOf>;

say(busyWords());
const folder = mkdtempSync(join(tmpdir(), 'stet-endurance-'));
const server = new ServerProcess(await freePort(), join(folder, 'data'), {});
let failures = 0;
try {
  await server.start();
  const { host, port } = embeddedPostgres(server.dataDir);
  const sql = await openSql({ host, port, user: 'postgres', database: 'stet' });
  const calls = await makePeople(sql);
  await load(calls, sql);
  await sql.end();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;

/** Creates a team in which everyone has an event stream open. Returns a function per person that calls the server. */
async function makePeople(sql: pg.Client): Promise<Call[]> {
  const anyone = callerOf(server.url);
  const signUp = (n: number) =>
    anyone<{ token: string; user: { id: string; currentOrgId: string } }>('POST', '/api/auth/signup', {
      email: `person-${n}@bench.example`,
      name: `Person ${n}`,
      password: PASSWORD,
      ...(n === 0 && { accountType: 'organization', organizationName: 'Endurance', organizationSlug: 'endurance' }),
    });
  const people = [];
  for (let n = 0; n < streams; n += 1) people.push(await signUp(n));
  await sql.query(`update users set proved_by = 'mailbox', proved_at = now()`);
  const orgId = people[0]?.user.currentOrgId ?? '';
  const others = people.slice(1).map(({ user }) => user.id);
  await sql.query(`insert into memberships (org_id, user_id, role) select $1, unnest($2::uuid[]), 'editor'`, [
    orgId,
    others,
  ]);
  await sql.query('update users set current_org_id = $1', [orgId]);
  const calls = people.map(({ token }) => callerOf(server.url, token));
  const [owner] = calls;
  if (!owner) throw new Error('nobody works');
  const steps = STEPS.map((id, at) => ({
    id,
    title: `Step ${id}`,
    assignee: 'editor',
    sla: '4h',
    next: STEPS.slice(at + 1, at + 2),
  }));
  const drafts = '/api/workflows/work/drafts';
  const { draftId } = await owner<{ draftId: string }>('POST', drafts, { metadata: { title: 'Work' }, steps });
  await owner('POST', `${drafts}/${draftId}/approve`);
  await owner('POST', `${drafts}/${draftId}/merge`);
  for (const { token } of people) await listenTo(server.url, token);
  return calls;
}

async function load(calls: readonly Call[], sql: pg.Client): Promise<void> {
  const began = performance.now();
  const minute = (): number => (performance.now() - began) / 60_000;
  const taken: number[] = [];
  const problems: string[] = [];
  const samples: Sample[] = [];
  let tables: Map<string, number> | null = null;
  let sending = 0;
  const work = openWork(calls);
  const sampling = (async () => {
    while (minute() < minutes) {
      await sleep(SAMPLE_MS);
      const sample = { minute: minute(), ...(await measured(sql)) };
      samples.push(sample);
      say(
        `${sample.minute.toFixed(1).padStart(5)} min  ${sample.rss.toFixed(0)} MiB  ${sample.descriptors} descriptors  ${sample.connections} connections  ${taken.length} requests  ${problems.length} failed`,
      );
      if (tables === null && sample.minute >= WARM_MINUTES) tables = await rowsOf(sql);
    }
  })();
  for (let n = 0; minute() < minutes; n += 1) {
    const due = began + (n * 1000) / rate;
    await sleep(Math.max(0, due - performance.now()));
    sending += 1;
    const from = performance.now();
    void work(n)
      .then(() => taken.push(performance.now() - from))
      .catch((error: Error) => problems.push(error.message))
      .finally(() => (sending -= 1));
  }
  await sampling;
  while (sending > 0) await sleep(50);
  report({ samples, taken, problems });
  await sleep(5000);
  reportTables(tables ?? new Map<string, number>(), await rowsOf(sql));
}

/** Returns a function that sends the next request. Half of them read, the others start runs or complete steps. */
function openWork(calls: readonly Call[]): (n: number) => Promise<unknown> {
  let current: { id: string; done: number } | null = null;
  let last = '/api/runs';
  return async (n) => {
    const call = calls[n % calls.length];
    if (!call) return;
    if (n % 2 === 1) {
      const reads = ['/api/runs', '/api/tasks', '/api/auth/me', '/api/notifications', '/api/workflows', last];
      const path = reads[Math.floor(n / 2) % reads.length] ?? '';
      return call('GET', path);
    }
    const run = current;
    current = null;
    if (!run) {
      const { id } = await call<{ id: string }>('POST', '/api/runs', { key: 'work', name: `Work ${n}` });
      last = `/api/runs/${id}`;
      current = { id, done: 0 };
      return;
    }
    await call('POST', `/api/runs/${run.id}/steps/${STEPS[run.done] ?? ''}/complete`, { output: { text: 'Done.' } });
    if (run.done + 1 < STEPS.length) current = { id: run.id, done: run.done + 1 };
  };
}

async function measured(sql: pg.Client): Promise<Omit<Sample, 'minute'>> {
  const pid = server.pid ?? 0;
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  const { rows } = await sql.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database()`,
  );
  return { rss, descriptors: readdirSync(`/proc/${pid}/fd`).length, connections: rows[0]?.n ?? 0 };
}

async function rowsOf(sql: pg.Client): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) order by 1`,
  );
  const counts = new Map<string, number>();
  for (const { name } of rows) {
    const found = await sql.query<{ n: number }>(`select count(*)::int as n from ${name}`);
    counts.set(name, found.rows[0]?.n ?? 0);
  }
  return counts;
}

function report({ samples, taken, problems }: { samples: Sample[]; taken: number[]; problems: string[] }): void {
  const later = samples.filter(({ minute }) => minute >= WARM_MINUTES);
  const average = (of: Sample[]): number => of.reduce((sum, { rss }) => sum + rss, 0) / of.length;
  // Garbage collection makes single samples vary, so three are averaged.
  const [first, end] = [average(later.slice(0, 3)), average(later.slice(-3))];
  const most = (of: Sample[], what: 'descriptors' | 'connections'): number =>
    Math.max(...of.map((sample) => sample[what]));
  const half = Math.ceil(later.length / 2);
  say(
    `${taken.length} requests, ${problems.length} failed; p50 ${quantile(taken, 0.5).toFixed(1)} ms, p99 ${quantile(taken, 0.99).toFixed(1)} ms`,
  );
  for (const problem of new Set(problems)) say(`  ${problem}`);
  say(
    `memory after ${WARM_MINUTES} minutes ${first.toFixed(0)} MiB, at the end ${end.toFixed(0)} MiB: ${((end / first - 1) * 100).toFixed(1)} %`,
  );
  if (problems.length > 0 || end / first > MAX_GROWTH) failures += 1;
  for (const what of ['descriptors', 'connections'] as const) {
    const [early, late] = [most(later.slice(0, half), what), most(later.slice(half), what)];
    say(`${what}: at most ${early}, later at most ${late}`);
    if (late > early * 1.1) failures += 1;
  }
}

function reportTables(before: Map<string, number>, after: Map<string, number>): void {
  say(`rows after ${WARM_MINUTES} minutes and at the end, of tables that grew:`);
  for (const [name, rows] of after) {
    const early = before.get(name) ?? 0;
    if (rows > early) say(`  ${name}: ${early} → ${rows}`);
  }
}
