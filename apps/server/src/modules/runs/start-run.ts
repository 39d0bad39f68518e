import { type RestartedRun, peopleBehind } from '@stet/domain/runs';
import { DAY_MS } from '@stet/domain/sla';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { newRunId } from '../../kernel/ids.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { listDelegators } from '../delegations/index.ts';
import { delegatedAccess } from './delegated-access.ts';
import { columnsOf } from './record-facts.ts';
import { readNow, runCommand } from './run-command.ts';
import { presentRun } from './run.presenter.ts';
import { runActorOf } from './run-actor.ts';
import { type RejectedRow, findRejectedBefore, findLiveVersion, insertRuns } from './runs.sql.ts';
import { stepAccess } from './step-access.ts';

/** A run that a person starts within this time after their rejected run ended refers to it. In milliseconds. */
const RESTART_MS = 7 * DAY_MS;

/** Starts a run with the current live version. The run stays on this version. */
export const startRun: Handler<'POST /api/runs'> = async ({ db }, { actor, body, once }) => {
  const { orgId, userId, sessionId } = actor;
  const { key, name, priority } = body;
  const description = body.description || null;
  const runId = newRunId();
  return db.changeRecord(actor, once, runId, async (tx) => {
    const runActor = runActorOf(actor);
    const people = peopleBehind(runActor);
    const { row, now, facts, state, read } = unwrap(
      await runCommand(tx, {
        orgId,
        runId,
        sessionId,
        lock: async () => ({ ...(await lockLiveVersion(tx, orgId, key)), name, state: null }),
        read: async () => {
          const before = { orgId, key, people, sinceMs: RESTART_MS };
          const [clock, rejected, delegators] = await Promise.all([
            readNow(tx),
            tx.maybeOne(findRejectedBefore, before),
            listDelegators(tx, actor),
          ]);
          return { ...clock, rejected, delegators };
        },
        give: ({ read: { rejected } }) => ({
          command: { type: 'start', restartOf: rejected && restartOf(rejected) },
          by: { actor: runActor },
        }),
        insert: ({ row: { workflow_id: workflowId, metadata, version_id: versionId, version, steps } }, begun) =>
          tx.write(insertRuns, {
            orgId,
            runs: [
              {
                id: runId,
                workflow_id: workflowId,
                workflow_key: key,
                workflow_title: metadata.title,
                version_id: versionId,
                version,
                name,
                description,
                priority,
                started_by: userId,
                created_at: new Date(begun.startedAt),
                steps_total: steps.length,
                ...columnsOf({ steps }, begun),
              },
            ],
          }),
      }),
    );
    const shown = {
      ...row,
      id: runId,
      workflow_key: key,
      workflow_title: row.metadata.title,
      description,
      priority,
      status: state.status,
      created_at: new Date(state.startedAt),
      revision: 1,
    };
    const access = await stepAccess(tx, { actor, row: shown, state, now });
    const delegated = await delegatedAccess(tx, read.delegators, { actor, row: shown, state, now });
    return answer(presentRun({ row: shown, state, now, history: [], newFacts: facts, actor, access, delegated }));
  });
};

/** Returns the live version and locks its workflow, so that it can't be archived or deleted before the commit. */
async function lockLiveVersion(tx: Tx, orgId: string, key: string) {
  const live = await tx.maybeOne(findLiveVersion, { orgId, key });
  if (!live) throw new Refused({ code: 'not_found', what: 'workflow' });
  if (live.archived_at) throw new Refused({ code: 'workflow_archived' });
  const { version_id, version, metadata, steps, content_hash } = live;
  if (!version_id || version === null || !steps || !metadata || content_hash === null)
    throw new Refused({ code: 'nothing_live' });
  return { ...live, version_id, version, metadata, steps, content_hash };
}

const restartOf = ({ id, name, status, ended_at: endedAt }: RejectedRow): RestartedRun => ({
  runId: id,
  name,
  cancelledAt: endedAt.getTime(),
  ...(status === 'failed' && { isFailed: true as const }),
});
