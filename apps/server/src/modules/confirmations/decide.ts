import {
  type ConfirmationRefusal,
  PERMISSIONS,
  decideConfirmation,
  decideRefusal,
  mailboxOf,
} from '@stet/domain/access';
import type { Handlers } from '../../http/handler.ts';
import { selected } from '../../http/selected.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import type { EventOf, RecordedEvent } from '../../kernel/recorded-event.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { findOrganization, presentOrganization } from '../organizations/index.ts';
import { canWithdraw, presentConfirmation, sentenceWithGroups, subjectOf } from './confirmation.presenter.ts';
import {
  type ConfirmationRow,
  endConfirmation,
  findConfirmation,
  findWaiting,
  listWaiting,
  lockConfirmations,
} from './confirmations.sql.ts';
import { EFFECTS } from './effects.ts';
import { askToConfirm, confirmationSubject, proposerOf } from './propose.ts';
import { type KnownPeople, knownPeople } from './people.sql.ts';

export const confirmationHandlers = {
  'GET /api/confirmations': async ({ db }, { actor }) => {
    const { orgId, userId } = actor;
    const { rows, known } = await db.transaction(actor, async (tx) => {
      // Members who aren't managers see only their own proposals, which they can withdraw.
      const proposedBy = actor.permissions.includes('org.manage') ? null : userId;
      const waiting = await tx.many(listWaiting, { orgId, proposedBy, reviewing: PERMISSIONS['draft.review'] });
      const userIds = [userId, ...waiting.map(({ proposer }) => proposer.id), ...aboutIdsOf(waiting)];
      const people = await knownPeople(tx, { orgId, userIds });
      return { rows: waiting, known: people };
    });
    return answer(rows.map((row) => presentConfirmation(row, actor, known)));
  },

  'POST /api/confirmations/{id}/confirm': ({ db }, { actor, params, once }) =>
    db.changeOnce(actor, once, async (tx) => {
      const { row, known } = await lockConfirmation(tx, actor, params.id);
      const decided = await confirm(tx, actor, row, known);
      return answer(presentConfirmation(decided, actor, known));
    }),

  'POST /api/confirmations/{id}/refuse': ({ db }, { actor, params, body, once }) =>
    db.changeOnce(actor, once, async (tx) => {
      const { row, known } = await lockConfirmation(tx, actor, params.id);
      const decided = await refuseOrWithdraw(tx, actor, row, known, body?.reason ?? null);
      return answer(presentConfirmation(decided, actor, known));
    }),

  'POST /api/organizations/{id}/policy-change/confirm': async ({ db }, { actor, params, body, once }) => {
    const orgId = selected(actor, params.id);
    return db.changeOnce(actor, once, async (tx) => {
      const { row, known } = await lockConfirmation(tx, actor, findLowering(orgId));
      const waiting = Number(row.payload.requiredApprovals);
      const shown = body?.requiredApprovals ?? waiting;
      if (shown !== waiting) throw new Refused({ code: 'other_policy_change', shown, waiting });
      await confirm(tx, actor, row, known);
      return answer(await organizationWithout(tx, orgId, { required_approvals: waiting }));
    });
  },

  'DELETE /api/organizations/{id}/policy-change': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    return db.transaction(actor, async (tx) => {
      const { row, known } = await lockConfirmation(tx, actor, findLowering(orgId));
      await refuseOrWithdraw(tx, actor, row, known, null);
      return answer(await organizationWithout(tx, orgId, {}));
    });
  },
} satisfies Partial<Handlers>;

/** Finds the pending proposal to lower the number of required approvals. */
const findLowering =
  (orgId: string) =>
  async (tx: Tx): Promise<ConfirmationRow> => {
    const row = await tx.maybeOne(findWaiting, { orgId, kind: 'policy', subjectId: 'requiredApprovals' });
    if (!row) throw new Refused({ code: 'no_policy_change' });
    return row;
  };

/**
 * Presents the organization after the decision. Includes the change explicitly, because reads don't see the writes of
 * this transaction yet.
 */
async function organizationWithout(tx: Tx, orgId: string, change: { required_approvals?: number }) {
  const row = await tx.maybeOne(findOrganization, { orgId });
  if (!row) throw new Refused({ code: 'not_found', what: 'organization' });
  return presentOrganization({ ...row, ...change, pending: null });
}

const aboutIdsOf = (rows: readonly ConfirmationRow[]): string[] => rows.flatMap((row) => subjectOf(row).aboutId ?? []);

/**
 * Locks the organization, so that its confirmations are decided one after the other, and reads the data that the
 * decision needs.
 */
async function lockConfirmation(
  tx: Tx,
  { orgId, userId }: OrgActor,
  find: string | ((tx: Tx) => Promise<ConfirmationRow | undefined>),
): Promise<{ row: ConfirmationRow; known: KnownPeople }> {
  await tx.maybeOne(lockConfirmations, { orgId });
  const row = typeof find === 'string' ? await tx.maybeOne(findConfirmation, { orgId, id: find }) : await find(tx);
  if (!row) throw new Refused({ code: 'not_found', what: 'confirmation' });
  const people = await knownPeople(tx, { orgId, userIds: [userId, row.proposer.id, ...aboutIdsOf([row])] });
  return { row, known: people };
}

type Decision = { ok: true } | { ok: false; refusal: ConfirmationRefusal };

const questionOf = ({ userId }: OrgActor, row: ConfirmationRow, { people, at }: KnownPeople) => ({
  ...subjectOf(row),
  actorId: userId,
  proposedBy: row.proposer.id,
  people: new Map(people.map((person) => [person.id, person])),
  at,
});

/** Confirms and applies a proposal. Refuses if it isn't waiting any more, or if the actor can't be its second person. */
export async function confirm(
  tx: Tx,
  actor: OrgActor,
  row: ConfirmationRow,
  known: KnownPeople,
): Promise<ConfirmationRow> {
  assertWaiting(row);
  unwrap<Decision>(decideConfirmation(questionOf(actor, row, known)));
  const effects = await EFFECTS[row.kind](tx, actor, row);
  const ended = await end(tx, actor, row, { status: 'confirmed', reason: null, effects });
  const asked = row.kind === 'member' ? await askForAnother(tx, actor, row, known) : [];
  if (asked.length > 0) appendAudit(tx, asked);
  return ended;
}

/**
 * If the manager who confirmed a person also gave them their role, the confirmation doesn't count for this manager's
 * own drafts. In this case, asks the other managers to confirm the person too.
 */
async function askForAnother(
  tx: Tx,
  actor: OrgActor,
  { subject_id: id }: ConfirmationRow,
  { people }: KnownPeople,
): Promise<RecordedEvent[]> {
  const member = people.find((each) => each.id === id);
  const givenBy = member?.history.find(({ until }) => until === null)?.givenBy;
  const giver = people.find((each) => each.id === givenBy);
  const own = people.find((each) => each.id === actor.userId);
  if (!member?.role || !giver || !own || mailboxOf(giver.email) !== mailboxOf(own.email)) return [];
  const { name, email, role } = member;
  return askToConfirm(tx, proposerOf(actor), { id, name, email, role });
}

/** Ends a proposal without applying it: its proposer withdraws it, or another manager refuses it. */
async function refuseOrWithdraw(
  tx: Tx,
  actor: OrgActor,
  row: ConfirmationRow,
  known: KnownPeople,
  reason: string | null,
): Promise<ConfirmationRow> {
  assertWaiting(row);
  const isProposer = row.proposer.id === actor.userId;
  if (isProposer && !canWithdraw(row.kind)) throw new Refused({ code: 'proposer_cannot_confirm' });
  if (!isProposer) {
    assertManages(actor);
    unwrap<Decision>(decideRefusal(questionOf(actor, row, known)));
  }
  const status = isProposer ? 'withdrawn' : 'refused';
  return end(tx, actor, row, { status, reason, effects: [] });
}

function assertManages({ permissions }: OrgActor): void {
  if (!permissions.includes('org.manage')) throw new Refused({ code: 'forbidden' });
}

function assertWaiting({ status }: ConfirmationRow): void {
  if (status !== 'waiting') throw new Refused({ code: 'not_waiting' });
}

async function end(
  tx: Tx,
  actor: OrgActor,
  row: ConfirmationRow,
  ending: { status: 'confirmed' | 'refused' | 'withdrawn'; reason: string | null; effects: RecordedEvent[] },
): Promise<ConfirmationRow> {
  const { orgId, userId, name, email } = actor;
  const { status, reason, effects } = ending;
  const ended = await tx.maybeOne(endConfirmation, { orgId, id: row.id, status, decidedBy: userId, reason });
  if (!ended) throw new Refused({ code: 'not_waiting' });
  const isPolicy = row.kind === 'policy';
  const sentence = sentenceWithGroups(row);
  const decided = { id: row.id, proposerId: row.proposer.id, sentence, status, reason };
  const record = {
    ...auditActor(actor),
    context: decided,
    subject: confirmationSubject({ kind: row.kind, subjectId: row.subject_id }, orgId),
    data: {
      ...row.payload,
      confirmationId: row.id,
      kind: row.kind,
      sentence,
      proposedBy: row.proposer.id,
      reason,
    },
  };
  const action =
    status === 'confirmed'
      ? ('confirmation.confirmed' as const)
      : status === 'refused'
        ? isPolicy
          ? ('policy.change_refused' as const)
          : ('confirmation.refused' as const)
        : isPolicy
          ? ('policy.change_withdrawn' as const)
          : ('confirmation.withdrawn' as const);
  // For a confirmed policy, the `policy.changed` event also records the confirmation.
  const events = isPolicy && status === 'confirmed' ? effects.map((effect) => withDecision(effect, decided)) : effects;
  appendAudit(tx, isPolicy && status === 'confirmed' ? events : [{ ...record, action }, ...events]);
  return { ...row, status, decider: { id: userId, name, email }, decided_at: new Date(), reason };
}

const withDecision = (event: RecordedEvent, decided: EventOf<'confirmation.confirmed'>['context']): RecordedEvent =>
  event.action === 'policy.changed' ? { ...event, context: { ...event.context, decided } } : event;
