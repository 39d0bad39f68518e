import type { StrykerMutant, StrykerReport } from './stryker-room.ts';

/** Why a mutant that no test kills is right as well; found by what was changed into what, not by its line. */
export type Explanation = { file: string; was: string; becomes: string; why: string };

type Survivor = { file: string; line: number; was: string; becomes: string; why: string | null };
/** `timedOut` of the killed: the tests came to no end; `uncovered` of the survivors: no test comes by. */
export type RoomResult = {
  mutants: number;
  killed: number;
  timedOut: number;
  uncovered: number;
  survivors: Survivor[];
};

const DEAD: readonly StrykerMutant['status'][] = ['Killed', 'Timeout'];
const ALIVE: readonly StrykerMutant['status'][] = ['Survived', 'NoCoverage'];

/** Counts what Stryker found in a room, and says why each survivor lives, where somebody explained it. */
export function judgeRoom(report: StrykerReport, explanations: readonly Explanation[]): RoomResult {
  const all = Object.entries(report.files).flatMap(([path, { source, mutants }]) =>
    mutants.map((mutant) => ({ file: path.replace(/^packages\/domain\/src\//, ''), source, mutant })),
  );
  const count = (...of: readonly StrykerMutant['status'][]): number =>
    all.filter(({ mutant }) => of.includes(mutant.status)).length;
  const killed = count(...DEAD);
  const survivors = all
    .filter(({ mutant }) => ALIVE.includes(mutant.status))
    .map(({ file, source, mutant }) => {
      const told = {
        file,
        line: mutant.location.start.line,
        was: oneLine(textAt(source, mutant.location)),
        becomes: oneLine(mutant.replacement),
      };
      const why = explanations.find((one) => explains(one, told))?.why;
      return { ...told, why: why ?? null };
    });
  return {
    mutants: killed + survivors.length,
    killed,
    timedOut: count('Timeout'),
    uncovered: count('NoCoverage'),
    survivors,
  };
}

function textAt(source: string, { start, end }: StrykerMutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, n) => line.slice(n === 0 ? start.column - 1 : 0, n === last ? end.column - 1 : undefined))
    .join('\n');
}

const LONGEST = 120;

/** Code as it fits a line; what is longer is cut, in the middle, so that both ends can be told. */
function oneLine(code: string): string {
  const text = code.replaceAll(/\s+/g, ' ').trim();
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)} … ${text.slice(-LONGEST / 2)}`;
}

/** The explanations of these rooms that explain nothing: their mutant was killed, or the code is another one now. */
export function outdatedAmong(
  explanations: readonly Explanation[],
  results: readonly (RoomResult & { room: string })[],
): Explanation[] {
  const survivors = results.flatMap((result) => result.survivors);
  return explanations.filter(
    (one) => results.some(({ room }) => one.file.startsWith(`${room}/`)) && !survivors.some((it) => explains(one, it)),
  );
}

const explains = (one: Explanation, { file, was, becomes }: Omit<Survivor, 'why' | 'line'>): boolean =>
  one.file === file && one.was === was && one.becomes === becomes;
