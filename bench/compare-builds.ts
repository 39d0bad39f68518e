// node --import tsx bench/compare-builds.ts --before ../stet-before [--cases 1/1,32/1,32/32] [--rounds 3] [--seconds 1]
//   [--external] [--log FILE] [--port 4320]
// Compares completed steps and whole runs with another checkout: measures both builds alternately, each with its own
// PostgreSQL, and prints the medians. A case is a number of clients and of their organizations. With `--log`, the
// figures are appended to a file, and the medians include all figures in it. Exits with 1 if a completed step costs
// over 3 % more CPU time in any case.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ExternalPostgres, findPrograms } from './external-postgres.ts';
import { quantile } from './figures.ts';
import { openSession } from './load/session.ts';
import { markdownOf } from './report.ts';

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    cases: { type: 'string', default: '1/1,8/1,32/1,128/1,32/32,128/32' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    external: { type: 'boolean', default: false },
    log: { type: 'string' },
    port: { type: 'string', default: '4320' },
  },
});
const CASES = values.cases.split(',');
const MAX_PERCENT = 3;

/** The figures of one case. CPU seconds are for a thousand completed steps, times are in milliseconds. */
type Figures = {
  case: string;
  completions: number;
  /** Completions per second until their last job is done. */
  withJobs: number;
  p50: number;
  p99: number;
  server: number;
  postgres: number;
  wholeRuns: number;
};
type Build = 'before' | 'now';
type Line = { build: Build } & Figures;

async function measureCases(): Promise<void> {
  const programs = values.external ? findPrograms() : null;
  if (values.external && programs === null) throw new Error('this machine has no PostgreSQL');
  const external = programs === null ? null : await ExternalPostgres.createTemporary(programs);
  const cases = CASES.map((name) => ({ name, counts: name.split('/').map(Number) }));
  const organizations = Math.max(...cases.map(({ counts: [, count = 1] }) => count));
  const session = await openSession({ port: Number(values.port), organizations, ...(external && { external }) });
  try {
    // The first run is slower, so this warm-up isn't measured.
    await session.measure(8, organizations, Number(values.seconds));
    for (const { name, counts } of cases) {
      const [clients = 1, among = 1] = counts;
      const one = await session.measure(clients, among, Number(values.seconds));
      const figures: Figures = {
        case: name,
        completions: one.completionsPerSecond,
        withJobs: one.completing.count / (one.completing.count / one.completionsPerSecond + one.jobsSeconds),
        p50: one.p50,
        p99: one.p99,
        server: one.cpu.server,
        postgres: one.cpu.postgres,
        wholeRuns: one.wholeRuns.perSecond,
      };
      console.log(JSON.stringify(figures));
    }
  } finally {
    await session.close();
    await external?.remove();
  }
}

function measuredBy(build: Build): Line[] {
  const env = { ...process.env, STET_CHECKOUT: build === 'before' ? values.before : '' };
  const { cases, seconds, port } = values;
  const args = ['--cases', cases, '--seconds', seconds, '--port', port, ...(values.external ? ['--external'] : [])];
  const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), ...args], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`measuring the build ${build} exited with code ${status}`);
  return linesIn(stdout).map((line) => ({ build, ...(line as Figures) }));
}

const linesIn = (text: string): unknown[] =>
  text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as unknown] : []));

function compared(lines: readonly Line[]): void {
  const rows = CASES.map((name) => {
    const of = (build: Build, figure: (line: Line) => number): number =>
      quantile(lines.filter((line) => line.build === build && line.case === name).map(figure), 0.5);
    const pair = (figure: (line: Line) => number, digits: number): string[] => {
      const [was, is] = [of('before', figure), of('now', figure)];
      return [was.toFixed(digits), is.toFixed(digits), `${(is / was).toFixed(2)} ×`];
    };
    const cpu = ({ server, postgres }: Line): number => server + postgres;
    const cells = [
      ...pair((line) => line.completions, 0),
      ...pair((line) => line.withJobs, 0),
      ...pair((line) => line.wholeRuns, 0),
      ...pair((line) => line.p50, 1),
      ...pair((line) => line.p99, 1),
      ...pair((line) => line.server, 2),
      ...pair((line) => line.postgres, 2),
      ...pair(cpu, 2),
    ];
    return { cells: [name, ...cells], percent: (of('now', cpu) / of('before', cpu) - 1) * 100 };
  });
  const figures = [
    'Completions/s',
    'including jobs',
    'Whole runs/s',
    'p50 ms',
    'p99 ms',
    'CPU s: server',
    'PostgreSQL',
    'both',
  ];
  const columns = ['Clients/organizations', ...figures.flatMap((name) => [`${name}, before`, 'now', ''])];
  console.log(`\n${markdownOf({ columns, rows: rows.map(({ cells }) => cells) })}`);
  process.exitCode = rows.some(({ percent }) => percent > MAX_PERCENT) ? 1 : 0;
}

if (values.before === undefined) await measureCases();
else {
  const earlier = values.log !== undefined && existsSync(values.log) ? linesIn(readFileSync(values.log, 'utf8')) : [];
  const lines = earlier as Line[];
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const build of ['before', 'now'] as const) {
      const measured = measuredBy(build);
      lines.push(...measured);
      if (values.log !== undefined)
        appendFileSync(values.log, measured.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }
  compared(lines);
}
