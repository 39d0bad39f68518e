import { z } from 'zod';
import { leaveJobs } from '../../db/outbox.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import { SlackProblem } from '../../kernel/slack.ts';
import { findConnection } from './slack-connections.sql.ts';
import { findSentMessage, findStepStanding, findStepToTell, leaveRefreshJobs } from './slack.sql.ts';
import { settledMessage } from './step-message.ts';
import { standingOf } from './step-standing.ts';
import { keyOf, stepWording } from './tell-in-slack.job.ts';
import { workspaceOf } from './workspace.ts';

const refreshJob = z.object({
  orgId: z.uuid(),
  about: z.object({ kind: z.literal('step'), runId: z.uuid(), stepId: z.string(), activation: z.number().int() }),
  attempt: z.number().int().default(0),
});

/** After these, pressing what is left of a message says what became of the step. */
const TRY_AGAIN_MS = [1000, 5000, 30_000, 120_000, 600_000];

type Changed = { orgId: string; runId: string; steps: readonly { stepId: string; activation: number }[] };

/** Leaves the work of bringing what was told of these steps up to date; none where nothing was told. */
export function refreshInSlack(tx: Tx, { orgId, runId, steps }: Changed): void {
  if (steps.length === 0) return;
  tx.write(leaveRefreshJobs, { orgId, keys: steps.map((step) => keyOf({ kind: 'step', runId, ...step })) });
}

/**
 * Makes the message of an activation say how things are now, wherever that was brought about: without buttons once the step is
 * done, with them again where the input came back. Doing it again writes the same.
 */
export async function bringUpToDate(
  deps: Pick<Deps, 'db' | 'slack' | 'vault' | 'log' | 'publicUrl' | 'pokeOutbox'>,
  payload: unknown,
): Promise<void> {
  const { orgId, about, attempt } = refreshJob.parse(payload);
  const { runId, stepId, activation } = about;
  const key = keyOf(about);
  const [connection, message, standing, waiting] = await deps.db.transaction({ orgId, userId: null }, (tx) =>
    Promise.all([
      tx.maybeOne(findConnection, { orgId }),
      tx.maybeOne(findSentMessage, { orgId, key }),
      tx.maybeOne(findStepStanding, { orgId, runId, stepId }),
      tx.maybeOne(findStepToTell, { orgId, runId, stepId, activation }),
    ]),
  );
  const connected = workspaceOf(deps, orgId, connection);
  if (!connected || connected.connection.problem !== null || !message || !standing) return;
  const { channel_id: channel, ts } = message;
  const { isOpen, said } = standingOf(standing, activation);
  const { title, run_name: run } = standing;
  const shown =
    isOpen && waiting
      ? stepWording(deps, orgId, about, waiting).to(channel === connected.connection.channel_id)
      : settledMessage({ title, run, said, link: `${deps.publicUrl}/app/runs/${runId}` });
  try {
    await connected.workspace.replace({ channel, ts }, shown);
  } catch (error) {
    if (!(error instanceof SlackProblem)) throw error;
    const pause = TRY_AGAIN_MS[attempt];
    if (error.failure.kind !== 'later' || pause === undefined) {
      deps.log.warn({ err: error }, 'a message in Slack could not be brought up to date');
      return;
    }
    const delayMs = Math.max(error.failure.waitMs, pause);
    await deps.db.transaction({ orgId, userId: null }, async (tx) =>
      leaveJobs(tx, [
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
