// npm run test:mutations [-- --room access --fresh --at-once 1]: changes the rules in every small way and looks whether a test notices.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Explanation, type RoomResult, judgeRoom, outdatedAmong } from './mutations/survivors.ts';
import { MOST_RUNS, ROOMS, type Room, mutateRoom } from './mutations/stryker-room.ts';
import { report } from './report.ts';

const LEAST_SHARE = 0.9;

const { values } = parseArgs({
  options: {
    room: { type: 'string', multiple: true },
    fresh: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '2' },
  },
});
const isRoom = (name: string): name is Room => (ROOMS as readonly string[]).includes(name);
const unknown = values.room?.find((name) => !isRoom(name));
if (unknown !== undefined) throw new Error(`There is no room ${unknown}: ${ROOMS.join(', ')}`);
const chosen = values.room?.filter(isRoom) ?? ROOMS;

const explanations = JSON.parse(
  readFileSync(new URL('./mutations/explained.json', import.meta.url), 'utf8'),
) as Explanation[];

const results: (RoomResult & { room: Room })[] = [];
for (const room of chosen)
  results.push({
    room,
    ...judgeRoom(await mutateRoom(room, { fresh: values.fresh, atOnce: Number(values['at-once']) }), explanations),
  });

const shareOf = ({ mutants, killed }: RoomResult): number => (mutants === 0 ? 0 : killed / mutants);
const inCode = (text: string): string => (text === '' ? '(nothing)' : `\`\`${text.replaceAll('|', '\\|')} \`\``);
const survivors = results.flatMap((result) => result.survivors);
const outdated = outdatedAmong(explanations, results);
const unexplained = survivors.filter(({ why }) => why === null);

const words = [
  'Every operator, constant, condition, text and call in the rooms is changed by [Stryker](https://stryker-mutator.io), one at a ' +
    "time, and the room's own tests run: a change that no test notices has survived. Tests of properties run with fixed " +
    `examples, in each room as many at most as the table says. Each room has to kill ${LEAST_SHARE * 100} % or more; explained survivors count as survivors. \`npm run test:mutations\``,
  {
    columns: [
      'room',
      'examples',
      'mutants',
      'killed',
      'of them without end',
      'survived',
      'of them not covered',
      'of them unexplained',
      'score',
    ],
    rows: results.map((result) => [
      result.room,
      MOST_RUNS[result.room],
      result.mutants,
      result.killed,
      result.timedOut,
      result.survivors.length,
      result.uncovered,
      result.survivors.filter(({ why }) => why === null).length,
      `${(100 * shareOf(result)).toFixed(1)} %`,
    ]),
  },
  `The ${survivors.length} survivors:`,
  {
    columns: ['place', 'changed', 'into', 'why it lives'],
    rows: survivors.map(({ file, line, was, becomes, why }) => [
      `${file}:${line}`,
      inCode(was),
      inCode(becomes),
      why ?? '**unexplained**',
    ]),
  },
];

// The page tells of all rooms or of none, and explains nothing that isn't.
if (chosen.length === ROOMS.length && outdated.length === 0) report('reliability', 'mutations', words);
for (const { file, line, was, becomes } of unexplained) console.log(`unexplained: ${file}:${line} ${was} → ${becomes}`);
for (const { file, was, becomes } of outdated) console.log(`explains no survivor: ${file} ${was} → ${becomes}`);
for (const result of results)
  console.log(`${result.room}: ${result.killed} of ${result.mutants} killed, ${(100 * shareOf(result)).toFixed(1)} %`);
if (unexplained.length > 0 || outdated.length > 0 || results.some((result) => shareOf(result) < LEAST_SHARE))
  process.exitCode = 1;
