import type { StrykerMutant, StrykerReport } from './stryker-room.ts';

/** Why a mutant that no test kills is right as well; found by what was changed into what, not by its line. */
export type Explanation = { file: string; was: string; becomes: string; why: string };

export type Survivor = { file: string; line: number; was: string; becomes: string; why: string | null };
export type RoomResult = { mutants: number; killed: number; survivors: Survivor[] };

const DEAD: readonly StrykerMutant['status'][] = ['Killed', 'Timeout'];
const ALIVE: readonly StrykerMutant['status'][] = ['Survived', 'NoCoverage'];

/** Counts what Stryker found in a room, and says why each survivor lives, where somebody explained it. */
export function judgeRoom(report: StrykerReport, explanations: readonly Explanation[]): RoomResult {
  const all = Object.entries(report.files).flatMap(([path, { source, mutants }]) =>
    mutants.map((mutant) => ({ file: path.replace(/^packages\/domain\/src\//, ''), source, mutant })),
  );
  const killed = all.filter(({ mutant }) => DEAD.includes(mutant.status)).length;
  const survivors = all
    .filter(({ mutant }) => ALIVE.includes(mutant.status))
    .map(({ file, source, mutant }) => {
      const told = {
        file,
        line: mutant.location.start.line,
        was: oneLine(textAt(source, mutant.location)),
        becomes: oneLine(mutant.replacement),
      };
      const why = explanations.find(
        (one) => one.file === file && one.was === told.was && one.becomes === told.becomes,
      )?.why;
      return { ...told, why: why ?? null };
    });
  return { mutants: killed + survivors.length, killed, survivors };
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
