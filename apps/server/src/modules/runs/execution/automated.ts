import type { SystemCommand } from '@stet/domain/runs';
import { type AutomatedStep, SIMULATION, STEP_KINDS, isSimulated } from '@stet/domain/steps';
import type { Deps } from '../../../kernel/deps.ts';
import type { Executor, Work } from './active-step.ts';
import { scriptInput } from './script-input.ts';

/** Runs the script of a step, or its simulation. */
async function run(
  { sandbox, config }: Pick<Deps, 'sandbox' | 'config'>,
  work: Work<AutomatedStep>,
): Promise<SystemCommand> {
  const { stepId, activation } = work.job;
  const at = { stepId, activation };
  if (isSimulated(work.step)) return simulated(at, config.simulatedFailureRate, Math.random);
  const { script = '', timeout = STEP_KINDS.automated.defaults.config.timeout } = work.step.config;
  const began = performance.now();
  const ended = await sandbox.run({
    orgId: work.job.orgId,
    script,
    timeoutMs: timeout * 1000,
    input: scriptInput(work),
  });
  const { log } = ended;
  if (ended.outcome === 'failed') return { type: 'fail_step', ...at, reason: ended.reason, log };
  const reportedMs = Math.round(performance.now() - began);
  const report = { kind: 'automated', simulated: false, reportedMs } as const;
  return { type: 'finish_step', ...at, report, output: ended.value, log };
}

/**
 * Simulates a step. Random numbers determine whether it fails and which duration it reports (specification, section 9).
 */
export function simulated(
  at: { stepId: string; activation: number },
  failureRate: number,
  random: () => number,
): SystemCommand {
  if (random() < failureRate) return { type: 'fail_step', ...at, reason: 'Simulated failure', simulated: true };
  const { least, most } = SIMULATION.reportedMs;
  const reportedMs = Math.round(least + random() * (most - least));
  const output = { simulated: true, executionTimeMs: reportedMs };
  return { type: 'finish_step', ...at, report: { kind: 'automated', simulated: true, reportedMs }, output };
}

export const automated: Executor<AutomatedStep> = {
  execute: async (deps, work) => ({ command: await run(deps, work) }),
};
