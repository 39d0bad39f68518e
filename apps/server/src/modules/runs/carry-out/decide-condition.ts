import { cutText } from '@stet/domain/workflows';
import type { SystemCommand } from '@stet/domain/runs';
import type { ConditionStep } from '@stet/domain/workflows';
import type { Deps } from '../../../kernel/deps.ts';
import type { Work } from './active-step.ts';
import { seenByScripts } from './seen-by-scripts.ts';

const TIME_MS = 5000;

/** Decides a condition by its FEEL expression; what is neither true nor false is no decision. */
export async function decideCondition(
  { sandbox }: Pick<Deps, 'sandbox'>,
  work: Work<ConditionStep>,
): Promise<SystemCommand> {
  const { stepId, activation } = work.job;
  const at = { stepId, activation };
  const expression = (work.step.config.condition ?? '').trim();
  const failed = (reason: string): SystemCommand => ({ type: 'fail_step', ...at, reason });
  if (expression === '') return failed('The step has no condition');
  const ended = await sandbox.evaluate({
    orgId: work.job.orgId,
    expression,
    timeoutMs: TIME_MS,
    input: seenByScripts(work),
  });
  if (ended.outcome === 'failed') return failed(`The condition could not be evaluated: ${ended.reason}`);
  if (typeof ended.value === 'boolean') return { type: 'decide_condition', ...at, result: ended.value };
  return failed(`A condition has to be true or false, and this one is ${cutText(JSON.stringify(ended.value), 100)}`);
}
