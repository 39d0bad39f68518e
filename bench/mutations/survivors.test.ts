import { describe, expect, it } from 'vitest';
import type { StrykerMutant, StrykerReport } from './stryker-room.ts';
import { judgeRoom, outdatedAmong } from './survivors.ts';

const source = 'const a = 1;\nconst b =\n  two;\n';
const mutant = (status: StrykerMutant['status'], line = 1, replacement = '2'): StrykerMutant => ({
  id: '1',
  mutatorName: 'Any',
  replacement,
  status,
  location: { start: { line, column: 11 }, end: { line, column: 12 } },
});
const reportOf = (...mutants: StrykerMutant[]): StrykerReport => ({
  files: { 'packages/domain/src/access/roles.ts': { source, mutants } },
});
const explanation = { file: 'access/roles.ts', was: '1', becomes: '2', why: 'It does not matter.' };

describe('what became of mutants', () => {
  it('is counted: without end is dead, not covered is alive, what can’t run is neither', () => {
    const report = reportOf(
      mutant('Killed'),
      mutant('Timeout'),
      mutant('Survived'),
      mutant('NoCoverage'),
      mutant('CompileError'),
    );
    expect(judgeRoom(report, [])).toMatchObject({ mutants: 4, killed: 2, timedOut: 1, uncovered: 1 });
  });

  it('is explained by what was changed into what', () => {
    const { survivors } = judgeRoom(reportOf(mutant('Survived'), mutant('Survived', 1, '3')), [explanation]);
    expect(survivors).toEqual([
      { file: 'access/roles.ts', line: 1, was: '1', becomes: '2', why: 'It does not matter.' },
      { file: 'access/roles.ts', line: 1, was: '1', becomes: '3', why: null },
    ]);
  });

  it('is told on one line where the code has several', () => {
    const long = { ...mutant('Survived'), location: { start: { line: 2, column: 7 }, end: { line: 3, column: 6 } } };
    expect(judgeRoom(reportOf(long), []).survivors[0]?.was).toBe('b = two');
  });

  it('leaves no explanation behind for what was killed, in the rooms that were tried', () => {
    const other = { ...explanation, file: 'runs/view.ts' };
    const outdated = (status: StrykerMutant['status']) =>
      outdatedAmong([explanation, other], [{ room: 'access', ...judgeRoom(reportOf(mutant(status)), []) }]);
    expect(outdated('Survived')).toEqual([]);
    expect(outdated('Killed')).toEqual([explanation]);
  });
});
