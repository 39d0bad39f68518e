import {
  decide,
  type DecidedBy,
  type LeaverReason,
  type RunActor,
  type RunFact,
  type RunState,
  stepStateOf,
} from '@stet/domain/runs';
import { auditActor, type OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { countHeldSteps, listHeldSteps, lockMembership } from './claims.sql.ts';
import { findNextPerformer, type NextPerformer } from './next-performer.ts';
import { columnsOf, recordFacts } from './record-facts.ts';
import { readNow } from './run-command.ts';
import { runActorOf } from './run-actor.ts';
import { lockRun, type RunRow, saveRuns } from './runs.sql.ts';

/** The number of active steps that a person has claimed or received in a hand-over, by workflow. */
export const heldSteps = (tx: Tx, orgId: string, userId: string) => tx.many(countHeldSteps, { orgId, userId });

/**
 * Who gets the manual steps of a leaver, and why. `to` is a member's id or address, or a group. `managerId` is the
 * person who hands them over.
 */
type PassedOn = { to: string; reason: string | null; managerId: string };

/** The person or the server that releases the steps in an organization, with the session if there is one. */
type Releaser = { orgId: string; by: RunActor; sessionId: string | null };

export const releaserOf = (actor: OrgActor): Releaser => ({
  orgId: actor.orgId,
  by: runActorOf(actor),
  sessionId: auditActor(actor).sessionId ?? null,
});

/**
 * Releases or hands over the steps that a person has, because their membership ends in this transaction or their
 * account is disabled. Only manual steps are handed over. Approval steps are released, because only approvers
 * themselves can hand over their vote. If the person has already voted, the vote and their place on the approval stay.
 *
 * Returns a function that writes the result. The caller passes the leaver's name, and calls it in the organization's
 * transaction along with its other writes. The function refuses a next performer whom `findNextPerformer` refuses, the
 * leaver and the manager themselves, even if there is no step to hand over.
 */
export async function releaseHeld(
  tx: Tx,
  releaser: Releaser,
  { userId, because, handOver }: { userId: string; because: LeaverReason; handOver?: PassedOn | undefined },
): Promise<(leaver: string, inside?: Tx) => void> {
  const { orgId, by } = releaser;
  // Locks the membership first, as a claim does. This way, no claimed step is missed, and claims cause no deadlock.
  const [, held, { now }, next] = await Promise.all([
    tx.maybeOne(lockMembership, { orgId, userId }),
    tx.many(listHeldSteps, { orgId, userId }),
    readNow(tx),
    handOver && findNextPerformer(tx, orgId, handOver.to, HAND_OVER_TO),
  ]);
  // The refusal is thrown with the writes, so that a refusal of the removal itself takes precedence.
  const refusal = next && whyNotNext(next, { leaverId: userId, managerId: handOver?.managerId });
  const passOnTo = next instanceof Refused ? undefined : next;
  if (held.length === 0)
    return () => {
      if (refusal) throw refusal;
    };
  const ids = [...new Set(held.map(({ run_id: id }) => id))].toSorted();
  const rows = (await Promise.all(ids.map((runId) => tx.maybeOne(lockRun, { orgId, runId })))).filter(
    (row) => row !== undefined,
  );
  const release = ({ steps }: RunRow, state: RunState, stepId: string, context: DecidedBy) =>
    decide({ steps }, state, { type: 'release', stepId, holderId: userId, because }, context);
  return (leaver, inside = tx) => {
    if (refusal) throw refusal;
    const reason = handOver?.reason ?? `${leaver} left`;
    const changes = rows.map((row) => {
      const context = { at: now, actor: by, calendar: row.working_hours };
      let state: RunState = row.state;
      const facts: RunFact[] = [];
      for (const { run_id: id, step_id: stepId, type } of held) {
        if (id !== row.id) continue;
        const passedOn =
          passOnTo && type === 'manual'
            ? decide({ steps: row.steps }, state, { type: 'hand_over', stepId, ...passOnTo, reason, because }, context)
            : null;
        // If the hand-over is refused, the step is released, for example because its submitted input already waits for
        // other people.
        const decided = passedOn?.ok ? passedOn : release(row, state, stepId, context);
        // The step was released or completed after the list was read, which may also have ended the run. Or it is an
        // approval on which the person has voted.
        if (!decided.ok && (decided.refusal.code === 'not_claimed' || stepStateOf(state, stepId)?.state !== 'active'))
          continue;
        state = unwrap(decided).state;
        facts.push(...unwrap(decided).facts);
      }
      return { row, state, facts };
    });
    save(inside, releaser, changes);
  };
}

const HAND_OVER_TO = 'handOver.to';
function whyNotNext(
  next: NextPerformer | Refused,
  { leaverId, managerId }: { leaverId: string; managerId: string | undefined },
): Refused | null {
  if (next instanceof Refused) return next;
  const id = next.to.kind === 'person' ? next.to.id : null;
  if (id === leaverId) return notTo('This person is leaving');
  return id !== null && id === managerId
    ? notTo('You can’t hand steps over to yourself. Release them, and claim them afterwards')
    : null;
}

const notTo = (problem: string): Refused =>
  new Refused({ code: 'invalid', problems: [{ field: HAND_OVER_TO, problem }] });

type Changed = { row: RunRow; state: RunState; facts: readonly RunFact[] };

function save(tx: Tx, { orgId, sessionId }: Releaser, changes: readonly Changed[]): void {
  for (const { row, state, facts } of changes) {
    if (facts.length === 0) continue;
    const workflow = { steps: row.steps };
    tx.write(saveRuns, { orgId, runs: [{ id: row.id, ...columnsOf(workflow, state) }] });
    recordFacts(tx, {
      orgId,
      runId: row.id,
      runName: row.name,
      sessionId,
      workflow,
      calendar: row.working_hours,
      state,
      facts,
      isSmall: row.is_small,
    });
  }
}
