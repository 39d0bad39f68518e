import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR_MS } from './duration.ts';
import { runSlaState, targetMs } from './run-sla.ts';

const step = (id: string, sla: string, next: string[] = []) => ({ id, sla, next });

describe('targetMs', () => {
  test('adds up a chain', () => {
    expect(targetMs([step('a', '1h', ['b']), step('b', '2h', ['c']), step('c', '3')])).toBe(6 * HOUR_MS);
  });

  test('takes the longer branch', () => {
    const steps = [step('a', '1h', ['b', 'c']), step('b', '5h', ['d']), step('c', '1h', ['d']), step('d', '1h')];
    expect(targetMs(steps)).toBe(7 * HOUR_MS);
  });

  test('counts an empty or invalid SLA as zero', () => {
    expect(targetMs([step('a', '', ['b']), step('b', 'asap', ['c']), step('c', '1h')])).toBe(HOUR_MS);
  });

  test('is null if no step has an SLA', () => {
    expect(targetMs([])).toBeNull();
    expect(targetMs([step('a', '', ['b']), step('b', 'asap')])).toBeNull();
  });

  test('is the length of the longest path', () => {
    const dag = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.array(fc.nat(8), { maxLength: 3 })), { maxLength: 9 })
      .map((rows) =>
        rows.map(([hours, jumps], row) =>
          step(
            `s${row}`,
            `${hours}h`,
            jumps
              .map((jump) => row + 1 + jump)
              .filter((to) => to < rows.length)
              .map((to) => `s${to}`),
          ),
        ),
      );
    fc.assert(
      fc.property(dag, (steps) => {
        const longestFrom = (row: number): number => {
          const own = steps[row];
          if (!own) return 0;
          const after = own.next.map((id) => longestFrom(Number(id.slice(1))));
          return Number.parseInt(own.sla, 10) * HOUR_MS + Math.max(0, ...after);
        };
        const longest = Math.max(0, ...steps.map((_, row) => longestFrom(row)));
        expect(targetMs(steps)).toBe(longest === 0 ? null : longest);
      }),
    );
  });
});

describe('runSlaState', () => {
  const run = { startedAt: 0, targetMs: 1000, pausedMs: 0, now: 100, active: [], verdicts: [] };

  test('depends on its own elapsed time if no step is worse', () => {
    expect(runSlaState(run)).toBe('on_track');
    expect(runSlaState({ ...run, now: 800 })).toBe('at_risk');
    expect(runSlaState({ ...run, now: 1001 })).toBe('breached');
  });

  test('is the state of its worst active step', () => {
    expect(
      runSlaState({
        ...run,
        active: [
          { activatedAt: 0, dueAt: 500 },
          { activatedAt: 0, dueAt: 110 },
        ],
      }),
    ).toBe('at_risk');
    expect(runSlaState({ ...run, active: [{ activatedAt: 0, dueAt: 99 }] })).toBe('breached');
  });

  test('stays breached after a step ended late', () => {
    expect(runSlaState({ ...run, verdicts: ['on_track', 'breached', null] })).toBe('breached');
  });

  test('doesn’t change during a pause', () => {
    const late = { ...run, now: 5000, active: [{ activatedAt: 0, dueAt: 500 }] };
    expect(runSlaState({ ...late, pausedSince: 100 })).toBe('on_track');
    expect(runSlaState({ ...run, pausedMs: 4300, now: 5000 })).toBe('on_track');
  });

  test('doesn’t change after the run has ended', () => {
    expect(runSlaState({ ...run, now: 5000, endedAt: 900 })).toBe('on_track');
    expect(runSlaState({ ...run, now: 5000, endedAt: 1001 })).toBe('breached');
    expect(runSlaState({ ...run, now: 5000, endedAt: 450, active: [{ activatedAt: 0, dueAt: 500 }] })).toBe('at_risk');
  });

  test('is null if no step has an SLA', () => {
    expect(
      runSlaState({ ...run, targetMs: null, active: [{ activatedAt: 0, dueAt: null }], verdicts: [null] }),
    ).toBeNull();
  });
});
