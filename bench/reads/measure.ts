import { quantile } from '../figures.ts';
import type { Table } from '../report.ts';
import type { Organization } from './organization.ts';
import { READS } from './routes.ts';

/** The maximum ratio of the medians: large organization to small organization. */
export const MAX_RATIO = 2;
const WARM = 10;
/** A slow read is repeated only until this time has passed, but at least `FEWEST` times. */
const MAX_MS = 8000;
const FEWEST = 40;

export type Verdict = { table: Table; tooSlow: string[]; left: string[]; calls: number };

/**
 * Measures each read, alternating between the organizations, so that other load affects both equally. Returns the
 * durations as a table, lists the reads that miss the target (`MAX_RATIO`), and lists the routes without a measurement.
 */
export async function measureReads(
  small: Organization,
  large: Organization,
  times: number,
  only = '',
): Promise<Verdict> {
  const rows: (string | number)[][] = [];
  const tooSlow: string[] = [];
  const left: string[] = [];
  for (const [route, addresses] of Object.entries(READS).filter(([key]) => key.endsWith(only))) {
    if (typeof addresses === 'string') {
      left.push(`\`${route}\` ${addresses}`);
      continue;
    }
    for (const [words, address] of Object.entries(addresses)) {
      const name = `\`${route.slice('GET '.length)}\` ${words}`;
      const [few, many] = await inTurn(small, large, address, times);
      const cells = [few, many].map((ms) => [quantile(ms, 0.5), quantile(ms, 0.99)] as const);
      const [[p50, p99], [largeP50, largeP99]] = cells as [(typeof cells)[number], (typeof cells)[number]];
      const ratio = largeP50 / p50;
      rows.push([name, ...cells.flat().map((ms) => ms.toFixed(1)), ratio.toFixed(2), (largeP99 / p99).toFixed(2)]);
      process.stdout.write(
        `${(rows.at(-1) ?? []).map((cell, n) => String(cell)[n === 0 ? 'padEnd' : 'padStart'](n === 0 ? 70 : 9)).join('')}\n`,
      );
      if (!(ratio < MAX_RATIO)) tooSlow.push(`${name} (${ratio.toFixed(2)})`);
    }
  }
  const sizes = [small, large].flatMap(({ runs }) => [`p50 ms at ${runs}`, `p99 ms at ${runs}`]);
  const columns = ['request', ...sizes, 'ratio of p50', 'ratio of p99'];
  return { table: { columns, rows }, tooSlow, left, calls: rows.length };
}

async function inTurn(
  small: Organization,
  large: Organization,
  address: (of: Organization) => string,
  times: number,
): Promise<[number[], number[]]> {
  const taken: [number[], number[]] = [[], []];
  const until = performance.now() + MAX_MS;
  for (let n = -Math.min(WARM, times); n < times && (n < FEWEST || performance.now() < until); n += 1) {
    for (const [which, of] of [small, large].entries()) {
      const ms = await timeOf(of, address(of));
      if (n >= 0) taken[which]?.push(ms);
    }
  }
  return taken;
}

/** Returns the duration until the last byte, in milliseconds. Throws on a refusal. */
export async function timeOf({ url, token }: Organization, path: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  const body = await response.arrayBuffer();
  const took = performance.now() - began;
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${Buffer.from(body).toString('utf8', 0, 500)}`);
  return took;
}
