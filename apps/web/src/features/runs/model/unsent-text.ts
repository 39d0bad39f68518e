import { isolated } from '@stet/domain/workflows';
import type { Run, RunStep } from '@stet/contract';
import { typedLines } from '../../../step-types/run/typed.ts';
import { type StepDrafts, textsOf } from './typed-input.ts';

/** Text that was typed for a step that is no longer waiting for it. */
export type UnsentText = { stepId: string; title: string; what: string; lines: string[] };

const takesInput = ({ abilities }: RunStep): boolean => abilities.complete || abilities.approve || abilities.reject;

/**
 * Typed text for steps that no longer wait for it, for example because someone else was faster. While the run isn't
 * running, for example during a pause, text for the current activation of an active step stays.
 */
export function findUnsentText(run: Pick<Run, 'status' | 'steps'>, drafts: StepDrafts): UnsentText[] {
  return run.steps.flatMap((step) => {
    const lines = typedLines(step.fields, drafts[step.id]?.texts ?? {});
    // After a rejection, the step can be active again; the text belongs to its previous activation.
    const isCurrent = Object.keys(textsOf(drafts, step)).length > 0;
    const stillWaits = isCurrent && step.state === 'active' && (run.status !== 'running' || takesInput(step));
    return lines.length === 0 || stillWaits ? [] : [{ stepId: step.id, title: step.title, what: whatOf(step), lines }];
  });
}

function whatOf(step: RunStep): string {
  const by = step.completedBy ? ` by ${isolated(step.completedBy.name)}` : '';
  if (step.state === 'completed' || step.state === 'skipped') return `was ${step.state}${by} while you were writing.`;
  if (step.submittedBy) return `received input from ${isolated(step.submittedBy.name)} while you were writing.`;
  return 'is no longer waiting for you.';
}
