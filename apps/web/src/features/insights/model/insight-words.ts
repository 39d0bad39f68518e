import type { Conformance, WorkflowInsights } from '@stet/contract';
import type { Deviation, Measure, ReviewDecision, Verdict } from '@stet/domain/insights';
import { isolated } from '@stet/domain/workflows';
import { durationInWords } from '@stet/presentation/duration-in-words';
import { counted } from '../../../lib/format/number.ts';

/** A duration in seconds, in words; a dash if nothing is counted. */
export const secondsInWords = (seconds: number | null): string =>
  durationInWords(seconds === null ? null : seconds * 1000, 'seconds');

export const MEASURE_WORDS: Record<Measure, string> = {
  calendar: 'Total time',
  working: 'Within working hours',
  waiting: 'Waiting for the first action',
  handling: 'From the first action to the end',
};

/** The name and the meaning of each kind of deviation. */
export const DEVIATION_WORDS: Record<Deviation, { name: string; meaning: string }> = {
  control_skipped: { name: 'Control skipped', meaning: 'An approval was skipped.' },
  step_skipped: { name: 'Step skipped', meaning: 'Someone skipped the step.' },
  approved_at_once: { name: 'Approved at once', meaning: 'The approval came within 10 seconds.' },
  own_work_approved: { name: 'Own work approved', meaning: 'The approver did a step directly before it.' },
  decision_marked: { name: 'Marked decision', meaning: 'The decision by itself doesn’t prove two people.' },
  done_by_other: { name: 'Done by someone else', meaning: 'The step names other people.' },
  evidence_missing: { name: 'Evidence missing', meaning: 'The form asks for a file, photo or link, and got none.' },
  done_long_after: { name: 'Done long after', meaning: 'The step took more than twice its SLA.' },
  no_reaction: { name: 'No reaction', meaning: 'Nobody reacted within a day after the SLA was breached.' },
  returned_often: { name: 'Returned often', meaning: 'The step was returned for the third time.' },
  simulated: { name: 'Simulated', meaning: 'A simulation completed the step instead of its script.' },
  retried_alone: { name: 'Retried alone', meaning: 'The rejected people retried the step themselves.' },
};

export const REVIEW_DECISION_WORDS: Record<ReviewDecision, string> = {
  approved: 'Approved',
  changes_requested: 'Changes requested',
};

/** How the time of a review is counted. */
export const REVIEW_TIME =
  'From the submission to the request for changes, or to the last approval of a draft that went live.';

export const VERDICT_WORDS: Record<Verdict, string> = {
  faster: 'Faster',
  slower: 'Slower',
  no_clear_difference: 'No clear difference',
  too_few_runs: 'Too few runs to compare (20 needed on each side)',
};

/** A share in percent; a dash if there is nothing to compare with. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '—' : `${Math.round((100 * part) / whole)} %`;

/** The people that steps wait for: `Group finance`, `Role editor`, `People named directly`. */
export function whoInWords(who: string): string {
  if (who === 'people') return 'People named directly';
  if (who === 'anyone') return 'Anyone';
  if (who === 'starter') return 'The person who started the run';
  return isolated(who.replace(/^group:/, 'Group ').replace(/^role:/, 'Role '));
}

export type StepInsights = WorkflowInsights['steps'][number];

/** The step with the longest median, of those completed at least a quarter as often as runs. Null if there is none. */
export function slowestStep({ steps, runs }: WorkflowInsights): StepInsights | null {
  const usual = steps.filter(({ times }) => times.count * 4 >= runs.completed && (times.calendar.p50 ?? 0) > 0);
  return usual.reduce<StepInsights | null>(
    (one, other) => ((other.times.calendar.p50 ?? 0) > (one?.times.calendar.p50 ?? 0) ? other : one),
    null,
  );
}

type StepChange = NonNullable<WorkflowInsights['change']>['steps'][number];

/** The step whose median changed most, in the same direction as that of the runs. Null if none did. */
function mostChangedStep(steps: readonly StepChange[], verdict: Verdict): StepChange | null {
  const by = ({ before, after }: StepChange): number => Math.abs((after.p50 ?? 0) - (before.p50 ?? 0));
  return steps
    .filter((step) => step.verdict === verdict)
    .reduce<StepChange | null>((one, other) => (one && by(one) >= by(other) ? one : other), null);
}

/**
 * The main points in sentences: the slowest step, the effect of the last version, and how often the slowest step was
 * late. Empty if there is nothing to say, for example because no run was completed.
 */
export function storyOf(insights: WorkflowInsights): string[] {
  const { runs, change } = insights;
  if (runs.completed === 0) return [];
  const slowest = slowestStep(insights);
  const sentences: string[] = [];
  if (slowest) {
    const { p50 } = slowest.times.calendar;
    const wait = slowest.times.waiting.p50;
    const waits = wait !== null && p50 !== null && p50 > 0 ? Math.min(100, Math.round((100 * wait) / p50)) : null;
    sentences.push(
      `The slowest step is ${isolated(slowest.title)}: half of the runs need more than ${secondsInWords(p50)} for it.` +
        (waits !== null && waits >= 50 ? ` Most of that is waiting for someone to begin.` : ''),
    );
  }
  if (change) {
    const { before, after, verdict } = change.measures.calendar;
    const times = `${secondsInWords(before.p50)} → ${secondsInWords(after.p50)}`;
    const counts = `${counted(before.runs, 'run')} before, ${counted(after.runs, 'run')} after`;
    const words = {
      faster: `Since v${change.after}, runs are faster: ${times} (${counts}).`,
      slower: `Since v${change.after}, runs are slower: ${times} (${counts}).`,
      no_clear_difference: `v${change.after} made no clear difference: ${times} (${counts}).`,
      too_few_runs: `v${change.after} has too few runs to compare it with v${change.before} (${counts}).`,
    };
    const most = verdict === 'faster' || verdict === 'slower' ? mostChangedStep(change.steps, verdict) : null;
    sentences.push(
      words[verdict] +
        (most
          ? ` ${isolated(most.title)} changed most: ${secondsInWords(most.before.p50)} → ${secondsInWords(most.after.p50)}.`
          : ''),
    );
  }
  if (slowest && slowest.sla.timed > 0 && slowest.sla.kept < slowest.sla.timed)
    sentences.push(
      `${isolated(slowest.title)} was late ${slowest.sla.timed - slowest.sla.kept} of ${slowest.sla.timed} times. Improve this step first.`,
    );
  return sentences;
}

/** The figures of a step, as the text of a comment in the draft that improves it. */
export function figuresComment({ from, to, asOf }: WorkflowInsights, step: StepInsights): string {
  const { times, sla } = step;
  return [
    `Figures of “${step.title}” from runs started between ${from} and ${to} (counted up to ${asOf.slice(0, 10)}):`,
    `- ${counted(step.runs, 'run')}, ${counted(times.count, 'completion')}`,
    `- median ${secondsInWords(times.calendar.p50)}, 90 % within ${secondsInWords(times.calendar.p90)}`,
    `- waiting for the first action: median ${secondsInWords(times.waiting.p50)}`,
    ...(sla.timed > 0 ? [`- in time: ${sla.kept} of ${sla.timed} (${percent(sla.kept, sla.timed)})`] : []),
    `- skipped ${step.skipped}, returned to ${step.returned}, sent back ${step.sentBack}, handed over ${step.handedOver}, failed ${step.failed}`,
  ].join('\n');
}

/** The deviations at a step, as the text of a comment in the draft that improves it. */
export function deviationsComment({ from, to, asOf, runs, counts }: Conformance, stepId: string): string {
  const atStep = counts.filter((each) => each.stepId === stepId);
  return [
    `Deviations at “${atStep[0]?.title ?? stepId}” in runs started between ${from} and ${to} (counted up to ${asOf.slice(0, 10)}):`,
    ...atStep.map(({ kind, findings }) => `- ${DEVIATION_WORDS[kind].name}: ${findings}`),
    `- ${counted(runs, 'run')} ended in all`,
  ].join('\n');
}

/** The measures that the flow picture can show. */
export const HEATS = {
  time: { label: 'Time', of: ({ times }: StepInsights) => times.calendar.p50 ?? 0, words: secondsInWords },
  waiting: { label: 'Waiting', of: ({ times }: StepInsights) => times.waiting.p50 ?? 0, words: secondsInWords },
  returns: { label: 'Returns', of: ({ returned }: StepInsights) => returned, words: (n: number) => `${n} returned` },
  late: { label: 'Late', of: ({ sla }: StepInsights) => sla.timed - sla.kept, words: (n: number) => `${n} late` },
} as const;
export type Heat = keyof typeof HEATS;

/** Each step's figure for the flow picture, and its share of the largest figure. */
export function heatOf(steps: readonly StepInsights[], heat: Heat): Map<string, { text: string; share: number }> {
  const { of, words } = HEATS[heat];
  const most = Math.max(1, ...steps.map(of));
  return new Map(steps.map((step) => [step.stepId, { text: words(of(step)), share: of(step) / most }]));
}
