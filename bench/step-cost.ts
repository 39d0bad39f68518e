// node --import tsx bench/step-cost.ts --before ../stet-before [--rounds 5] [--seconds 5] [--port 4320]
// Compares the cost of completing a step with another checkout: measures both builds alternately, each on its own
// PostgreSQL. Prints the median CPU seconds of server and PostgreSQL for a thousand steps. Exits with 1 if they
// increased by more than 3 %.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openSession } from './load/session.ts';

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    port: { type: 'string', default: '4320' },
  },
});
const CLIENTS = 8;
const MAX_PERCENT = 3;

async function measureOnce(): Promise<void> {
  const session = await openSession({ port: Number(values.port), organizations: 1 });
  try {
    const { cpu, completionsPerSecond } = await session.measure(CLIENTS, 1, Number(values.seconds));
    const { server, postgres } = cpu;
    console.log(JSON.stringify({ cpu: server + postgres, server, postgres, completionsPerSecond }));
  } finally {
    await session.close();
  }
}

type Figure = { cpu: number; server: number; postgres: number; completionsPerSecond: number };

function measured(checkout: string | null): Figure {
  const env = { ...process.env, STET_CHECKOUT: checkout ?? '' };
  const args = ['--import', 'tsx', fileURLToPath(import.meta.url), '--seconds', values.seconds, '--port', values.port];
  const { stdout, status } = spawnSync(process.execPath, args, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`measuring ${checkout ?? 'this checkout'} exited with code ${status}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Figure;
}

const median = (some: readonly number[]): number => some.toSorted((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0;

if (values.before === undefined) await measureOnce();
else {
  const [before, now]: [Figure[], Figure[]] = [[], []];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    before.push(measured(values.before));
    now.push(measured(null));
  }
  const [was, is] = [before, now].map((figures) => median(figures.map(({ cpu }) => cpu)));
  const percent = ((is ?? 0) / (was ?? 1) - 1) * 100;
  console.log(JSON.stringify({ before, now }));
  console.log(`${was?.toFixed(2)} CPU seconds for 1 000 steps before, ${is?.toFixed(2)} now: ${percent.toFixed(1)} %`);
  process.exitCode = percent > MAX_PERCENT ? 1 : 0;
}
