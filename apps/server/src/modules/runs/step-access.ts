import {
  type ActsFor,
  howMayAct,
  isAssignedTo,
  isUnassigned,
  mayDecideSteps,
  namedBy,
  PERMISSIONS,
  type StandIn,
} from '@stet/domain/access';
import {
  isDecision,
  peopleBehind,
  rejectedPeople,
  type RunState,
  standInAt,
  stepStateOf,
  waitingSteps,
} from '@stet/domain/runs';
import type { Step } from '@stet/domain/workflows';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { runActorOf } from './run-actor.ts';
import { findOthersOfRoles, findTooFewNamed, type RunRow } from './runs.sql.ts';

/** What an actor may do in a run as it stands. */
export type StepAccess = {
  /** Null if they may not act on the step, or not skip it. */
  howMayAct: (step: Step, act?: 'skip' | 'vote') => 'named' | ActsFor | null;
  /** False for an account that isn't proved while a manager besides its inviter could confirm it. */
  mayDecide: boolean;
  /** Whether they may retry the failed step; after a rejection of their own work, only if nobody else may. */
  mayRetry: boolean;
};

type AsItStands = {
  actor: OrgActor;
  row: Pick<RunRow, 'steps' | 'working_hours' | 'editors_may_help'>;
  state: RunState;
  /** The database's clock, epoch milliseconds. */
  now: number;
  /** The steps that are asked about; absent for all. */
  steps?: readonly Step[];
};

/**
 * Works out what the actor may do. Only two cases cost a question of the database: an owner or admin whom an active approval step
 * doesn't name (are those it names too few?), and someone whose work was rejected (may anyone else retry?).
 */
export async function stepAccess(
  tx: Tx,
  { actor, row, state, now, steps = row.steps }: AsItStands,
): Promise<StepAccess> {
  const user = { id: actor.userId, email: actor.email, orgRole: actor.orgRole };
  const { permissions } = actor;
  const standIns = { vote: new Map<string, StandIn>(), skip: new Map<string, StandIn>() };
  if (permissions.includes('step.stand_in')) {
    const named = steps.filter(
      (step) =>
        step.type === 'approval' &&
        stepStateOf(state, step.id)?.state === 'active' &&
        !isUnassigned(step) &&
        !isAssignedTo(step, user),
    );
    for (const { id } of named)
      if (isLongOverdue(state, id, row, now)) for (const each of Object.values(standIns)) each.set(id, 'overdue');
    for (const { step_id: id, act } of await tooFewNamed(tx, actor.orgId, row, state, named))
      standIns[act].set(id, 'too_few');
  }
  const isPersonalAccount = actor.organizations.some(({ id, type }) => id === actor.orgId && type === 'individual');
  const forStep = (step: Step, act: 'skip' | 'vote' = 'vote') => {
    const how = howMayAct({
      permissions,
      user,
      step,
      editorsMayHelp: row.editors_may_help,
      standIn: standIns[act].get(step.id) ?? null,
      isOrganizationToken: actor.token?.kind === 'organization',
    });
    // In a personal account there is nobody else whom a step could mean.
    return how !== null && isPersonalAccount ? 'named' : how;
  };
  const mayControl =
    state.status === 'failed' &&
    permissions.includes('run.control') &&
    mayRetryUnproved(actor, row, state, state.stepId);
  return {
    howMayAct: forStep,
    mayDecide: mayDecideSteps(actor.standing),
    mayRetry: mayControl && !(await othersRetry(tx, { actor, row, state })),
  };
}

/** Whether the account's proof is enough to retry the step: after a rejection as much as to decide it. */
function mayRetryUnproved({ standing }: OrgActor, row: Pick<RunRow, 'steps'>, state: RunState, stepId: string) {
  return mayDecideSteps(standing) || rejectedPeople(row, state, stepId) === null;
}

/** Refuses to retry a rejected step with an account that may not decide it. */
export function assertMayRetry(actor: OrgActor, row: Pick<RunRow, 'steps' | 'state'>, stepId: string): void {
  if (!mayRetryUnproved(actor, row, row.state, stepId)) throw notProved(actor);
}

const notProved = ({ standing: { secondManagerUntil: from } }: OrgActor): Refused =>
  new Refused({ code: 'reviewer_not_counted_yet', missing: 'proof', from, who: [] });

/** True if the run failed by a rejection of the actor's own work, and someone else may retry it. */
export async function othersRetry(
  tx: Tx,
  { actor, row, state }: Pick<AsItStands, 'actor' | 'state'> & { row: Pick<RunRow, 'steps'> },
): Promise<boolean> {
  const rejected = state.status === 'failed' ? rejectedPeople(row, state, state.stepId) : null;
  if (!rejected || !peopleBehind(runActorOf(actor)).some((id) => rejected.includes(id))) return false;
  const roles = [...PERMISSIONS['run.control']];
  const others = await tx.maybeOne(findOthersOfRoles, { orgId: actor.orgId, roles, exceptIds: rejected });
  return others?.there_are ?? false;
}

function isLongOverdue(state: RunState, stepId: string, row: AsItStands['row'], now: number): boolean {
  const step = stepStateOf(state, stepId);
  const at = step?.state === 'active' ? standInAt(step.dueAt, row.working_hours) : null;
  return at !== null && now >= at;
}

async function tooFewNamed(
  tx: Tx,
  orgId: string,
  row: AsItStands['row'],
  state: RunState,
  named: readonly Step[],
): Promise<{ step_id: string; act: 'vote' | 'skip' }[]> {
  if (named.length === 0) return [];
  const ids = new Set(named.map(({ id }) => id));
  const steps = waitingSteps({ steps: row.steps }, state).flatMap(({ stepId: id, who, exceptIds, needs, skip }) =>
    ids.has(id)
      ? [
          { step_id: id, act: 'vote', who, except_ids: exceptIds, needs: needs.people },
          { step_id: id, act: 'skip', who, except_ids: skip.exceptIds, needs: skip.people },
        ]
      : [],
  );
  return tx.many(findTooFewNamed, { orgId, steps: JSON.stringify(steps) });
}

type Act = Parameters<typeof isDecision>[1];

/** How the actor acts on the step, null if it names them; throws with who may if they may not. */
export function assertMayAct(
  access: StepAccess,
  step: Step,
  actor: OrgActor,
  { act, editorsMayHelp, hasVoted }: { act: Act; editorsMayHelp: boolean; hasVoted: boolean },
): ActsFor | null {
  const { token } = actor;
  const how = access.howMayAct(step, act === 'skip' ? 'skip' : 'vote');
  if (how !== null && isDecision(step, act) && !access.mayDecide) throw notProved(actor);
  if (how !== null) return how === 'named' ? null : how;
  if (hasVoted) throw new Refused({ code: 'already_voted', stepId: step.id });
  if (token?.kind === 'organization' && step.type === 'approval') throw new Refused({ code: 'not_for_tokens' });
  const { id: stepId, type } = step;
  throw new Refused({
    code: 'not_assigned',
    stepId,
    isApproval: type === 'approval',
    assignee: isUnassigned(step) ? null : namesIn(step),
    editorsMayHelp,
  });
}

/** Whom a step names, in words: `Reviewer`, `sam@halden.example or Editor`. */
export function namesIn(step: Step): string {
  const { emails, roles } = namedBy(step);
  return [...emails, ...roles.map((role) => role.charAt(0).toUpperCase() + role.slice(1))].join(' or ');
}
