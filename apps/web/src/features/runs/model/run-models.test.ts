import type { Run } from '@stet/contract';
import { describe, expect, test } from 'vitest';
import { aRun, aRunStep } from '../../../testing/records.ts';
import { historyDays } from './history-lines.ts';
import { lateWords } from './late-words.ts';
import { periodOf } from '../../../lib/period.ts';
import { runAt } from './run-at.ts';
import { ALL_RUNS, isFiltered, readFilters, runsQuery, writeFilters } from './run-filters.ts';
import { stepSegments, summarySegments } from './run-segments.ts';
import { runTitle } from './run-title.ts';
import { TREND_BOX, trendBars } from './trend-bars.ts';

describe('filters', () => {
  test('are unchanged after they are written to the address and read back', () => {
    const filters = {
      workflow: 'vendor',
      version: '3',
      tag: 'payments',
      status: 'running' as const,
      priority: 'high' as const,
      person: 'sam@haldenworks.example',
      sort: 'due' as const,
      sla: 'at_risk' as const,
      env: 'testing' as const,
      from: '2026-11-01',
      to: '2026-11-20',
      days: 'utc' as const,
      figure: '',
      search: 'a & b',
    };
    expect(readFilters(writeFilters(filters))).toEqual(filters);
    const behind = { ...filters, person: '', sort: 'oldest' as const, search: '', figure: 'late:check: again' };
    expect(readFilters(writeFilters(behind))).toEqual(behind);
  });

  test('ignore invalid values in the address', () => {
    expect(readFilters(new URLSearchParams('sla=red&from=yesterday&to=2026-13-40'))).toEqual(ALL_RUNS);
    expect(isFiltered(readFilters(new URLSearchParams('mode=x')))).toBe(false);
  });

  test('drop or shorten values that the server would refuse, without splitting a character', () => {
    const read = (name: string, value: string) => readFilters(new URLSearchParams({ [name]: value }));
    expect(read('workflow', 'not a key')).toEqual(ALL_RUNS);
    expect(read('tag', 'x'.repeat(41)).tag).toBe('x'.repeat(40));
    expect(read('q', 'x'.repeat(101)).search).toBe('x'.repeat(100));
    expect(read('q', `${'x'.repeat(99)}🙂`).search).toBe('x'.repeat(99));
    expect(read('q', `${'x'.repeat(98)}🙂y`).search).toBe(`${'x'.repeat(98)}🙂`);
    expect(read('q', ` ${'x'.repeat(100)}`).search).toBe('x'.repeat(100));
  });

  test('omit an invalid figure, and values that the server would refuse together with a figure', () => {
    const read = (query: string) => readFilters(new URLSearchParams(query));
    expect(read('figure=late:check')).toEqual(ALL_RUNS);
    expect(read('workflow=vendor&figure=slow:check').figure).toBe('');
    expect(read('workflow=vendor&figure=late:').figure).toBe('');
    expect(runsQuery(read('workflow=vendor&figure=late:check&q=x&with=editor&sort=due'))).toEqual({
      workflow: 'vendor',
      figure: 'late:check',
      sort: 'newest',
    });
  });

  test('can have days in UTC', () =>
    expect(periodOf({ from: '2026-11-01', to: '2026-11-02', days: 'utc' })).toEqual({
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-11-02T23:59:59.999Z',
    }));

  test('include the first and the last day of a range', () => {
    const { from, to } = periodOf({ from: '2026-11-01', to: '2026-11-01' });
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(24 * 3_600_000 - 1);
    expect(new Date(from ?? '').getHours()).toBe(0);
  });

  test('send only the sort order if nothing is filtered', () =>
    expect(runsQuery(ALL_RUNS)).toEqual({ sort: 'attention' }));
});

describe('the explanation of why a run is late', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const NOW = Date.parse('2026-11-20T12:00:00Z');
  const words = (change: Partial<Run>) => lateWords(aRun({ paused: null, ...change }), NOW, (email) => `${email}!`);
  const took = aRunStep({ title: 'Collect', state: 'completed', slaState: 'breached', usedShare: 1.2 });
  const waits = aRunStep({
    title: 'Sign',
    state: 'active',
    assignee: 'sam',
    slaState: 'breached',
    dueAt: at(NOW - 60e3),
  });
  const inTime = aRunStep({ title: 'Ask', state: 'completed', slaState: 'on_track', usedShare: 0.5 });

  test('names the steps that took too long, the late steps and the people they wait for', () => {
    expect(words({ slaState: 'breached', steps: [inTime, took, waits] })).toEqual([
      'Collect took 120 % of its SLA',
      'Sign is with sam!, 1 min over',
    ]);
  });

  test('uses the start of the pause as the current time of a paused run', () => {
    const paused = { since: at(NOW - 180e3), by: null, reason: null };
    const step = { ...waits, slaState: 'at_risk' as const };
    expect(words({ slaState: 'at_risk', steps: [step], paused })).toEqual(['Sign is with sam!, due in 2 min']);
  });

  test('names the whole run if no step was late, and nothing if the run is on track', () => {
    expect(words({ slaState: 'breached', steps: [inTime] })).toEqual(['The run as a whole took longer than its SLA']);
    expect(words({ slaState: 'on_track', steps: [waits] })).toEqual([]);
  });
});

describe('segments', () => {
  test('show the state of each step', () => {
    const steps = (['completed', 'skipped', 'failed', 'active', 'blocked'] as const).map((state) =>
      aRunStep({ state }),
    );
    expect(stepSegments(steps)).toEqual(['done', 'skipped', 'failed', 'active', 'todo']);
    expect(stepSegments([aRunStep({ state: 'active', slaState: 'breached' })])).toEqual(['breached']);
    expect(stepSegments([aRunStep({ state: 'completed', slaState: 'breached' })])).toEqual(['done_late']);
  });

  test('cover all steps of a run summary', () => {
    expect(
      summarySegments({
        stepsTotal: 5,
        stepsCompleted: 2,
        simulatedSteps: 1,
        currentStepIds: ['a', 'b'],
        slaStatus: [{ stepId: 'a', state: 'at_risk' }],
      }),
    ).toEqual(['done', 'simulated', 'at_risk', 'active', 'todo']);
  });
});

describe('a run between two responses', () => {
  const HOUR = 3_600_000;
  const at = aRun().now;
  const step = aRunStep({ state: 'active', dueAt: new Date(at + HOUR).toISOString(), slaState: 'on_track' });
  const run = aRun({ slaState: 'on_track', steps: [step], durationMs: HOUR });
  test.each([
    ['on time until it is due', 'running', HOUR, 'on_track', 2 * HOUR],
    ['late afterwards, together with the run', 'running', HOUR + 1, 'breached', 2 * HOUR + 1],
    ['late even in a failed run', 'failed', 2 * HOUR, 'breached', HOUR],
    ['unchanged in a paused run', 'paused', 2 * HOUR, 'on_track', HOUR],
    ['unchanged in a cancelled run', 'cancelled', 2 * HOUR, 'on_track', HOUR],
  ] as const)('shows an open step as %s', (_, status, later, verdict, durationMs) => {
    const shown = runAt({ ...run, status }, at + later);
    expect([shown.slaState, shown.steps[0]?.slaState, shown.durationMs]).toEqual([verdict, verdict, durationMs]);
  });

  test('never moves back in time if the browser’s clock is slow', () => {
    expect(runAt(run, at - HOUR).durationMs).toBe(HOUR);
  });

  test('doesn’t become late because of a completed step whose due time has passed', () => {
    const done = aRunStep({ state: 'completed', dueAt: new Date(at - HOUR).toISOString(), slaState: 'on_track' });
    const shown = runAt({ ...run, steps: [done] }, at);
    expect([shown.slaState, shown.steps[0]?.slaState]).toEqual(['on_track', 'on_track']);
  });
});

describe('history', () => {
  test('is grouped by day, newest entry first, even among entries with the same time', () => {
    const { history } = aRun();
    const [first] = history;
    if (!first) throw new Error('The record has a history');
    const at = '2026-11-20T10:00:00.000Z';
    const days = historyDays(
      [
        { ...first, at: '2026-11-18T10:00:00.000Z' },
        { ...first, at, action: 'activated' },
        { ...first, at, action: 'completed', data: { output: { text: 'Done' } } },
        { ...first, at, stepId: null, action: 'run_completed' },
        { ...first, at, action: 'run_failed' },
      ],
      [{ id: 'register', title: 'Register' }],
      Date.parse(at),
    );
    expect(days.map(({ day }) => day)).toEqual(['Today', '18 November']);
    expect(days[0]?.lines.map(({ subject, verb, detail }) => `${subject} ${verb} ${detail}`)).toEqual([
      'Run failed Priya Nair',
      'Run completed Priya Nair',
      'Register completed Priya Nair: “Done”',
      'Register activated Priya Nair',
    ]);
  });
});

test('the history names the files in a person’s input, and none that a script returned', () => {
  const [entry] = aRun().history;
  if (!entry) throw new Error('The record has a history');
  const file = { fileId: 'a', sha256: 'ab'.repeat(32), size: 7, name: 'offer.pdf', mediaType: 'application/pdf' };
  const output = { text: '', fields: { offer: [file], amount: 3 } };
  const filesOf = (data: Record<string, unknown>) =>
    historyDays([{ ...entry, action: 'completed', data }], [], Date.parse(entry.at))[0]?.lines[0]?.files;
  expect(filesOf({ output })).toEqual([file]);
  expect(filesOf({ output, report: { kind: 'automated' } })).toEqual([]);
  expect(filesOf({})).toEqual([]);
});

test('the history doesn’t repeat the name of the person whose rejection made the step fail', () => {
  const [entry] = aRun().history;
  if (!entry) throw new Error('The record has a history');
  const reason = `Rejected by ${entry.actor.name}: dissolved`;
  const [day] = historyDays([{ ...entry, action: 'failed', data: { reason } }], [], Date.parse(entry.at));
  expect(day?.lines[0]?.detail).toBe('Priya Nair: Rejected: dissolved');
});

test('a run without a name shows its short id', () => {
  expect(runTitle({ id: '4c1e9a07-0000', name: '  ' })).toBe('Run #4c1e9a07');
});

test('trend bars stay inside their box regardless of their number and height', () => {
  const { bars, width } = trendBars([0, 0.5, 0.8, 1.01, 9, ...Array.from({ length: 45 }, () => 1)]);
  for (const bar of bars) {
    expect(bar.x + width).toBeLessThanOrEqual(TREND_BOX.width);
    expect(bar.y).toBeGreaterThan(0);
    expect(bar.height).toBeGreaterThan(0);
  }
  expect(bars.slice(0, 5).map(({ tone }) => tone)).toEqual(['plain', 'plain', 'at_risk', 'breached', 'breached']);
});
