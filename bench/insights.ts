// node --import tsx bench/insights.ts [--runs 1000000] [--times 200] [--port 3995] [--folder DIR]
//   [--parts fill,rebuild,read]
// Measures insights in an organization whose runs are all of one workflow, over a year and with very different
// durations: how long `stet insights rebuild` takes, and how long the figures take to read, compared with an
// organization of 1 000 runs. Exits with 1 if a 95th percentile is above 300 ms, if a median is more than twice that of
// the small organization, or if a rebuild would take more than ten minutes for a million runs. With `--folder`, the
// databases stay there, and each part can be measured by itself.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { pathSubject } from '@stet/domain/insights';
import { pathId } from '../apps/server/src/modules/insights/path-id.ts';
import { busyWords, quantile } from './figures.ts';
import { KEY, fillYear } from './insights/fill-year.ts';
import { drained, embeddedPostgres, openSql } from './load/database.ts';
import { type Organization, STEPS, found } from './reads/organization.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '200' },
    port: { type: 'string', default: '3995' },
    folder: { type: 'string' },
    parts: { type: 'string', default: 'fill,rebuild,read' },
  },
});
const SIZES = [1000, Number(values.runs)] as const;
const TIMES = Number(values.times);
const parts = values.parts.split(',');
const [MAX_MS, MAX_RATIO, MAX_SECONDS] = [300, 2, 600];
const CLI = fileURLToPath(new URL('../apps/server/dist/cli-main.js', import.meta.url));

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const READS = {
  'figures, half a year': `/api/workflows/${KEY}/insights`,
  'figures, a year': `/api/workflows/${KEY}/insights?from=${day(364)}`,
  'figures, one version': `/api/workflows/${KEY}/insights?from=${day(364)}&version=1`,
  deviations: `/api/workflows/${KEY}/conformance?from=${day(364)}`,
  'finished reviews': `/api/workflows/${KEY}/insights/reviews?from=${day(364)}`,
  'older finished reviews': `/api/workflows/${KEY}/insights/reviews?from=${day(364)}&to=${day(180)}&limit=200`,
  'finished reviews of one version': `/api/workflows/${KEY}/insights/reviews?from=${day(364)}&version=1`,
  overview: `/api/insights/overview?from=${day(364)}`,
  'runs behind a figure': `/api/runs?workflow=${KEY}&figure=late:${STEPS[0]}&from=${day(364)}T00:00:00.000Z`,
  'older runs behind a figure': `/api/runs?workflow=${KEY}&figure=completed:${STEPS[1]}&to=${day(180)}T00:00:00.000Z&limit=200`,
  'runs behind a path': `/api/runs?workflow=${KEY}&figure=path:${pathId(pathSubject(STEPS))}&sort=oldest`,
};

type Place = { runs: number; dataDir: string; server: ServerProcess };
type Stored = Pick<Organization, 'token'>;
const storedIn = ({ dataDir }: Place): string => join(dataDir, 'organization.json');

async function fill(place: Place): Promise<void> {
  const { runs, dataDir, server } = place;
  await server.start();
  const organization = await found(server.url, runs);
  const { host, port } = embeddedPostgres(dataDir);
  const sql = await openSql({ host, port, user: 'postgres', database: 'stet' });
  try {
    await drained(sql);
    await fillYear(sql, organization);
  } finally {
    await sql.end();
    await server.stop();
  }
  const { token } = organization;
  writeFileSync(storedIn(place), JSON.stringify({ token } satisfies Stored));
}

/** Returns the seconds that a rebuild takes. No server runs meanwhile, because it would count at the same time. */
async function rebuild({ dataDir }: Place): Promise<number> {
  const began = performance.now();
  await promisify(execFile)(process.execPath, [CLI, 'insights', 'rebuild'], {
    env: { ...process.env, DATA_DIR: dataDir },
  });
  return (performance.now() - began) / 1000;
}

async function timed(place: Place, path: string): Promise<number> {
  const { token } = JSON.parse(readFileSync(storedIn(place), 'utf8')) as Stored;
  const began = performance.now();
  const response = await fetch(place.server.url + path, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return performance.now() - began;
}

async function read(places: readonly Place[]): Promise<void> {
  for (const { server } of places) await server.start();
  const [small, large] = places;
  if (!small || !large) throw new Error('two organizations are needed');
  for (const [name, path] of Object.entries(READS)) {
    const [few, many]: [number[], number[]] = [[], []];
    for (let n = 0; n < TIMES; n += 1) {
      few.push(await timed(small, path));
      many.push(await timed(large, path));
    }
    const [p95, ratio] = [quantile(many, 0.95), quantile(many, 0.5) / quantile(few, 0.5)];
    const isGood = p95 <= MAX_MS && ratio <= MAX_RATIO;
    console.log(
      `${isGood ? '✓' : '✗'} ${name}: median ${quantile(few, 0.5).toFixed(1)} → ${quantile(many, 0.5).toFixed(1)} ms (${ratio.toFixed(2)} times), p95 ${p95.toFixed(1)} ms`,
    );
    if (!isGood) process.exitCode = 1;
  }
}

console.log(busyWords());
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'stet-insights-'));
const places = SIZES.map((runs, at): Place => {
  const dataDir = join(folder, String(runs));
  const server = new ServerProcess(Number(values.port) + at, dataDir, { WEBHOOK_ALLOW: '127.0.0.1' });
  return { runs, dataDir, server };
});
try {
  mkdirSync(folder, { recursive: true });
  if (parts.includes('fill')) for (const place of places) if (!existsSync(storedIn(place))) await fill(place);
  if (parts.includes('rebuild'))
    for (const place of places) {
      const seconds = await rebuild(place);
      const forMillion = (seconds * 1_000_000) / place.runs;
      console.log(
        `${place.runs} runs: rebuilt in ${seconds.toFixed(1)} s; a million would take ${forMillion.toFixed(0)} s`,
      );
      if (place.runs === SIZES[1] && forMillion > MAX_SECONDS) process.exitCode = 1;
    }
  if (parts.includes('read')) await read(places);
} finally {
  for (const { server } of places) await server.stop();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
