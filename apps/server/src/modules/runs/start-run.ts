import { applyFacts, decide, peopleBehind } from '@stet/domain/runs';
import { DAY_MS } from '@stet/domain/sla';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { newRunId } from '../../kernel/ids.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { columnsOf, recordFacts } from './record-facts.ts';
import { presentRun } from './run.presenter.ts';
import { runActorOf } from './run-actor.ts';
import { findCancelledRejected, findLiveVersion, insertRun, readClock } from './runs.sql.ts';
import { stepAccess } from './step-access.ts';
import { assertUnaltered } from './unaltered-version.ts';

/** For so long a run says that it follows a rejected one which its starter cancelled; in ms. */
const RESTART_MS = 7 * DAY_MS;

/** Starts a run, pinned to the version that is live now. */
export const startRun: Handler<'POST /api/runs'> = async ({ db, pokeOutbox }, { actor, body, once }) => {
  const { orgId, userId } = actor;
  const started = await db.changeOnce(actor, once, async (tx) => {
    const runActor = runActorOf(actor);
    const [live, clock, cancelled] = await Promise.all([
      tx.maybeOne(findLiveVersion, { orgId, key: body.key }),
      tx.maybeOne(readClock, {}),
      tx.maybeOne(findCancelledRejected, { orgId, key: body.key, people: peopleBehind(runActor), sinceMs: RESTART_MS }),
    ]);
    if (!live || !clock) throw new Refused({ code: 'not_found', what: 'workflow' });
    if (live.archived_at) throw new Refused({ code: 'workflow_archived' });
    const { version_id, version, metadata, steps, content_hash } = live;
    if (!version_id || version === null || !steps || !metadata || content_hash === null)
      throw new Refused({ code: 'nothing_live' });
    assertUnaltered({ version_id, version, metadata, steps, content_hash });

    const workflow = { steps };
    const restartOf = cancelled && {
      runId: cancelled.id,
      name: cancelled.name,
      cancelledAt: cancelled.ended_at.getTime(),
    };
    const { facts } = granted(
      decide(
        workflow,
        null,
        { type: 'start', restartOf },
        { at: clock.now, actor: runActor, calendar: live.working_hours },
      ),
    );
    const [first, ...rest] = facts;
    if (!first) throw new Error('a run that started has no fact');
    const state = applyFacts(workflow, null, [first, ...rest]);

    const runId = newRunId();
    const description = body.description || null;
    const createdAt = new Date(state.startedAt);
    const columns = columnsOf(workflow, state);
    tx.write(insertRun, {
      orgId,
      id: runId,
      workflowId: live.workflow_id,
      workflowKey: body.key,
      workflowTitle: metadata.title,
      versionId: version_id,
      version,
      name: body.name,
      description,
      priority: body.priority,
      startedBy: userId,
      createdAt,
      stepsTotal: steps.length,
      ...columns,
    });
    recordFacts(tx, {
      orgId,
      runId,
      runName: body.name,
      sessionId: actor.sessionId,
      workflow,
      calendar: live.working_hours,
      state,
      facts,
    });
    const row = {
      id: runId,
      workflow_key: body.key,
      workflow_title: metadata.title,
      version,
      name: body.name,
      description,
      priority: body.priority,
      status: state.status,
      created_at: createdAt,
      metadata,
      steps,
      emergency: live.emergency,
      working_hours: live.working_hours,
      editors_may_help: live.editors_may_help,
    };
    const access = await stepAccess(tx, { actor, row, state, now: clock.now });
    return answer(presentRun({ row, state, now: clock.now, history: [], newFacts: facts, actor, access }));
  });
  pokeOutbox();
  return started;
};
