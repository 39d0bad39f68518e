import { z } from 'zod';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import { SlackProblem } from '../../kernel/slack.ts';
import { findConnection, workspaceOf } from '../integrations/index.ts';
import { keyOf, stepWording } from './deliver-slack.job.ts';
import { findActiveStep, findSentMessage, findStepState } from './slack.sql.ts';
import { finishedMessage, nameOf } from './slack-messages.ts';
import { outcomeOf } from './step-outcome.ts';

const updateJob = z.object({
  orgId: z.uuid(),
  about: z.object({ kind: z.literal('step'), runId: z.uuid(), stepId: z.string(), activation: z.number().int() }),
  attempt: z.number().int().default(0),
});

/**
 * The delays between retries, in milliseconds. If all of them fail, a button remains in the message. Clicking it shows
 * the step's outcome.
 */
const TRY_AGAIN_MS = [1000, 5000, 30_000, 120_000, 600_000];

/**
 * Updates the message of an activation to the current state of the step. The message has no buttons if the step is
 * done, its input awaits approval or, in a direct message, it waits for someone else. It has buttons again if the input
 * is returned or the step waits for the reader again. Idempotent.
 */
export async function updateInSlack(
  deps: Pick<Deps, 'db' | 'slack' | 'vault' | 'log' | 'publicUrl' | 'pokeOutbox'>,
  payload: unknown,
): Promise<void> {
  const { orgId, about, attempt } = updateJob.parse(payload);
  const { runId, stepId, activation } = about;
  const key = keyOf(about);
  const [connection, message, step, waiting] = await deps.db.transaction({ orgId, userId: null }, (tx) =>
    Promise.all([
      tx.maybeOne(findConnection, { orgId }),
      tx.maybeOne(findSentMessage, { orgId, key }),
      tx.maybeOne(findStepState, { orgId, runId, stepId }),
      tx.maybeOne(findActiveStep, { orgId, runId, stepId, activation }),
    ]),
  );
  const connected = workspaceOf(deps, orgId, connection);
  if (!connected || connected.connection.problem !== null || !message || !step) return;
  const { channel_id: channel, ts } = message;
  const { isOpen, outcome } = outcomeOf(step, activation);
  const { title, run_name: run } = step;
  const isForChannel = channel === connected.connection.channel_id;
  const isReaders = isForChannel || waiting?.assignee.toLowerCase() === message.assignee.toLowerCase();
  const shown =
    isOpen && waiting && isReaders
      ? stepWording(deps, orgId, about, waiting).to(isForChannel)
      : finishedMessage({
          title,
          run,
          outcome: isOpen && waiting ? `This step is now waiting for ${nameOf(waiting.assignee)}` : outcome,
          link: `${deps.publicUrl}/app/runs/${runId}`,
        });
  try {
    await connected.workspace.replace({ channel, ts }, shown);
  } catch (error) {
    if (!(error instanceof SlackProblem)) throw error;
    const pause = TRY_AGAIN_MS[attempt];
    if (error.failure.kind !== 'later' || pause === undefined) {
      deps.log.warn({ err: error }, 'could not update a message in Slack');
      return;
    }
    const delayMs = Math.max(error.failure.waitMs, pause);
    await deps.db.transaction({ orgId, userId: null }, async (tx) =>
      enqueueJobs(tx, [
        {
          task: 'refresh_in_slack',
          payload: { orgId, about, attempt: attempt + 1 },
          key: `slack:refresh:${key}`,
          delayMs,
        },
      ]),
    );
    deps.pokeOutbox();
  }
}
