import type { SystemCommand } from '@stet/domain/runs';
import type { Deps } from '../../kernel/deps.ts';
import type { RunContext } from '../../kernel/recorded-event.ts';
import { givenBySystem, readNow, runCommand } from './run-command.ts';
import { lockRun } from './runs.sql.ts';

type Report = {
  orgId: string;
  runId: string;
  command: SystemCommand;
  /** The in-app message of a notification step. */
  message?: RunContext['message'];
};

/**
 * Reports a job's result. The run accepts it only once per activation. Late or duplicate results, and results for a run
 * that isn't running or whose version was altered, change nothing, and the job still succeeds.
 */
export async function reportStep(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { orgId, runId, command, message }: Report,
): Promise<void> {
  const outcome = await db.transaction({ orgId, userId: null }, (tx) =>
    runCommand(tx, {
      orgId,
      runId,
      sessionId: null,
      lock: () => tx.maybeOne(lockRun, { orgId, runId }),
      read: () => readNow(tx),
      give: () => givenBySystem(command),
      about: () => (message ? { message } : {}),
    }),
  );
  if (!outcome.ok) {
    const { code } = outcome.refusal;
    if (code === 'version_altered') log.error({ runId }, 'the version of a run was altered, so the run can’t continue');
    else log.debug({ runId, refusal: code }, 'did not accept the result of a step job');
  }
}
