// node --import tsx bench/audit-pdf.ts [--runs 10000] [--port 3993]
// Measures an audit PDF of `--runs` runs: time, size, time to the first byte, and the server's peak memory. Each run
// has ten events.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, port: { type: 'string', default: '3993' } },
});
const RUNS = Number(values.runs);
const EVENTS = 10;

const dataDir = mkdtempSync(join(tmpdir(), 'stet-audit-pdf-'));
const server = new ServerProcess(Number(values.port), dataDir);
try {
  await server.start();
  const { token, orgId } = await found();
  await fill(orgId);
  // The first document also loads fonts and code, so an empty one comes first.
  await measure(token, `?to=2001-01-01T00:00:00Z`);
  say(`before: ${memory()}`);
  await measure(token, '');
  say(`after: ${memory()}`);
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function call<T>(path: string, token: string, body?: unknown): Promise<T> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

/** Creates a person with a live workflow and one run. All other runs are copies of it. */
async function found(): Promise<{ token: string; orgId: string }> {
  const { token, user } = await call<{ token: string; user: { currentOrgId: string } }>('/api/auth/signup', '', {
    email: 'audit@bench.example',
    name: 'Audit',
    password: 'a long enough one',
  });
  const steps = ['one', 'two', 'three', 'four', 'five'].map((id, n, all) => ({
    id,
    title: `Step ${id}`,
    assignee: 'owner',
    sla: '4h',
    next: all.slice(n + 1, n + 2),
  }));
  const { draftId } = await call<{ draftId: string }>('/api/workflows/flow/drafts', token, {
    metadata: { title: 'Vendor onboarding' },
    steps,
  });
  await call(`/api/workflows/flow/drafts/${draftId}/approve`, token);
  await call(`/api/workflows/flow/drafts/${draftId}/merge`, token);
  const { id } = await call<{ id: string }>('/api/runs', token, { key: 'flow', name: 'The first of all' });
  await call(`/api/runs/${id}/complete`, token, { stepId: 'one', output: { text: 'All statements are in' } });
  return { token, orgId: user.currentOrgId };
}

/** Copies the run with SQL. The hash chain doesn't include the copies, so the document says that it isn't sealed. */
async function fill(orgId: string): Promise<void> {
  const [, , , port, host] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  const sql = new pg.Client({ host: host ?? '', port: Number(port), user: 'postgres', database: 'stet' });
  await sql.connect();
  await sql.query('set session_replication_role = replica');
  const columns = await sql.query<{ names: string; made: string }>(
    `select string_agg(quote_ident(attname), ', ') as names, string_agg('made.' || quote_ident(attname), ', ') as made
     from pg_attribute where attrelid = 'runs'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  const { names, made } = columns.rows[0] ?? { names: '', made: '' };
  await sql.query(
    `insert into runs (${names}) select ${made} from (select * from runs where org_id = $1 limit 1) t cross join generate_series(2, $2::int) n
     cross join lateral jsonb_populate_record(null::runs, to_jsonb(t) || jsonb_build_object(
       'id', gen_random_uuid(), 'name', 'Vendor ' || n, 'created_at', t.created_at + n * interval '1 second')) made`,
    [orgId, RUNS],
  );
  await sql.query(
    `insert into audit_events select made.*
     from (select * from audit_events where org_id = $1 and action = 'step.completed' limit 1) e
     cross join (select id, row_number() over (order by created_at) as n from runs where org_id = $1) r
     cross join generate_series(1, $2::int) k
     cross join lateral jsonb_populate_record(null::audit_events, to_jsonb(e) || jsonb_build_object(
       'seq', 1000 + r.n * $2 + k, 'run_id', r.id)) made`,
    [orgId, EVENTS],
  );
  await sql.query(
    'update audit_heads set seq = (select max(seq) from audit_events where org_id = $1) where org_id = $1',
    [orgId],
  );
  await sql.query('analyze');
  await sql.end();
}

async function measure(token: string, query: string): Promise<void> {
  const began = performance.now();
  const response = await fetch(`${server.url}/api/audit/export.pdf${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  let bytes = 0;
  let first = 0;
  for await (const chunk of response.body ?? []) {
    first ||= performance.now() - began;
    bytes += (chunk as Uint8Array).length;
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(
    `${response.status}${query}: ${seconds} s, first byte after ${(first / 1000).toFixed(1)} s, ${(bytes / 1e6).toFixed(1)} MB`,
  );
}

/** Returns the server's current and peak memory, as reported by the system. */
function memory(): string {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const of = (name: string): string =>
    `${Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)} MB`;
  return `${of('VmRSS')} now, ${of('VmHWM')} at peak`;
}
