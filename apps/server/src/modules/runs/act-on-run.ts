import type { Priority } from '@stet/contract';
import { type ActsFor, isEmail, spellingsOf } from '@stet/domain/access';
import { mentionsIn } from '@stet/domain/notifications';
import {
  type Added,
  type PersonCommand,
  type RunActor,
  type RunFact,
  isDecision,
  namesNow,
  stepStateOf,
} from '@stet/domain/runs';
import type { Once, Tx } from '../../kernel/database.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { type Answer, answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { type Delegator, delegatorFor, lentPermissions, listDelegators } from '../delegations/index.ts';
import { listMemberEmails, mentionablePeople } from '../organizations/index.ts';
import { delegatedAccess } from './delegated-access.ts';
import { attachFiles } from './evidence/attach-files.ts';
import { claimRefusals } from './claim-access.ts';
import { findNextPerson } from './claims.sql.ts';
import { type NextPerformer, findNextPerformer } from './next-performer.ts';
import { runCommand } from './run-command.ts';
import { readHistoryOf } from './read-history.ts';
import { type PresentedRun, presentRun } from './run.presenter.ts';
import { runActorOf } from './run-actor.ts';
import { type RunRow, lockRun } from './runs.sql.ts';
import { assertMayRetry, namesIn, othersRetry, readProofs, stepAccess } from './step-access.ts';

type Action = {
  actor: OrgActor;
  once: Once | null;
  runId: string;
  /** The command, or a function that creates it from the locked run and the person or group found for `to`. */
  command: PersonCommand | ((row: RunRow, next: NextPerformer | null) => PersonCommand);
  /** The person or group that the step is handed over to, as in `findNextPerformer`. */
  to?: string;
  /** The person whose work the actor does, as their delegate. */
  onBehalfOf?: string | undefined;
  /** The revision of the run that the caller read, or null if the caller sent none. */
  ifMatch?: number | null;
  /**
   * False if the caller can't ask the person to confirm that they are helping with a manual step assigned to others.
   */
  canHelp?: boolean;
};

/**
 * Executes a person's action on a run. Returns the updated run as this person sees it, in the form of `present`.
 * Refuses actions on a step that the person may not take. For all other actions, and for a retry, the route has checked
 * the permission.
 */
export async function actOnRun<T>(
  { db }: Deps,
  { actor, once, runId, command: wanted, onBehalfOf, to, ifMatch = null, canHelp = true }: Action,
  present: (run: PresentedRun) => T,
): Promise<Answer<T>> {
  const { orgId, sessionId } = actor;
  return db.changeRecord(actor, once, runId, async (tx) => {
    // Locks memberships before the run is locked, in the same order as the removal of a member.
    const next = memberToLock(tx, actor, wanted, { to, onBehalfOf });
    const commentText = typeof wanted === 'function' ? '' : commentIn(wanted);
    let recheck = (): void => {};
    const changed = await runCommand(tx, {
      orgId,
      runId,
      sessionId,
      lock: () => tx.maybeOne(lockRun, { orgId, runId }),
      read: async () => {
        const [history, people, delegators, found] = await Promise.all([
          readHistoryOf(tx, { orgId, runId }),
          mentionablePeople(tx, orgId, commentText),
          listDelegators(tx, actor),
          next,
        ]);
        return { people, delegators, next: found, ...history };
      },
      give: async ({ row, now, read }) => {
        const { delegators } = read;
        if (read.next instanceof Refused) throw read.next;
        const command = typeof wanted === 'function' ? wanted(row, read.next) : wanted;
        if (command.type === 'retry') assertMayRetry(actor, row, command.stepId);
        checkRevision(row, actor, command, ifMatch);
        await assertPeopleAreMembers(tx, orgId, row, command);
        const lent =
          onBehalfOf === undefined ? undefined : lentFor(tx, delegators, { actor, onBehalfOf, row, command, now });
        if (lent) recheck = lent.recheck;
        const { by, ...acting } = await actingOn(tx, {
          actor: lent?.delegator ?? actor,
          delegate: lent && actor,
          row,
          command,
          now,
          canHelp,
        });
        const asked =
          command.type === 'retry'
            ? { ...command, othersCan: await othersRetry(tx, { actor, row, state: row.state }) }
            : command.type === 'complete'
              ? await attachFiles(tx, { actor, runId, steps: row.steps, state: row.state }, command)
              : command;
        const proofs = await readProofs(tx, orgId, row.state);
        return { command: asked, by: { actor: by, ...acting, isStrict: row.strict, proofs } };
      },
      about: ({ read: { people } }) => ({
        comment: { text: commentText, mentions: mentionsIn(commentText, people).map(({ userId }) => userId) },
      }),
    });
    const { row, now, facts, state, read } = unwrap(changed);
    recheck();
    const { history, delegators } = read;
    const access = await stepAccess(tx, { actor, row, state, now });
    const shown = { ...row, revision: row.revision + 1, priority: priorityAfter(row.priority, facts) };
    const delegated = await delegatedAccess(tx, delegators, { actor, row, state, now });
    return answer(present(presentRun({ row: shown, state, now, history, newFacts: facts, actor, access, delegated })));
  });
}

/**
 * Locks the memberships and accounts of people who claim, hand over or get a step, or the group that gets it. For work
 * as a delegate, locks those of the delegator. Locks nothing for other commands. Returns the person or group that gets
 * the step, null if the command hands over nothing, or a refusal, for example if the account of the person who claims,
 * hands over or gets the step is disabled.
 */
async function memberToLock(
  tx: Tx,
  { orgId, userId }: OrgActor,
  command: Action['command'],
  { to, onBehalfOf }: { to: string | undefined; onBehalfOf: string | undefined },
): Promise<NextPerformer | Refused | null> {
  const lock = (id: string) => tx.maybeOne(findNextPerson, { orgId, id, emails: [] });
  if (to !== undefined) {
    const [own, next] = await Promise.all([lock(userId), findNextPerformer(tx, orgId, to)]);
    return own && !own.is_disabled ? next : new Refused({ code: 'forbidden' });
  }
  if (onBehalfOf !== undefined) {
    await lock(onBehalfOf);
    return null;
  }
  if (typeof command === 'function' || command.type !== 'claim') return null;
  const own = await lock(userId);
  return own && !own.is_disabled ? null : new Refused({ code: 'forbidden' });
}

const priorityAfter = (priority: Priority, facts: readonly RunFact[]): Priority =>
  (facts.findLast(({ type }) => type === 'run_priority_changed') as { to: Priority } | undefined)?.to ?? priority;

/** The text of an action on a step in which the person can mention others. Empty if there is none. */
function commentIn(command: PersonCommand): string {
  if (command.type === 'approve' || command.type === 'reject') return command.comments ?? '';
  if (command.type === 'skip') return command.reason ?? '';
  if (command.type !== 'complete') return '';
  // On an approval step, `output.text` is the comment.
  const text = command.output?.['text'];
  return [command.notes, text].filter((part) => typeof part === 'string').join('\n');
}

/** Refuses a form that names someone who isn't a member. Forms without people send no query. */
async function assertPeopleAreMembers(tx: Tx, orgId: string, { steps }: RunRow, command: PersonCommand): Promise<void> {
  if (command.type !== 'complete') return;
  const step = steps.find(({ id }) => id === command.stepId);
  const given = command.output?.['fields'];
  if (step?.type !== 'manual' || typeof given !== 'object' || given === null) return;
  const named = (step.config.fields ?? []).flatMap((field) => {
    const value = field.kind === 'person' ? (given as Record<string, unknown>)[field.id] : undefined;
    return typeof value === 'string' && isEmail(value.trim()) ? [{ field, spellings: spellingsOf(value) }] : [];
  });
  if (named.length === 0) return;
  const emails = named.flatMap(({ spellings }) => spellings);
  const members = new Set((await tx.many(listMemberEmails, { orgId, emails })).map(({ email }) => email));
  const problems = named
    .filter(({ spellings }) => !spellings.some((email) => members.has(email)))
    .map(({ field }) => ({ fieldId: field.id, problem: `${field.label} must be a member of this organization` }));
  if (problems.length > 0) throw new Refused({ code: 'invalid_fields', stepId: step.id, problems });
}

/** Refuses outdated revisions. Decisions with a personal API token need If-Match, like reviews of drafts. */
function checkRevision(row: RunRow, { token }: OrgActor, command: PersonCommand, ifMatch: number | null): void {
  const step = 'stepId' in command ? row.steps.find(({ id }) => id === command.stepId) : undefined;
  const decides = step && isStepAct(command.type) && isDecision(step, command.type);
  if (ifMatch === null && token?.kind === 'personal' && decides)
    throw new Refused({
      code: 'invalid',
      problems: [{ field: 'If-Match', problem: 'must be the revision that was read, for example "3"' }],
    });
  if (ifMatch !== null && ifMatch !== row.revision)
    throw new Refused({ code: 'stale_run', sent: ifMatch, current: row.revision });
}

const isStepAct = (type: PersonCommand['type']): type is Parameters<typeof isDecision>[1] =>
  type === 'complete' || type === 'approve' || type === 'reject' || type === 'skip';

type Lent = { actor: OrgActor; onBehalfOf: string; row: RunRow; command: PersonCommand; now: number };

/**
 * Returns the delegator as an actor with only the permissions that they lend for this action, and the `recheck` of
 * `delegatorFor`. Throws if they haven't delegated it to the actor. Only completing, approving and rejecting can be
 * delegated.
 */
function lentFor(
  tx: Tx,
  delegators: readonly Delegator[],
  { actor, onBehalfOf, row, command, now: at }: Lent,
): { delegator: OrgActor; recheck: () => void } {
  const step = 'stepId' in command ? row.steps.find(({ id }) => id === command.stepId) : undefined;
  if (!step || !isStepAct(command.type) || command.type === 'skip') throw new Refused({ code: 'not_delegated' });
  const kind = isDecision(step, command.type) ? 'votes' : 'tasks';
  const work = { kind, workflowKey: row.workflow_key, at } as const;
  const { delegator, recheck } = delegatorFor(tx, delegators, { actor, onBehalfOf, ...work });
  return { delegator: { ...delegator.actor, permissions: lentPermissions(delegator, actor, kind) }, recheck };
}

type Asked = {
  actor: OrgActor;
  delegate: OrgActor | undefined;
  row: RunRow;
  command: PersonCommand;
  now: number;
  canHelp: boolean;
};

/**
 * Returns the actor as the run records them (`by`), the reason why they may act for the people that the step names
 * (`actsFor`; null if it names the actor), and the marked membership or role that they act through, if any (`added`).
 * Both are null for actions other than completing, approving, rejecting and skipping. Throws if the actor may not act.
 */
async function actingOn(
  tx: Tx,
  { actor, delegate, row, command, now, canHelp }: Asked,
): Promise<{ by: RunActor; actsFor: ActsFor | null; added: Added | null }> {
  // Retrying needs its own permission, which the route checks.
  const itself = { by: runActorOf(actor), actsFor: null, added: null };
  if (!('stepId' in command) || command.type === 'retry') return itself;
  const step = row.steps.find(({ id }) => id === command.stepId);
  if (!step) throw new Refused({ code: 'unknown_step', stepId: command.stepId });
  const access = await stepAccess(tx, { actor, delegate, row, state: row.state, now, steps: [step] });
  const { by } = access;
  if (command.type === 'claim' || command.type === 'release' || command.type === 'hand_over') {
    const { claim, release, handOver } = claimRefusals({ actor, row, state: row.state, step, access });
    const refusal = { claim, release, hand_over: handOver }[command.type];
    // If the run isn't running or the step isn't active, the domain refuses with a more precise reason.
    if (refusal && stepStateOf(row.state, step.id)?.state === 'active' && row.state.status === 'running')
      throw new Refused(refusal);
    return itself;
  }
  const refusal = access.refusalToAct(step, command.type);
  if (refusal) throw new Refused(refusal);
  const how = access.howMayAct(step, command.type);
  if (how === 'helper' && !canHelp)
    throw new Refused({ code: 'help_not_asked', stepId: step.id, assignee: namesIn(namesNow(row.state, step)) });
  // A stand-in's decision has the mark of the role that lets them stand in.
  return { by, actsFor: how === 'named' ? null : how, added: how === 'helper' ? null : access.added(step) };
}
