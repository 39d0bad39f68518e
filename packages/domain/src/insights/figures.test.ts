import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../runs/decide.ts';
import type { RunFact } from '../runs/facts.ts';
import { commandOf, intendedCommand } from '../runs/intended-command.arbitrary.ts';
import { actorOf } from '../runs/run.scenario.ts';
import type { RunState } from '../runs/state.ts';
import { OFFICE, T0 } from '../runs/clocked.scenario.ts';
import type { Step } from '../steps/index.ts';
import { workflowOf } from '../workflows/workflow.arbitrary.ts';
import { CellSum, STEP_OUTCOMES, cellsOfRun, figuresOfRun, runsWith } from './cells.ts';
import { oracleOf } from './figures.oracle.ts';
import { percentileOf, roundedSeconds, sizeOf } from './spread.ts';
import { type RunTrace, traceRun } from './trace.ts';

const MINUTE = 60_000;

const randomRun = fc
  .record({
    steps: workflowOf({ maxSteps: 7 }),
    commands: fc.array(intendedCommand, { minLength: 4, maxLength: 40 }),
    hasHours: fc.boolean(),
    version: fc.integer({ min: 1, max: 3 }),
    startDay: fc.nat(40),
  })
  .map(({ steps, commands, hasHours, version, startDay }) => {
    const calendar = hasHours ? OFFICE : null;
    let at = T0 + startDay * 1440 * MINUTE;
    const facts: RunFact[] = [];
    let state: RunState | null = null;
    const start = decide({ steps }, null, { type: 'start' }, { at, actor: actorOf('ann'), calendar });
    if (start.ok) {
      state = start.state;
      facts.push(...start.facts);
    }
    for (const intended of commands) {
      if (!state) break;
      at += Math.max(0, intended.minutes) * MINUTE;
      const command = commandOf(steps, state, intended);
      const actor = actorOf('activation' in command ? 'system' : intended.who);
      const decision = decide({ steps }, state, command, { at, actor, calendar });
      if (!decision.ok) continue;
      state = decision.state;
      facts.push(...decision.facts);
    }
    return { steps, facts, notes: [], version, calendar } satisfies RunTrace & { steps: Step[] };
  });

const isOffice = (at: number): boolean => {
  const date = new Date(at);
  const minute = date.getUTCHours() * 60 + date.getUTCMinutes();
  return date.getUTCDay() % 6 !== 0 && minute >= 540 && minute < 1020;
};
const oracle = ({ steps, facts, calendar }: RunTrace) => oracleOf([...steps], facts, calendar ? isOffice : () => true);
const percentile = (values: readonly number[], share: number): number | null =>
  values.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? null;
const nonZero = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

test('the figures of random runs equal those of an oracle that looks at every minute', () => {
  let completed = 0;
  fc.assert(
    fc.property(fc.array(randomRun, { minLength: 10, maxLength: 10 }), (runs) => {
      const sum = new CellSum();
      for (const run of runs) sum.add(cellsOfRun(run));
      const expected = runs.map((run) => ({ run, is: oracle(run) }));
      const counted = { started: 0, ended: 0, completed: 0, failed: 0, cancelled: 0, timed: 0, kept: 0 };
      const took: Record<string, number[]> = { calendar: [], working: [], waiting: [], handling: [] };
      for (const cell of sum.cells.filter(({ kind }) => kind === 'run')) {
        for (const name of Object.keys(counted) as (keyof typeof counted)[]) counted[name] += cell.counts[name] ?? 0;
        for (const [measure, spread] of Object.entries(cell.spreads))
          for (let at = 0; at < spread.length; at += 2)
            for (let n = 0; n < (spread[at + 1] ?? 0); n += 1) took[measure]?.push(spread[at] ?? 0);
      }
      const all = expected.map(({ is }) => is);
      const ofStatus = (...statuses: string[]) => all.filter(({ status }) => statuses.includes(status)).length;
      completed += ofStatus('completed');
      expect(counted).toEqual({
        started: runs.length,
        ended: ofStatus('completed', 'failed', 'cancelled'),
        completed: ofStatus('completed'),
        failed: ofStatus('failed'),
        cancelled: ofStatus('cancelled'),
        timed: all.filter(({ kept }) => kept !== null).length,
        kept: all.filter(({ kept }) => kept === true).length,
      });
      for (const measure of ['calendar', 'working', 'waiting', 'handling'] as const) {
        const exact = all.flatMap(({ minutes }) => (minutes ? [minutes[measure] * MINUTE] : []));
        for (const share of [0.5, 0.9]) {
          const is = percentile(exact, share);
          expect(percentile(took[measure] ?? [], share)).toBe(is === null ? null : roundedSeconds(is));
        }
      }
      for (const { run, is } of expected) {
        if (!['completed', 'failed', 'cancelled'].includes(is.status)) continue;
        const own = new CellSum().add(cellsOfRun(run)).cells;
        for (const [stepId, step] of Object.entries(is.steps)) {
          const cell = own.find(({ kind, subject }) => kind === 'step' && subject === stepId);
          const {
            visits = 0,
            completed: done = 0,
            timed = 0,
            kept = 0,
            calendarMs = 0,
            waitingMs = 0,
          } = cell?.counts ?? {};
          expect({ visits, done, timed, kept, calendarMs, waitingMs }).toEqual({
            visits: step.visits,
            done: step.completed,
            timed: step.timed,
            kept: step.kept,
            calendarMs: step.minutes.reduce((one, other) => one + other * MINUTE, 0),
            waitingMs: step.waiting.reduce((one, other) => one + other * MINUTE, 0),
          });
          expect(sizeOf(cell?.spreads.calendar ?? [])).toBe(step.completed);
          const share = percentile(step.minutes, 0.5);
          expect(percentileOf(cell?.spreads.calendar ?? [], 0.5)).toBe(
            share === null ? null : roundedSeconds(share * MINUTE),
          );
        }
      }
    }),
    { numRuns: 100 },
  );
  expect(completed).toBeGreaterThan(200);
});

test('a contribution that is out of date can be subtracted at every event', () => {
  fc.assert(
    fc.property(randomRun, (run) => {
      const sum = new CellSum();
      let before: RunTrace | null = null;
      for (let n = 1; n <= run.facts.length; n += 1) {
        const now = { ...run, facts: run.facts.slice(0, n) };
        if (before) sum.add(cellsOfRun(before), -1);
        sum.add(cellsOfRun(now));
        before = now;
      }
      const plain = (cells: readonly { kind: string; subject: string; week: string }[]) =>
        cells.toSorted((one, other) =>
          `${one.kind}${one.week}${one.subject}`.localeCompare(`${other.kind}${other.week}${other.subject}`),
        );
      const stored = (cells: CellSum['cells']) =>
        plain(cells).map((cell) => {
          const { counts, spreads, ...key } = cell as CellSum['cells'][number];
          return {
            ...key,
            counts: nonZero(counts),
            spreads: Object.fromEntries(Object.entries(spreads).filter(([, list]) => list.length > 0)),
          };
        });
      expect(stored(sum.cells)).toEqual(stored(new CellSum().add(cellsOfRun(run)).cells));
    }),
    { numRuns: 200 },
  );
});

test('a run is listed for exactly the figures in which it is counted', () => {
  let listed = 0;
  fc.assert(
    fc.property(randomRun, (run) => {
      const { outcomes, path } = figuresOfRun(run, traceRun(run));
      const cells = new CellSum().add(cellsOfRun(run)).cells;
      const counted = cells.flatMap(({ kind, subject, counts }) =>
        kind === 'step'
          ? STEP_OUTCOMES.flatMap((outcome) =>
              Array.from({ length: counts[runsWith(outcome)] ?? 0 }, () => `${outcome}:${subject}`),
            )
          : [],
      );
      expect(outcomes.toSorted()).toEqual(counted.toSorted());
      expect(cells.filter(({ kind }) => kind === 'path').map(({ subject }) => subject)).toEqual(
        path === null ? [] : [path],
      );
      listed += outcomes.length;
    }),
    { numRuns: 300 },
  );
  expect(listed).toBeGreaterThan(200);
});
