// node --import tsx bench/insights.ts [--runs 1000000] [--times 200] [--port 3995]
// Measures insights in an organization whose runs are all of one workflow, over a year and with very different durations:
// how long `stet insights rebuild` takes, and how long the figures take to read, compared with an organization of 1 000
// runs. Exits with 1 if the 95th percentile is above 300 ms or at least twice that of the small organization, or if a
// rebuild would take more than ten minutes for a million runs.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type pg from 'pg';
import { busyWords, quantile } from './figures.ts';
import { drained, embeddedPostgres, openSql } from './load/database.ts';
import { fill } from './reads/fill.ts';
import { type Organization, found } from './reads/organization.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '200' },
    port: { type: 'string', default: '3995' },
  },
});
const SIZES = [1000, Number(values.runs)] as const;
const TIMES = Number(values.times);
const [MOST_MS, MOST_RATIO, MOST_SECONDS] = [300, 2, 600];
const KEY = 'flow-7';
const CLI = fileURLToPath(new URL('../apps/server/dist/cli-main.js', import.meta.url));

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const READS = {
  'figures, half a year': `/api/workflows/${KEY}/insights`,
  'figures, a year': `/api/workflows/${KEY}/insights?from=${day(364)}`,
  'figures, one version': `/api/workflows/${KEY}/insights?from=${day(364)}&version=1`,
  deviations: `/api/workflows/${KEY}/conformance?from=${day(364)}`,
  overview: `/api/insights/overview?from=${day(364)}`,
};

/**
 * Moves all runs to one workflow, and gives each a start within the last year and steps of equal length, from a minute to
 * three days, so that few runs take equally long.
 */
async function spread(sql: pg.Client, { orgId }: Organization): Promise<void> {
  await sql.query('set session_replication_role = replica');
  await sql.query(
    `update runs r set workflow_key = w.key, workflow_id = w.id, version_id = w.live_version_id, version = 1
     from workflows w where w.org_id = $1 and w.key = $2 and r.org_id = $1`,
    [orgId, KEY],
  );
  const share = (salt: string): string =>
    `(('x' || substr(md5(run_id::text || '${salt}'), 1, 7))::bit(28)::int / 268435456.0)`;
  // In the order of the trail, as in production.
  await sql.query(
    `create temporary table moved as
     select seq, (extract(epoch from now()) * 1000 - 364::float8 * 86400000 * (1 - min(seq) over (partition by run_id)::float8 / max(seq) over ())
                  + 60000 * power(4320, ${share('length')}) * (row_number() over (partition by run_id order by seq) - 1))::bigint as at
     from audit_events where org_id = $1 and run_id is not null`,
    [orgId],
  );
  await sql.query(
    `update audit_events e
     set payload = regexp_replace(regexp_replace(e.payload, '"at":\\d+', '"at":' || m.at), '"dueAt":\\d+', '"dueAt":' || m.at + 14400000)
     from moved m where e.org_id = $1 and e.seq = m.seq`,
    [orgId],
  );
  await sql.query('vacuum analyze audit_events');
}

async function made(server: ServerProcess, runs: number): Promise<{ organization: Organization; seconds: number }> {
  await server.start();
  const organization = await found(server.url, runs);
  const { host, port } = embeddedPostgres(server.dataDir);
  const sql = await openSql({ host, port, user: 'postgres', database: 'stet' });
  try {
    await drained(sql);
    await fill(sql, organization, () => undefined);
    await spread(sql, organization);
    // The running server has begun to count. The rebuild starts again.
    const began = performance.now();
    await promisify(execFile)(process.execPath, [CLI, 'insights', 'rebuild'], {
      env: { ...process.env, DATA_DIR: server.dataDir },
    });
    return { organization, seconds: (performance.now() - began) / 1000 };
  } finally {
    await sql.end();
  }
}

async function timed({ url, token }: Organization, path: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return performance.now() - began;
}

console.log(busyWords());
const folder = mkdtempSync(join(tmpdir(), 'stet-insights-'));
const servers = SIZES.map(
  (_, at) => new ServerProcess(Number(values.port) + at, join(folder, String(at)), { WEBHOOK_ALLOW: '127.0.0.1' }),
);
try {
  const organizations: Organization[] = [];
  for (const [at, runs] of SIZES.entries()) {
    const server = servers[at];
    if (!server) continue;
    const { organization, seconds } = await made(server, runs);
    organizations.push(organization);
    const forMillion = (seconds * 1_000_000) / runs;
    console.log(`${runs} runs: rebuilt in ${seconds.toFixed(1)} s; a million would take ${forMillion.toFixed(0)} s`);
    if (at === 1 && forMillion > MOST_SECONDS) process.exitCode = 1;
  }
  const [small, large] = organizations;
  if (!small || !large) throw new Error('two organizations are needed');
  for (const [name, path] of Object.entries(READS)) {
    const [few, many]: [number[], number[]] = [[], []];
    for (let n = 0; n < TIMES; n += 1) {
      few.push(await timed(small, path));
      many.push(await timed(large, path));
    }
    const [of, p95, ratio] = [quantile(few, 0.5), quantile(many, 0.95), quantile(many, 0.5) / quantile(few, 0.5)];
    const isGood = p95 <= MOST_MS && ratio < MOST_RATIO;
    console.log(
      `${isGood ? '✓' : '✗'} ${name}: median ${of.toFixed(1)} → ${quantile(many, 0.5).toFixed(1)} ms (${ratio.toFixed(2)} times), p95 ${p95.toFixed(1)} ms`,
    );
    if (!isGood) process.exitCode = 1;
  }
} finally {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
