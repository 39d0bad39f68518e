import type { Run, RunStep } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { dueInWords } from '@stet/presentation/duration-in-words';

/**
 * The reason why a run is late or at risk, one sentence per step: 'Collect tax documents took 120 % of its SLA'. Empty
 * for a run on track, and for one that is at risk although none of its steps is. `now` is the server's time in
 * milliseconds, and `nameOf` returns an assignee's name.
 */
export function lateWords(
  { slaState, steps, paused }: Pick<Run, 'slaState' | 'steps' | 'paused'>,
  now: number,
  nameOf: (assignee: string) => string,
): string[] {
  if (slaState !== 'breached' && slaState !== 'at_risk') return [];
  const at = paused ? Date.parse(paused.since) : now;
  const why = (step: RunStep): string => {
    const title = isolated(step.title);
    if (step.state === 'active' && step.dueAt) {
      const who = step.assignee ? ` with ${isolated(nameOf(step.assignee))},` : '';
      return `${title} is${who} ${dueInWords(Date.parse(step.dueAt), at)}`;
    }
    if (step.state === 'completed' && step.usedShare !== null)
      return `${title} took ${Math.round(step.usedShare * 100)} % of its SLA`;
    return `${title} ran past its due time`;
  };
  const words = steps.filter((step) => step.slaState === slaState && step.state !== 'pending').map(why);
  if (words.length > 0 || slaState === 'at_risk') return words;
  return ['The run as a whole took longer than its SLA'];
}
