import { applyFacts, decide } from '@stet/domain/runs';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newRunId } from '../../kernel/ids.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { columnsOf, recordFacts } from './record-facts.ts';
import { presentRun } from './run.presenter.ts';
import { findLiveVersion, insertRun, readClock } from './runs.sql.ts';

/** Starts a run, pinned to the version that is live now. */
export const startRun: Handler<'POST /api/runs'> = async ({ db, pokeOutbox }, { actor, body, once }) => {
  const { orgId, userId } = actor;
  const started = await db.changeOnce(actor, once, async (tx) => {
    const [live, clock] = await Promise.all([
      tx.maybeOne(findLiveVersion, { orgId, key: body.key }),
      tx.maybeOne(readClock, {}),
    ]);
    if (!live || !clock) throw new Refused({ code: 'not_found', what: 'workflow' });
    if (live.archived_at) throw new Refused({ code: 'workflow_archived' });
    if (!live.version_id || live.version === null || !live.steps || !live.metadata)
      throw new Refused({ code: 'nothing_live' });

    const { actor: runActor, sessionId = null } = by(actor);
    const workflow = { steps: live.steps };
    const { facts } = granted(
      decide(workflow, null, { type: 'start' }, { at: clock.now, actor: runActor, calendar: live.working_hours }),
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
      workflowTitle: live.metadata.title,
      versionId: live.version_id,
      version: live.version,
      name: body.name,
      description,
      priority: body.priority,
      startedBy: userId,
      createdAt,
      stepsTotal: live.steps.length,
      ...columns,
    });
    recordFacts(tx, { orgId, runId, runName: body.name, sessionId, workflow, state, facts });
    const row = {
      id: runId,
      workflow_key: body.key,
      workflow_title: live.metadata.title,
      version: live.version,
      name: body.name,
      description,
      priority: body.priority,
      status: state.status,
      created_at: createdAt,
      metadata: live.metadata,
      steps: live.steps,
      emergency: live.emergency,
    };
    return answer(presentRun({ row, state, now: clock.now, history: [], newFacts: facts, actor }));
  });
  pokeOutbox();
  return started;
};
