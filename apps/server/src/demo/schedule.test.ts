import { DAY_MS, HOUR_MS } from '@stet/domain/sla';
import { describe, expect, it } from 'vitest';
import { timesOf } from './play-draft.ts';
import { RUNS } from './runs/all-runs.ts';
import { beginningOf, runTimes, workingTimeBefore } from './schedule.ts';
import { WORKDAYS } from './when.ts';
import { WORKFLOWS } from './workflows/all-workflows.ts';

/** Times in two weeks, at different times of day. */
const TIMES = Array.from({ length: 48 }, (_, n) => new Date(2026, 10, 9).getTime() + n * 7 * HOUR_MS);

describe('the schedule of the demo', () => {
  it('puts a run of a past week on its working day and time, regardless of the current weekday', () => {
    for (let day = 0; day < 14; day += 1) {
      const now = new Date(2026, 10, 9 + day, 0, 30).getTime();
      for (const [n, name] of WORKDAYS.entries()) {
        const begun = new Date(beginningOf({ week: 1, day: name, at: '16:45' }, 0, now));
        expect([begun.getDay(), begun.getHours(), begun.getMinutes()]).toEqual([n + 1, 16, 45]);
        expect(now - begun.getTime()).toBeGreaterThan(0);
        expect(now - begun.getTime()).toBeLessThan(12 * DAY_MS);
      }
    }
  });

  it('counts back working time over nights and weekends', () => {
    const monday = (hour: number): number => new Date(2026, 10, 16, hour, 30).getTime();
    expect(workingTimeBefore(monday(10), HOUR_MS)).toBe(monday(9));
    expect(new Date(workingTimeBefore(monday(10), 3 * HOUR_MS))).toEqual(new Date(2026, 10, 13, 16, 30));
    expect(new Date(workingTimeBefore(monday(6), 0))).toEqual(new Date(2026, 10, 13, 17, 30));
  });

  it('puts no action in the future, and no run more than 90 days back', () => {
    for (const now of TIMES)
      for (const run of RUNS) {
        const { start, acts } = runTimes(run, now);
        expect(now - start).toBeLessThan(('last' in run.when || run.when.week <= 3 ? 27 : 90) * DAY_MS);
        expect(acts.at(-1) ?? start).toBeLessThan(now);
      }
  });

  it('puts drafts and their acts in order, and runs only on live versions', () => {
    for (const now of TIMES)
      for (const { key, versions, openDraft, rollback, archived } of WORKFLOWS) {
        const drafts = [...versions, ...(openDraft ? [openDraft] : [])].map((script, n) =>
          timesOf(key, script, n, now),
        );
        for (const times of drafts) expect(times).toEqual(times.toSorted((one, other) => one - other));
        expect(drafts.flat().every((at) => at < now)).toBe(true);
        const merges = drafts.slice(0, versions.length).map((times) => times.at(-1) ?? 0);
        for (const [n, times] of drafts.entries()) if (n > 0) expect(times[0]).toBeGreaterThan(merges[n - 1] ?? 0);
        for (const run of RUNS.filter(({ workflow }) => workflow === key)) {
          const { start } = runTimes(run, now);
          const live = merges.findLastIndex((at) => at < start) + 1;
          const isBack = rollback !== undefined && start > now - rollback.agoMs;
          expect(isBack ? rollback.to : live, run.name).toBe(run.version);
          if (archived) expect(runTimes(run, now).acts.at(-1)).toBeLessThan(now - archived.agoMs);
        }
      }
  });
});
