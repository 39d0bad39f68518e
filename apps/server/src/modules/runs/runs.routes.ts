import type { JsonObject } from '@stet/domain/runs';
import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { actOnRun } from './act-on-run.ts';
import { listDelegators } from '../delegations/index.ts';
import { bulkRuns } from './bulk-runs.ts';
import { holderToRelease } from './claim-access.ts';
import { delegatedAccess } from './delegated-access.ts';
import { exportRuns } from './export-runs.ts';
import { countRunsByStatus, listRunsPage } from './list-runs.ts';
import { type PresentedRun, presentRun } from './run.presenter.ts';
import { addNote, listNotesPage } from './notes.ts';
import { readHistoryOf } from './read-history.ts';
import { findRun } from './runs.sql.ts';
import { startRun } from './start-run.ts';
import { stepAccess } from './step-access.ts';

const runOnly = (run: PresentedRun): PresentedRun => run;
const withMessage = (message: string) => (run: PresentedRun) => ({ message, run });
/** Says how many people have agreed to a skip, or that enough have and the step is skipped. */
function skipMessage(run: PresentedRun, stepId: string): string {
  const step = run.steps.find(({ id }) => id === stepId);
  if (step?.state !== 'active') return 'Step skipped';
  return `${step.skip.votes.length} of ${step.skip.required} have agreed to skip`;
}
const completion = (
  stepId: string,
  body: { output?: Record<string, unknown> | undefined; notes?: string | null | undefined } | undefined,
) => ({
  type: 'complete' as const,
  stepId,
  ...(body?.output && { output: body.output as JsonObject }),
  ...(body?.notes && { notes: body.notes }),
});

export const runHandlers = {
  'GET /api/runs': listRunsPage,
  'GET /api/runs/export.csv': exportRuns,
  'GET /api/runs/summary': countRunsByStatus,
  'POST /api/runs': startRun,
  'POST /api/runs/bulk': bulkRuns,
  'GET /api/runs/{id}/notes': listNotesPage,
  'POST /api/runs/{id}/notes': addNote,

  'GET /api/runs/{id}': async ({ db }, { actor, params }) => {
    const at = { orgId: actor.orgId, runId: params.id };
    return db.transaction(actor, async (tx) => {
      const [row, { now, history }, delegators] = await Promise.all([
        tx.maybeOne(findRun, at),
        readHistoryOf(tx, at),
        listDelegators(tx, actor),
      ]);
      if (!row) throw new Refused({ code: 'not_found', what: 'run' });
      const { state } = row;
      const access = await stepAccess(tx, { actor, row, state, now });
      const delegated = await delegatedAccess(tx, delegators, { actor, row, state, now });
      return answer(presentRun({ row, state, now, history, actor, access, delegated }));
    });
  },

  'POST /api/runs/{id}/complete': (deps, { actor, once, params, body, ifMatch }) =>
    actOnRun(
      deps,
      { actor, once, ifMatch, onBehalfOf: body.onBehalfOf, runId: params.id, command: completion(body.stepId, body) },
      runOnly,
    ),

  'POST /api/runs/{runId}/steps/{stepId}/complete': (deps, { actor, once, params, body, ifMatch }) =>
    actOnRun(
      deps,
      {
        actor,
        once,
        ifMatch,
        onBehalfOf: body?.onBehalfOf,
        runId: params.runId,
        command: completion(params.stepId, body),
      },
      withMessage('Step completed'),
    ),

  'POST /api/runs/{runId}/steps/{stepId}/skip': (deps, { actor, once, params, body, ifMatch }) =>
    actOnRun(
      deps,
      {
        actor,
        once,
        ifMatch,
        runId: params.runId,
        command: { type: 'skip', stepId: params.stepId, reason: body?.reason ?? null },
      },
      (run) => ({ message: skipMessage(run, params.stepId), run }),
    ),

  'POST /api/runs/{id}/steps/{stepId}/approve': (deps, { actor, once, params, body, ifMatch }) =>
    actOnRun(
      deps,
      {
        actor,
        once,
        ifMatch,
        onBehalfOf: body?.onBehalfOf,
        runId: params.id,
        command: { type: 'approve', stepId: params.stepId, comments: body?.comments ?? null },
      },
      withMessage('Approved'),
    ),

  'POST /api/runs/{id}/steps/{stepId}/reject': (deps, { actor, once, params, body, ifMatch }) =>
    actOnRun(
      deps,
      {
        actor,
        once,
        ifMatch,
        onBehalfOf: body?.onBehalfOf,
        runId: params.id,
        command: { type: 'reject', stepId: params.stepId, comments: body?.comments ?? '' },
      },
      withMessage('Rejected'),
    ),

  'POST /api/runs/{id}/steps/{stepId}/retry': (deps, { actor, once, params, ifMatch }) =>
    actOnRun(
      deps,
      { actor, once, ifMatch, runId: params.id, command: { type: 'retry', stepId: params.stepId } },
      withMessage('Step active again'),
    ),

  'POST /api/runs/{id}/steps/{stepId}/claim': (deps, { actor, once, params, ifMatch }) =>
    actOnRun(
      deps,
      { actor, once, ifMatch, runId: params.id, command: { type: 'claim', stepId: params.stepId } },
      withMessage('Claimed'),
    ),

  'POST /api/runs/{id}/steps/{stepId}/release': (deps, { actor, once, params, ifMatch }) =>
    actOnRun(
      deps,
      {
        actor,
        once,
        ifMatch,
        runId: params.id,
        command: ({ state }) => ({
          type: 'release',
          stepId: params.stepId,
          holderId: holderToRelease(state, params.stepId, actor),
        }),
      },
      withMessage('Released'),
    ),

  'POST /api/runs/{id}/steps/{stepId}/hand-over': (deps, { actor, once, params, body, ifMatch }) =>
    actOnRun(
      deps,
      {
        actor,
        once,
        ifMatch,
        runId: params.id,
        to: body.to,
        command: (_, next) => {
          if (!next) throw new Error('the hand-over has no recipient');
          return { type: 'hand_over', stepId: params.stepId, ...next, reason: body.reason };
        },
      },
      withMessage('Handed over'),
    ),

  'POST /api/runs/{id}/pause': (deps, { actor, once, params, body, ifMatch }) =>
    actOnRun(
      deps,
      { actor, once, ifMatch, runId: params.id, command: { type: 'pause', reason: body?.reason } },
      runOnly,
    ),

  'POST /api/runs/{id}/resume': (deps, { actor, once, params, ifMatch }) =>
    actOnRun(deps, { actor, once, ifMatch, runId: params.id, command: { type: 'resume' } }, runOnly),

  'POST /api/runs/{id}/cancel': (deps, { actor, once, params, body, ifMatch }) =>
    actOnRun(
      deps,
      { actor, once, ifMatch, runId: params.id, command: { type: 'cancel', reason: body.reason } },
      runOnly,
    ),
} satisfies Partial<Handlers>;
