import {
  type ActsFor,
  type ApprovedWork,
  assignedOrgRole,
  assigneeNames,
  howMayAct,
  isNamedByOwnHand,
  isPerformer,
  isUnassigned,
  type MarkedPower,
  markedPower,
  markedRole,
  canDecideSteps,
  namesOfPerformers,
  type NamedPerson,
  type NamesPeople,
  type Performers,
  performersOf,
  PERMISSIONS,
  type StandIn,
  STARTER,
  withoutBarredPowers,
} from '@stet/domain/access';
import {
  type Added,
  actingFor,
  giversOfWork,
  idsBehind,
  isDecision,
  isSamePerson,
  isUnprovedTie,
  type ProofsNow,
  namesNow,
  peopleBehind,
  performersIn,
  rejectedPeople,
  type RunActor,
  type RunState,
  separatedPeople,
  standInAt,
  stepStateOf,
  unprovedIn,
  waitingSteps,
} from '@stet/domain/runs';
import type { Step } from '@stet/domain/steps';
import { graphOfVersion } from '@stet/domain/workflows';
import { namedPersonOf, type OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { type Refusal, Refused } from '../../kernel/refused.ts';
import { isPersonalAccount, runActorOf } from './run-actor.ts';
import {
  findOthersOfRoles,
  findPowersGiven,
  findTooFewNamed,
  listFirstActivations,
  listProofs,
  listTiedByVouchers,
  type RunRow,
} from './runs.sql.ts';

/** An actor's abilities in this run. */
export type StepAccess = {
  /** The actor as the run records them, with everyone to whom the action is attributed. */
  by: RunActor;
  /** The capacity in which the actor may act. Null if only other people may. */
  howMayAct: (step: Step, act?: Act) => 'named' | ActsFor | null;
  /**
   * The reason why the actor can't take this action on a step. Null if they can, unless the domain refuses it because
   * of what has happened in the run, for example because they did the work.
   */
  refusalToAct: (step: Step, act: Act) => Refusal | null;
  /** True if the actor can retry the failed step. If their own work was rejected, they can only if nobody else can. */
  canRetry: boolean;
  /** The reason why the actor can't retry the failed step although they have the permission to control runs. */
  retryRefusal: Refusal | null;
  /**
   * The current proofs of the people who weren't proved when they acted. Empty unless the organization has strict
   * review.
   */
  proofs: ProofsNow;
  /** The mark of the membership or role through which the actor decides on an approval step. Null if there is none. */
  added: (step: Step) => Added | null;
};

/**
 * `named` is the marked power through which an approval step names a person. `mustStandIn` is true if the step doesn't
 * name them in a way that counts, but they can stand in. `standIn` is then the marked role through which they do.
 * `counted` is the person without the powers that don't count.
 */
type MarkedPowers = {
  named: MarkedPower | null;
  standIn: MarkedPower | null;
  mustStandIn: boolean;
  counted: NamedPerson;
};

type AccessInput = {
  actor: OrgActor;
  /** The delegate, if someone acts for the actor with the actor's permissions. */
  delegate?: OrgActor | undefined;
  row: Pick<RunRow, 'id' | 'steps' | 'working_hours' | 'editors_may_help' | 'strict'>;
  state: RunState;
  /** The database's time, in epoch milliseconds. */
  now: number;
  /** The steps to consider. By default, all of them. */
  steps?: readonly Step[];
};

/**
 * Determines the actor's abilities. Most runs need no query. If an approval step names others, and the actor is a
 * manager or gave themselves the role that the step names, this counts how many of the others can decide. After a
 * rejection of the actor's own work, it looks for someone else who can retry. `markedPowers`, `onlyHelpers` and
 * `readProofs` say when they query the database.
 */
export async function stepAccess(
  tx: Tx,
  { actor, delegate, row, state, now, steps = row.steps }: AccessInput,
): Promise<StepAccess> {
  const user = namedPersonOf(actor);
  const { permissions } = actor;
  const by = delegate ? actingFor(runActorOf(delegate), runActorOf(actor)) : runActorOf(actor);
  const marked = await markedPowers(tx, { actor, row, state, steps, user });
  // If a person's approval doesn't count because of who added them or gave them the role, the step names them only for
  // a rejection.
  const userFor = (step: Step, act: Act): NamedPerson => {
    return act === 'reject' ? user : (marked.get(step.id)?.counted ?? user);
  };
  const standIns = { vote: new Map<string, StandIn>(), skip: new Map<string, StandIn>() };
  const named = steps.filter(
    (step) =>
      step.type === 'approval' &&
      stepStateOf(state, step.id)?.state === 'active' &&
      canStandInAt(step.type, performersIn(state, step), userFor(step, 'approve')) &&
      (isPerformer(performersIn(state, step), userFor(step, 'approve')) || permissions.includes('step.stand_in')),
  );
  if (named.length > 0) {
    for (const { id } of named)
      if (isLongOverdue(state, id, row, now)) for (const each of Object.values(standIns)) each.set(id, 'overdue');
    const tooFew = await tooFewNamed(tx, actor.orgId, row, state, named);
    for (const { step_id: id } of tooFew.filter(({ act }) => act === 'vote')) {
      standIns.vote.set(id, 'too_few');
      // While the people named by the step can still decide it, nobody else may skip it for them.
      if (tooFew.some((each) => each.act === 'skip' && each.step_id === id)) standIns.skip.set(id, 'too_few');
    }
  }
  const standInOf = (step: Step, act: Act): StandIn | null =>
    standIns[act === 'skip' ? 'skip' : 'vote'].get(step.id) ?? null;
  const forStep = (step: Step, act: Act = 'complete') => {
    const canStandIn = act === 'reject' || !marked.get(step.id)?.standIn?.isBarred;
    const how = howMayAct({
      permissions,
      user: userFor(step, act),
      type: step.type,
      performers: performersIn(state, step),
      editorsMayHelp: row.editors_may_help,
      standIn: canStandIn ? standInOf(step, act) : null,
      isOrganizationToken: actor.token?.kind === 'organization',
    });
    // A delegate can do only the work that waits for the delegator.
    if (delegate) return how === 'named' ? how : null;
    // In a personal account, every step is for its only member.
    return how !== null && isPersonalAccount(actor) ? 'named' : how;
  };
  const canControl = state.status === 'failed' && permissions.includes('run.control');
  const retryRefusal = canControl ? await whyNoRetry(tx, { actor, row, state, stepId: state.stepId }) : null;
  const submitters = await onlyHelpers(tx, actor.orgId, row, state, steps);
  return {
    by,
    howMayAct: forStep,
    refusalToAct: (step, act) => {
      const how = forStep(step, act);
      if (how !== null && delegate && isDecision(step, act) && !canDecideSteps(delegate.standing))
        return notProved(delegate);
      const found = marked.get(step.id);
      const barred = [found?.named, standInOf(step, act) && found?.standIn].find((power) => power?.isBarred) ?? null;
      return refusalToAct({ actor, by, row, state, step, act, how, submitters, barred });
    },
    canRetry: canControl && retryRefusal === null,
    retryRefusal,
    proofs: row.strict ? await readProofs(tx, actor.orgId, state) : new Map(),
    added: ({ id }) => {
      const powers = marked.get(id);
      // A person who can stand in decides through their role, so a membership that doesn't count doesn't matter.
      const standsIn = powers?.mustStandIn && (standIns.vote.has(id) || standIns.skip.has(id));
      const found = standsIn ? powers.standIn : powers?.named;
      return found ? { mark: found.mark, by: found.by } : null;
    },
  };
}

/**
 * True if a step names people, but not this person. Also true if an approval step names this person only by a role that
 * they gave themselves.
 */
const canStandInAt = (type: Step['type'], performers: Performers, user: NamedPerson): boolean =>
  !isUnassigned(performers) && (!isPerformer(performers, user) || isNamedByOwnHand(type, performers, user));

/**
 * Returns the person's marked powers on the active approval steps. Queries the database only if they belong to a group
 * that such a step names, or got a role that matters on one after the start of the run.
 */
async function markedPowers(
  tx: Tx,
  {
    actor,
    row,
    state,
    steps,
    user,
  }: { actor: OrgActor; row: AccessInput['row']; state: RunState; steps: readonly Step[]; user: NamedPerson },
): Promise<ReadonlyMap<string, MarkedPowers>> {
  const { orgId, userId, permissions } = actor;
  const { groups = [], orgRole } = user;
  const { startedAt } = state;
  // An organization's token can't decide.
  const roleSince = actor.token?.kind === 'organization' ? 0 : (actor.standing.roleGiven?.since ?? 0);
  const isRoleNew = roleSince > startedAt;
  if (groups.length === 0 && !isRoleNew) return new Map();
  const graph = graphOfVersion(row.steps);
  const asked = steps.flatMap((step) => {
    const active = stepStateOf(state, step.id);
    if (step.type !== 'approval' || active?.state !== 'active') return [];
    const givers = idsBehind(giversOfWork(graph, state, step));
    return [
      { step, active, performers: performersIn(state, step), doers: separatedPeople(graph, state, step), givers },
    ];
  });
  const canStandIn = permissions.includes('step.stand_in');
  const isRoleAsked =
    isRoleNew &&
    asked.some(({ performers }) =>
      canStandIn ? !isUnassigned(performers) : orgRole !== null && performers.roles.includes(orgRole),
    );
  const named = groups.filter(({ slug }) => asked.some(({ performers }) => performers.groups.includes(slug)));
  const slugs = named.filter(({ addedAt }) => addedAt > startedAt).map(({ slug }) => slug);
  const isAsked = isRoleAsked || slugs.length > 0;
  const again = asked.filter(({ active }) => isAsked && active.activation > 1).map(({ step }) => step.id);
  const doers = JSON.stringify(asked.map((each) => each.doers.sure));
  const behind = asked.map((each) => [...each.doers.all, ...each.givers]);
  const areTied = (isRoleAsked || named.length > 0) && behind.some((people) => people.length > 0);
  const [rows, given, tied] = await Promise.all([
    again.length > 0 ? tx.many(listFirstActivations, { orgId, runId: row.id, stepIds: again }) : [],
    isAsked ? tx.maybeOne(findPowersGiven, { orgId, userId, started: new Date(startedAt), slugs, doers }) : undefined,
    areTied ? tx.many(listTiedByVouchers, { orgId, people: JSON.stringify(behind), runId: row.id }) : [],
  ]);
  const first = new Map(rows.map(({ step_id: id, first_activated_at: at }) => [id, at.getTime()]));
  const known: NamedPerson = {
    ...user,
    groups: groups.map((group) => ({ ...group, ...(given?.additions[group.slug] ?? { through: group.addedBy }) })),
    roleGifts: isRoleNew ? (given?.role_gifts ?? []) : [],
  };
  return new Map(
    asked.map(({ step, active, performers, doers: { all }, givers }, n): [string, MarkedPowers] => {
      const work: ApprovedWork = {
        since: first.get(step.id) ?? active.activatedAt,
        startedAt,
        doers: all,
        givers,
        vouchers: tied[n]?.vouchers ?? [],
        vouched: tied[n]?.vouched ?? [],
        isStrict: row.strict,
        barred: given?.barred[n] ?? { role: false, groups: [] },
      };
      const named = markedPower(performers, known, work);
      const counted = withoutBarredPowers(known, work);
      const mustStandIn = canStandIn && canStandInAt(step.type, performers, counted);
      return [step.id, { named, standIn: mustStandIn ? markedRole(known, work) : null, mustStandIn, counted }];
    }),
  );
}

/**
 * Reads the current proofs of the people who weren't proved when they acted in one of these runs. Queries the database
 * only if there are any.
 */
export async function readProofs(tx: Tx, orgId: string, ...states: readonly RunState[]): Promise<ProofsNow> {
  const ids = [...new Set(states.flatMap(unprovedIn))];
  if (ids.length === 0) return new Map();
  const rows = await tx.many(listProofs, { orgId, ids });
  return new Map(
    rows.map(({ id, is_proved: isProved, only_vouchers: vouchedBy }) => [
      id,
      vouchedBy.length > 0 ? { vouchedBy } : isProved ? {} : { unproved: true },
    ]),
  );
}

/**
 * True if the account is proved well enough to retry the step. After a rejection, a retry requires the same proof as a
 * decision.
 */
function canRetryUnproved({ standing }: OrgActor, row: Pick<RunRow, 'steps'>, state: RunState, stepId: string) {
  return canDecideSteps(standing) || rejectedPeople(row, state, stepId) === null;
}

type Retried = Pick<AccessInput, 'actor' | 'state'> & { row: Pick<RunRow, 'steps'>; stepId: string };

async function whyNoRetry(tx: Tx, { actor, row, state, stepId }: Retried): Promise<Refusal | null> {
  if (!canRetryUnproved(actor, row, state, stepId)) return notProved(actor);
  return (await othersRetry(tx, { actor, row, state })) ? { code: 'rejected_cannot_retry', stepId } : null;
}

/** Refuses a retry of a rejected step if the account couldn't decide it. */
export function assertMayRetry(actor: OrgActor, row: Pick<RunRow, 'steps' | 'state'>, stepId: string): void {
  if (!canRetryUnproved(actor, row, row.state, stepId)) throw new Refused(notProved(actor));
}

const notProved = ({ standing: { secondManagerUntil: from } }: OrgActor): Refusal => ({
  code: 'reviewer_not_counted_yet',
  missing: 'proof',
  from,
  who: [],
});

/** True if the run failed because the actor's own work was rejected, and someone else can retry it. */
export async function othersRetry(
  tx: Tx,
  { actor, row, state }: Pick<AccessInput, 'actor' | 'state'> & { row: Pick<RunRow, 'steps'> },
): Promise<boolean> {
  const rejected = state.status === 'failed' ? rejectedPeople(row, state, state.stepId) : null;
  if (!rejected || !peopleBehind(runActorOf(actor)).some((id) => rejected.includes(id))) return false;
  const roles = [...PERMISSIONS['run.control']];
  const others = await tx.maybeOne(findOthersOfRoles, { orgId: actor.orgId, roles, exceptIds: rejected });
  return others?.there_are ?? false;
}

function isLongOverdue(state: RunState, stepId: string, row: AccessInput['row'], now: number): boolean {
  const step = stepStateOf(state, stepId);
  const at = step?.state === 'active' ? standInAt(step.dueAt, row.working_hours) : null;
  return at !== null && now >= at;
}

async function tooFewNamed(
  tx: Tx,
  orgId: string,
  row: AccessInput['row'],
  state: RunState,
  named: readonly Step[],
): Promise<{ step_id: string; act: 'vote' | 'skip' }[]> {
  if (named.length === 0) return [];
  const ids = new Set(named.map(({ id }) => id));
  const steps = waitingSteps({ steps: row.steps }, state).flatMap(
    ({ stepId, who, exceptIds, doerIds, uncertainDoerIds, giverIds, needs, skip }) => {
      const behind = { doer_ids: doerIds, uncertain_doer_ids: uncertainDoerIds, giver_ids: giverIds };
      const step = { step_id: stepId, who, ...behind, is_approval: true };
      const active = stepStateOf(state, stepId);
      if (!ids.has(stepId) || active?.state !== 'active') return [];
      const behindVotes = (votes: readonly { by: RunActor }[] = []) => idsBehind(votes.map(({ by }) => by));
      const [voted, agreed] = [behindVotes(active.votes), behindVotes(active.skipVotes)];
      return [
        { act: 'vote', except_ids: exceptIds, voter_ids: voted, needs: needs.people, ...step },
        { act: 'skip', except_ids: skip.exceptIds, voter_ids: agreed, needs: skip.people, ...step },
      ];
    },
  );
  return findTooFew(tx, orgId, row.id, steps);
}

/**
 * Finds the steps whose submitted input nobody except its submitter could approve, with the submitter. Queries the
 * database only if editors can't help and a step that names someone has submitted input.
 */
async function onlyHelpers(
  tx: Tx,
  orgId: string,
  row: AccessInput['row'],
  state: RunState,
  steps: readonly Step[],
): Promise<ReadonlyMap<string, RunActor>> {
  if (row.editors_may_help || state.status !== 'running') return new Map();
  const submitters = new Map(
    steps.flatMap((step): [string, RunActor][] => {
      const active = stepStateOf(state, step.id);
      const performers = performersIn(state, step);
      if (step.type !== 'manual' || isUnassigned(performers) || active?.state !== 'active' || !active.submitted)
        return [];
      return [[step.id, active.submitted.by]];
    }),
  );
  if (submitters.size === 0) return submitters;
  const graph = graphOfVersion(row.steps);
  const asked = steps.flatMap((step) => {
    const submitter = submitters.get(step.id);
    if (!submitter) return [];
    const named = namesOfPerformers(performersIn(state, step));
    const who = [...named, ...PERMISSIONS['step.stand_in'].map((role) => `role:${role}`)];
    const givers = idsBehind(giversOfWork(graph, state, step));
    const except = {
      except_ids: peopleBehind(submitter),
      doer_ids: [],
      uncertain_doer_ids: [],
      giver_ids: givers,
      voter_ids: [],
    };
    return [{ step_id: step.id, act: 'vote', who, ...except, needs: 1, is_approval: false }];
  });
  const without = new Set((await findTooFew(tx, orgId, row.id, asked)).map(({ step_id: id }) => id));
  return new Map([...submitters].filter(([id]) => without.has(id)));
}

type AskedOf = {
  step_id: string;
  act: string;
  who: string[];
  except_ids: readonly string[];
  doer_ids: readonly string[];
  uncertain_doer_ids: readonly string[];
  giver_ids: readonly string[];
  voter_ids: readonly string[];
  needs: number;
  is_approval: boolean;
};

const findTooFew = (tx: Tx, orgId: string, runId: string, steps: readonly AskedOf[]) =>
  tx.many(findTooFewNamed, { orgId, runId, steps: JSON.stringify(steps) });

type Act = Parameters<typeof isDecision>[1];

type Judged = Pick<AccessInput, 'actor' | 'row' | 'state'> & {
  by: RunActor;
  step: Step;
  act: Act;
  how: 'named' | ActsFor | null;
  submitters: ReadonlyMap<string, RunActor>;
  /** The power because of which the approval doesn't count. */
  barred: MarkedPower | null;
};

function refusalToAct({ actor, by, row, state, step, act, how, submitters, barred }: Judged): Refusal | null {
  const { id: stepId, type } = step;
  const submitter = submitters.get(stepId);
  if (how !== null) {
    if (isDecision(step, act) && !canDecideSteps(actor.standing)) return notProved(actor);
    const isVerdict = act === 'approve' || act === 'reject';
    if (!isVerdict || !submitter || !isSamePerson(submitter, by)) return null;
    const canReject = isUnprovedTie(submitter, by);
    return act === 'reject' && canReject
      ? null
      : { code: 'own_submission', stepId, nobodyElse: true, ...(canReject && { canReject }) };
  }
  const active = stepStateOf(state, stepId);
  if (active?.state === 'active' && active.votes.some((vote) => isSamePerson(vote.by, by)))
    return { code: 'already_voted', stepId };
  if (actor.token?.kind === 'organization' && type === 'approval') return { code: 'not_for_tokens' };
  if (barred) {
    const { by: addedBy, mark } = barred;
    return { code: 'added_during_run', stepId, addedBy, mark };
  }
  const performers = performersIn(state, step);
  return {
    code: 'not_assigned',
    stepId,
    isApproval: type === 'approval',
    assignee: isUnassigned(performers) ? null : namesIn(namesNow(state, step)),
    editorsMayHelp: row.editors_may_help,
    nobodyElse: submitter !== undefined,
    hasDueTime: step.sla.trim() !== '',
    isByOwnHand: isNamedByOwnHand(type, performers, namedPersonOf(actor)),
  };
}

/** The people, groups and roles that a step names, for example `Reviewer` or `sam@halden.example or group:finance`. */
export function namesIn(step: NamesPeople): string {
  const inConfig = 'assignedRole' in step.config ? (step.config.assignedRole ?? '') : '';
  const names = [...assigneeNames(step.assignee), inConfig].flatMap((name) => {
    const isNamed = !isUnassigned(performersOf({ assignee: name, config: {} }, null));
    return isNamed ? [nameInWords(name.toLowerCase())] : [];
  });
  return [...new Set(names)].join(' or ');
}

function nameInWords(name: string): string {
  if (name === STARTER) return 'the person who started the run';
  return assignedOrgRole(name) === null ? name : name.charAt(0).toUpperCase() + name.slice(1);
}
