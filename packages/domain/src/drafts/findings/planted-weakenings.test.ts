import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step } from '../../steps/index.ts';
import type { WorkflowContent } from '../../workflows/content.ts';
import { classify } from './classify.ts';
import { isAlarm } from './finding.ts';
import { edited, guardedWorkflow, HARMLESS, WEAKENINGS } from './planted.arbitrary.ts';
import { promisesOf, read } from './promises.oracle.ts';

declare const process: { env: Record<string, string | undefined> };

// To check more pairs or repeat a run: `STET_FINDINGS=2000 STET_SEED=1 npx vitest run --project unit <this file>`.
const seed = Number(process.env['STET_SEED'] ?? Date.now() % 1_000_000);
const pairs = Number(process.env['STET_FINDINGS'] ?? 300);

const content = (steps: Step[]): WorkflowContent => ({ metadata: { title: 'Vendors', description: '' }, steps });
const findingsOf = (before: Step[], after: Step[], baselines: Step[][] = []) =>
  classify(baselines.map(content), content(before), content(after), { restoredVersion: null });
const alarmsOf = (...sides: Parameters<typeof findingsOf>) => findingsOf(...sides).filter(isAlarm);

/** Returns the promises of the first steps that the second ones break, according to the oracle. */
function broken(before: Step[], after: Step[]): string[] {
  const [was, now] = [read(before), read(after)];
  return promisesOf(was)
    .filter((promise) => !promise.isKeptBy(now))
    .map(({ what, stepId }) => `${what} ${stepId}`);
}

/**
 * For each kind of promise, the codes that report it if it is broken. The codes in `OF_ANY` report promises of any
 * kind.
 */
const REPORTED_BY: Record<string, string[]> = {
  'approved before': ['approval_bypassed', 'sign_off_dropped', 'condition_changed'],
  'always done': ['condition_changed', 'step_removed', 'approval_removed'],
  'follows an answer': ['condition_changed'],
  clock: ['clock_loosened', 'clock_removed'],
  'signed off': ['sign_off_dropped'],
  field: ['field_loosened', 'evidence_dropped'],
  approvers: ['fewer_approvers'],
  separate: ['separation_dropped'],
  people: ['approver_widened', 'people_changed'],
  rejection: ['rejection_softened'],
  script: ['script_changed'],
  condition: ['condition_changed'],
  recipient: ['recipient_lost'],
  'never skipped': ['skip_allowed'],
};
const OF_ANY = ['approval_removed', 'step_removed', 'type_changed'];

describe(`findings (seed ${seed}, ${pairs} pairs)`, () => {
  it('include every promise that a planted weakening breaks', { timeout: 600_000 }, () => {
    const seen = new Map<string, number>();
    for (const { kind, before, after } of fc.sample(edited(WEAKENINGS), { seed, numRuns: pairs })) {
      const codes = alarmsOf(before, after).map(({ code }) => code);
      const missed = broken(before, after).filter((promise) => {
        const reporting = REPORTED_BY[promise.slice(0, promise.lastIndexOf(' '))] ?? [];
        return !codes.some((code) => reporting.includes(code) || OF_ANY.includes(code));
      });
      expect({ kind, missed, before, after }).toEqual({ kind, missed: [], before, after });
      if (broken(before, after).length > 0) seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    expect(seen.size, [...seen.keys()].join(', ')).toBeGreaterThanOrEqual(Math.min(16, pairs / 20));
  });

  it('aren’t empty for any change that breaks a promise', { timeout: 600_000 }, () => {
    const anyPair = fc.tuple(guardedWorkflow, guardedWorkflow);
    for (const [before, after] of fc.sample(anyPair, { seed, numRuns: pairs })) {
      if (broken(before, after).length > 0) expect(alarmsOf(before, after)).not.toEqual([]);
    }
  });

  it('report ten small loosenings in ten drafts as one large one', () => {
    for (const steps of fc.sample(guardedWorkflow, { seed, numRuns: Math.ceil(pairs / 10) })) {
      const [{ id } = { id: '' }] = steps;
      const afterHours = (hours: number) =>
        steps.map((step) => (step.id === id ? { ...step, sla: `${hours}h` } : step));
      const clocks = (live: number, draft: number, baselines: number[]) =>
        findingsOf(afterHours(live), afterHours(draft), baselines.map(afterHours)).filter(
          ({ code }) => code === 'clock_loosened',
        );
      for (let draft = 11; draft <= 20; draft += 1) {
        const large = { stepId: id, before: { text: '10h' }, after: { text: `${draft}h` } };
        expect(clocks(draft - 1, draft, [10])).toMatchObject([large]);
        // A draft that doesn't touch the clock still goes beyond what was approved.
        expect(clocks(draft, draft, [10])).toMatchObject([large]);
        expect(clocks(draft, draft, [])).toEqual([]);
      }
    }
  });

  it('rarely report changes that only add controls or change texts', { timeout: 600_000 }, () => {
    const alarmed = fc
      .sample(edited(HARMLESS), { seed, numRuns: Math.ceil(pairs / 2) })
      .filter(({ before, after }) => alarmsOf(before, after).length > 0)
      .map(({ kind }) => kind);
    expect(alarmed.length / Math.ceil(pairs / 2), alarmed.join(', ')).toBeLessThanOrEqual(0.05);
  });
});
