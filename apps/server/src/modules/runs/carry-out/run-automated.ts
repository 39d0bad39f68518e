import type { SystemCommand } from '@stet/domain/runs';
import { type AutomatedStep, SIMULATION, STEP_DEFAULTS, isSimulated } from '@stet/domain/workflows';
import type { Deps } from '../../../kernel/deps.ts';
import type { Work } from './active-step.ts';
import { seenByScripts } from './seen-by-scripts.ts';

/** Runs the script of a step, or plays what stands in for one. */
export async function runAutomated(
  { sandbox, config }: Pick<Deps, 'sandbox' | 'config'>,
  work: Work<AutomatedStep>,
): Promise<SystemCommand> {
  const { stepId, activation } = work.job;
  const at = { stepId, activation };
  if (isSimulated(work.step)) return simulated(at, config.simulatedFailureRate, Math.random);
  const { script = '', timeout = STEP_DEFAULTS.automated.config.timeout } = work.step.config;
  const began = performance.now();
  const ended = await sandbox.run({
    orgId: work.job.orgId,
    script,
    timeoutMs: timeout * 1000,
    input: seenByScripts(work),
  });
  const { log } = ended;
  if (ended.outcome === 'failed') return { type: 'fail_step', ...at, reason: ended.reason, log };
  const reportedMs = Math.round(performance.now() - began);
  return { type: 'finish_automated', ...at, output: ended.value, reportedMs, log };
}

/** Chance decides whether it fails, and how long it says that it took (specification, section 9). */
export function simulated(
  at: { stepId: string; activation: number },
  failureRate: number,
  random: () => number,
): SystemCommand {
  if (random() < failureRate) return { type: 'fail_step', ...at, reason: 'Simulated failure', simulated: true };
  const { least, most } = SIMULATION.reportedMs;
  const reportedMs = Math.round(least + random() * (most - least));
  const output = { simulated: true, executionTimeMs: reportedMs };
  return { type: 'finish_automated', ...at, output, reportedMs, simulated: true };
}
