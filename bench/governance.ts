/**
 * Plays random sequences of governance commands (save, submit, approve, request changes, merge, rebase, roll back,
 * policy and its confirmation, roles, members) by random people, partly in parallel, against a whole server on the
 * embedded PostgreSQL. After each step, an independent check of the rules reads the audit trail and the live versions.
 * `--tables` is the number of sequences played in parallel. If something went live against the rules, exits with 1 and
 * prints the moves that led to it.
 *
 * Needs a build: node scripts/build.mjs && npx tsx bench/governance.ts
 * [--sequences 10000] [--tables 4] [--seed 1] [--port 3921]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figures, playGovernance } from '../apps/server/src/testing/governance/play.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '10000' },
    tables: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    port: { type: 'string', default: '3921' },
  },
});
const SEQUENCES = Number(values.sequences);
const TABLES = Number(values.tables);
/** Distance between the seeds of the parallel tables, so that no two of them play the same sequence. */
const SEEDS_APART = 1_000_000;

const dataDir = mkdtempSync(join(tmpdir(), 'stet-bench-'));
const server = new ServerProcess(Number(values.port), dataDir);
let done = 0;

function onProgress(): void {
  done += 1;
  if (done % 100 === 0) console.log(`${done} of ${SEQUENCES} sequences, ${secondsSince(began)} s`);
}
const secondsSince = (moment: number): number => Math.round((performance.now() - moment) / 1000);

function print(all: readonly Figures[]): void {
  const sum = (read: (figures: Figures) => number): number => all.reduce((total, each) => total + read(each), 0);
  console.log(
    `${sum(({ sequences }) => sequences)} sequences, ${sum(({ steps }) => steps)} steps, ${sum(({ events }) => events)} events received, ${secondsSince(began)} s: nothing went live without permission`,
  );
  for (const name of Object.keys(all[0]?.moves ?? {}).toSorted()) {
    const made = sum(({ moves }) => moves[name]?.made ?? 0);
    const granted = sum(({ moves }) => moves[name]?.granted ?? 0);
    console.log(`  ${name.padEnd(16)} ${String(made).padStart(7)} tried ${String(granted).padStart(7)} granted`);
  }
}

const began = performance.now();
try {
  await server.start();
  const share = Math.ceil(SEQUENCES / TABLES);
  const games = Array.from({ length: TABLES }, (_, table) =>
    playGovernance(
      { url: server.url, dataDir },
      { sequences: share, seed: Number(values.seed) + table * SEEDS_APART, onProgress },
    ),
  );
  print(await Promise.all(games));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
