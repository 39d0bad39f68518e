import type { SystemCommand } from '@stet/domain/runs';
import type { ConditionStep } from '@stet/domain/steps';
import { cutText } from '@stet/domain/workflows';
import type { Deps } from '../../../kernel/deps.ts';
import type { Executor, Work } from './active-step.ts';
import { scriptInput } from './script-input.ts';

const TIME_MS = 5000;

/** Evaluates the FEEL expression of a condition. A result other than true or false is an error. */
async function decide({ sandbox }: Pick<Deps, 'sandbox'>, work: Work<ConditionStep>): Promise<SystemCommand> {
  const { stepId, activation } = work.job;
  const at = { stepId, activation };
  const expression = (work.step.config.condition ?? '').trim();
  const failed = (reason: string): SystemCommand => ({ type: 'fail_step', ...at, reason });
  if (expression === '') return failed('The step has no condition');
  const ended = await sandbox.evaluate({
    orgId: work.job.orgId,
    expression,
    timeoutMs: TIME_MS,
    input: scriptInput(work),
  });
  if (ended.outcome === 'failed') return failed(`The condition could not be evaluated: ${ended.reason}`);
  if (typeof ended.value === 'boolean') {
    const result = ended.value;
    return { type: 'finish_step', ...at, report: { kind: 'condition', result }, output: { result } };
  }
  return failed(`A condition must be true or false, but this one is ${cutText(JSON.stringify(ended.value), 100)}`);
}

export const condition: Executor<ConditionStep> = {
  execute: async (deps, work) => ({ command: await decide(deps, work) }),
};
