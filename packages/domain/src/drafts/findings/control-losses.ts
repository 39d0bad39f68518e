import type { WorkflowContent } from '../../workflows/content.ts';
import { classify } from './classify.ts';
import type { ChangeFinding, FindingCode, NamedStep } from './finding.ts';
import { findingSentence } from './finding-words.ts';

/** The kinds of lost controls in the API and in the audit trail, most severe first. */
export const CONTROL_LOSS_KINDS = [
  'approval_removed',
  'no_longer_before',
  'open_from_start',
  'no_longer_after',
  'fewer_approvers',
  'approver_widened',
  'separation_dropped',
  'separation_bypassed',
  'sign_off_dropped',
  'rejection_softened',
  'skip_allowed',
  'clock_removed',
  'clock_loosened',
  'evidence_dropped',
  'field_loosened',
  'recipient_lost',
] as const;
export type ControlLossKind = (typeof CONTROL_LOSS_KINDS)[number];

/** A finding of a lost or weakened control. */
export type ControlLoss = ChangeFinding & { stepId: string; effect: 'loss' };

const isLoss = (finding: ChangeFinding): finding is ControlLoss => finding.effect === 'loss' && finding.stepId !== null;

/** Returns the findings of lost controls. */
export const lossesAmong = (findings: readonly ChangeFinding[]): ControlLoss[] => findings.filter(isLoss);

/** Returns the losses in the content `after`, compared with each of the earlier ones. */
export const controlLosses = (befores: readonly (WorkflowContent | null)[], after: WorkflowContent): ControlLoss[] =>
  lossesAmong(
    classify(
      befores.filter((before) => before !== null),
      null,
      after,
      { restoredVersion: null },
    ),
  );

/** A loss for the review, the notifications and the trail. */
export type LossInWords = NamedStep & { kind: ControlLossKind; sentence: string };

/** Returns the losses with their sentences. */
export const inSentences = (losses: readonly ControlLoss[]): LossInWords[] =>
  losses.map((loss) => ({
    kind: lossKind(loss),
    stepId: loss.stepId,
    title: loss.title,
    sentence: findingSentence(loss),
  }));

const SEVERAL_KINDS = {
  before: 'no_longer_before',
  start: 'open_from_start',
  after: 'no_longer_after',
  setting: 'separation_dropped',
  between: 'separation_bypassed',
} as const;

/** Returns the kind of a loss, as it is named in the API and in the audit trail. */
export function lossKind(loss: ControlLoss): ControlLossKind {
  const { code } = loss;
  if (code === 'approval_bypassed' || code === 'separation_dropped') return SEVERAL_KINDS[loss.how];
  if (!isKind(code)) throw new Error(`A loss has no kind: ${code}`);
  return code;
}

const isKind = (code: FindingCode): code is Extract<FindingCode, ControlLossKind> =>
  (CONTROL_LOSS_KINDS as readonly string[]).includes(code);
