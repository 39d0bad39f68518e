/** Executes some of the sequences of `plays.ts` against a server in this process. */
import { playPeople } from '../../apps/server/src/testing/people/play.ts';
import { playRuns } from '../../apps/server/src/testing/run-plays/play.ts';
import { withRetries } from '../../apps/server/src/testing/server.ts';
import { withWorld } from './world.ts';

const [play = '', seed = '1', from = '0', sequences = '1'] = process.argv.slice(2);
const PLAYS = { people: playPeople, runs: playRuns };

const report = await withWorld((server) =>
  PLAYS[play as keyof typeof PLAYS](withRetries(server), {
    seed: Number(seed),
    from: Number(from),
    sequences: Number(sequences),
    // A sequence often waits for emails and jobs.
    atOnce: 6,
    maxFailures: 20,
    onSequence: ({ sequences: played }) => {
      if (played % 100 === 0) process.send?.({ played });
    },
    onBroken: (broken) => process.send?.({ broken }),
  }),
);
process.send?.({ report });
