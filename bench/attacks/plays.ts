import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Figures } from '../../apps/server/src/testing/people/play.ts';
import type { Outcome } from './outcome.ts';

/** `processes` is limited to one for each core. */
export type Game = { seed: number; from: number; sequences: number; processes?: number };
type Report = Pick<Figures, 'sequences' | 'calls' | 'marks' | 'broken'>;

const ATTACKS = {
  people: 'One person with several accounts, and honest people',
  runs: 'Runs by one person with several accounts, by pairs, and by ordinary teams',
};
type Play = keyof typeof ATTACKS;

/**
 * Executes random sequences of actions in several processes, at most one per core. Each process has its own server and
 * executes a part of the sequences. Prints each finding immediately.
 */
export async function attackByPlay(
  play: Play,
  { seed, from, sequences, processes = availableParallelism() }: Game,
): Promise<Outcome[]> {
  console.log(`  seed ${seed}, sequences ${from} to ${from + sequences - 1}`);
  const parts = Math.min(processes, availableParallelism(), Math.ceil(sequences / 10));
  const share = Math.ceil(sequences / parts);
  const starts = Array.from({ length: parts }, (_, part) => from + part * share);
  const played = starts.map(() => 0);
  const reports = await Promise.all(
    starts.map((start, part) =>
      playPart([play, seed, start, Math.min(share, from + sequences - start)], (count) => {
        played[part] = count;
        const sum = played.reduce((total, each) => total + each, 0);
        console.log(`  ${sum} sequences`);
      }),
    ),
  );
  const sum = (read: (report: Report) => number): number => reports.reduce((total, each) => total + read(each), 0);
  const marks: Record<string, number> = {};
  for (const [mark, count] of reports.flatMap((each) => Object.entries(each.marks)))
    marks[mark] = (marks[mark] ?? 0) + count;
  console.log(`  versions that went live: ${JSON.stringify(marks)}`);
  return [
    {
      attack: ATTACKS[play],
      tried: `${sum((each) => each.sequences)} random sequences (seed ${seed}), ${sum(({ calls }) => calls.tried)} calls, ${sum(({ calls }) => calls.granted)} granted`,
      result: 'each granted call followed the rules',
      findings: reports.flatMap(({ broken }) => broken),
    },
  ];
}

async function playPart(args: (string | number)[], onPlayed: (count: number) => void): Promise<Report> {
  const file = fileURLToPath(new URL('play-process.ts', import.meta.url));
  const child: ChildProcess = fork(file, args.map(String), { execArgv: ['--import', 'tsx'] });
  let report: Report | undefined;
  child.on('message', (message: { played?: number; broken?: string; report?: Report }) => {
    if (message.played !== undefined) onPlayed(message.played);
    if (message.broken !== undefined) console.error(message.broken);
    report = message.report ?? report;
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  // The reports of the other processes are still valid.
  return (
    report ?? {
      sequences: 0,
      calls: { tried: 0, granted: 0 },
      marks: {},
      broken: [`a play process exited with code ${code} and without a report`],
    }
  );
}
