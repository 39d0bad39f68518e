// node --import tsx bench/large-org.ts [--runs 1000000] [--times 200] [--quick] [--port 3991] [--only ' /api/runs']
// Measures the reads of lists and details in an organization with `--runs` runs and all their data, and in one with
// 1 000 runs in a separate database. Exits with 1 if a median is at least twice that of the small organization.
// `--only` measures just the routes that end with the given text. Results are written to docs/performance.md only for a
// full measurement: at least the default `--runs` and `--times`, without `--only`. Other results are only printed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { busyWords } from './figures.ts';
import { drained, embeddedPostgres, openSql } from './load/database.ts';
import { fill } from './reads/fill.ts';
import { MAX_RATIO, measureReads } from './reads/measure.ts';
import { type Organization, drawing, found } from './reads/organization.ts';
import { report } from './report.ts';
import { ServerProcess } from './server-process.ts';

const WHOLE = { runs: 1_000_000, times: 200 };
const QUICK = { runs: 20_000, times: 40 };
const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    times: { type: 'string' },
    quick: { type: 'boolean', default: false },
    port: { type: 'string', default: '3991' },
    only: { type: 'string', default: '' },
  },
});
const usual = values.quick ? QUICK : WHOLE;
const SIZES = [1000, Number(values.runs ?? usual.runs)] as const;
const TIMES = Number(values.times ?? usual.times);
const port = Number(values.port);

const busy = busyWords();
const folder = mkdtempSync(join(tmpdir(), 'stet-large-org-'));
const servers = SIZES.map(
  (_, at) => new ServerProcess(port + at, join(folder, String(at)), { WEBHOOK_ALLOW: '127.0.0.1' }),
);
try {
  const filled: Organization[] = [];
  for (const [at, runs] of SIZES.entries()) {
    const server = servers[at];
    if (!server) continue;
    await server.start();
    filled.push(await made(server, runs));
  }
  const [small, large] = filled;
  if (!small || !large) throw new Error('two organizations are needed');
  const { table, tooSlow, left, calls } = await measureReads(small, large, TIMES, values.only);
  const isWhole = large.runs >= WHOLE.runs && TIMES >= WHOLE.times && values.only === '';
  report(
    'performance',
    'reads',
    [
      `${calls} GET requests, measured in an organization with ${spaced(large.runs)} runs of five steps, with their history, notifications and webhook deliveries, and in one with ${spaced(small.runs)} runs in a separate database on the same machine. Each request is repeated ${TIMES} times over HTTP, or as often as a few seconds allow, alternating between the two. Times are in milliseconds at the client. For requests about one run, the run is chosen at random. ${busy}`,
      `The target is a median of less than ${MAX_RATIO} times the small organization’s, with no tolerance. The 99th percentile mostly reflects other work on the machine, so it is reported without a target. ${tooSlow.length === 0 ? 'Every request meets the target.' : `**Missed by: ${tooSlow.join('; ')}.**`}`,
      table,
      `Not measured: ${left.join('; ')}.`,
    ],
    isWhole ? 'whole' : 'quick',
  );
  say(tooSlow.length > 0 ? `✗ too slow: ${tooSlow.join(', ')}` : 'passed');
  process.exitCode = tooSlow.length > 0 ? 1 : 0;
} finally {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function made(server: ServerProcess, runs: number): Promise<Organization> {
  const organization = await found(server.url, runs);
  const { host, port: at } = embeddedPostgres(server.dataDir);
  const sql = await openSql({ host, port: at, user: 'postgres', database: 'stet' });
  try {
    // Jobs create the notifications of the template runs.
    await drained(sql);
    const began = performance.now();
    await fill(sql, organization, say);
    say(`${spaced(runs)} runs created in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    return await drawing(sql, organization);
  } finally {
    await sql.end();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function spaced(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, '\u00a0');
}
