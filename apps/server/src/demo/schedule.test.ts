import { DAY_MS, HOUR_MS } from '@stet/domain/sla';
import { describe, expect, it } from 'vitest';
import { CAST, EVERYONE, type Who } from './cast.ts';
import { replay } from './replay.ts';
import { RUNS } from './runs/all-runs.ts';
import { WORKFLOWS } from './workflows/all-workflows.ts';
import { WORKDAYS, beginningOf } from './schedule.ts';

const ids = Object.fromEntries(EVERYONE.map((who) => [who, CAST[who].email])) as Record<Who, string>;

function stepsOf(key: string, version: number) {
  const acts = WORKFLOWS.find((workflow) => workflow.key === key)?.versions[version - 1]?.acts ?? [];
  const saved = acts.flatMap((act) => (act.do === 'save' ? [act.steps] : [])).at(-1);
  if (!saved) throw new Error(`no version ${version} of ${key}`);
  return { steps: saved };
}

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

  it('puts no action in the future and no run more than 27 days back, whatever the day and time', () => {
    for (let hours = 0; hours < 14 * 24; hours += 7) {
      const now = new Date(2026, 10, 9).getTime() + hours * HOUR_MS;
      for (const run of RUNS) {
        const { state } = replay(stepsOf(run.workflow, run.version), run, { ids, now });
        expect(now - state.startedAt).toBeLessThan(27 * DAY_MS);
      }
    }
  });
});
