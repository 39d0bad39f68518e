// node --import tsx bench/against-baseline.ts [--baseline 9494fe3] [--rounds 3] [--seconds 2] [--log FILE]
//   [--port 4320] [--external]
// Compares completed steps with an earlier commit: checks it out into a temporary folder, builds the server of both,
// and measures them alternately (`compare-builds.ts`), each with its own PostgreSQL. Then prints which targets are met.
// Run it alone on the machine: a round takes about two to three minutes. With `--log`, figures are appended to a file
// and the medians include earlier rounds in it, so that `--rounds 1` can be repeated. The baseline uses the packages
// installed here. Exits with 1 if a target is missed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quantile } from './figures.ts';

const { values } = parseArgs({
  options: {
    baseline: { type: 'string', default: '9494fe3' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    log: { type: 'string' },
    port: { type: 'string', default: '4320' },
    external: { type: 'boolean', default: false },
  },
});
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CASES = ['1/1', '32/1', '128/1', '32/32', '128/32'];

type Line = { build: 'before' | 'now'; case: string; completions: number; p50: number; p99: number } & {
  server: number;
  postgres: number;
};
type Target = { name: string; case: string; figure: (line: Line) => number; isMet: (ratio: number) => boolean };

const cpu = ({ server, postgres }: Line): number => server + postgres;
const speed = (name: string, least: number): Target => ({
  name: `completions a second at least ${least} ×`,
  case: name,
  figure: ({ completions }) => completions,
  isMet: (ratio) => ratio >= least,
});
const TARGETS: readonly Target[] = [
  speed('32/1', 3),
  speed('128/32', 2),
  speed('32/32', 1.4),
  { name: 'p50 at most 0.8 ×', case: '1/1', figure: ({ p50 }) => p50, isMet: (ratio) => ratio <= 0.8 },
  ...CASES.map((name) => ({
    name: 'CPU time at most 0.45 ×',
    case: name,
    figure: cpu,
    isMet: (ratio: number) => ratio <= 0.45,
  })),
  ...CASES.map((name) => ({
    name: 'p99 at most 1 ×',
    case: name,
    figure: ({ p99 }: Line) => p99,
    isMet: (ratio: number) => ratio <= 1,
  })),
];

const folder = mkdtempSync(join(tmpdir(), 'stet-baseline-'));
const log = values.log ?? join(folder, 'figures.jsonl');
try {
  const checkout = join(folder, 'checkout');
  checkOut(checkout);
  for (const root of [checkout, ROOT]) buildServer(root);
  const { rounds, seconds, port } = values;
  const options = ['--before', checkout, '--cases', CASES.join(), '--log', log, '--port', port];
  const more = ['--rounds', rounds, '--seconds', seconds, ...(values.external ? ['--external'] : [])];
  const script = fileURLToPath(new URL('compare-builds.ts', import.meta.url));
  const { signal } = spawnSync(process.execPath, ['--import', 'tsx', script, ...options, ...more], {
    stdio: 'inherit',
  });
  // The exit code of `compare-builds.ts` isn't used: it depends on the CPU time, which the targets cover.
  if (signal !== null || !existsSync(log)) throw new Error('the builds could not be measured');
  process.exitCode = judged(readFileSync(log, 'utf8')) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Checks the baseline out, with links to the packages installed here and to its own workspaces. */
function checkOut(into: string): void {
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', ROOT, into]);
  execFileSync('git', ['checkout', '--quiet', values.baseline], { cwd: into });
  const installed = join(ROOT, 'node_modules');
  mkdirSync(join(into, 'node_modules', '@stet'), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== '@stet') symlinkSync(join(installed, name), join(into, 'node_modules', name));
  for (const kind of ['packages', 'apps'])
    for (const name of readdirSync(join(into, kind)))
      symlinkSync(join(into, kind, name), join(into, 'node_modules', '@stet', name));
}

function buildServer(root: string): void {
  const script = `import('./scripts/lib/build.mjs').then(({ ensureBuilt }) => ensureBuilt(['server']))`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: root, stdio: 'inherit' });
}

/** Prints each target with its result. Returns true if all are met. */
function judged(text: string): boolean {
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
  const results = TARGETS.map((target) => {
    const median = (build: Line['build']): number =>
      quantile(lines.filter((line) => line.build === build && line.case === target.case).map(target.figure), 0.5);
    const ratio = median('now') / median('before');
    return { ...target, ratio, met: target.isMet(ratio) };
  });
  for (const { name, case: of, ratio, met } of results)
    console.log(`${met ? '✓' : '✗'} ${of}: ${name} (${ratio.toFixed(2)} ×)`);
  return results.every(({ met }) => met);
}
