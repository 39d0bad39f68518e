import { type ConfirmationRefusal, decideConfirmation } from '@stet/domain/access';
import type { AuditRecord } from '@stet/domain/audit';
import { isolated } from '@stet/domain/workflows';
import { appendAudit } from '../../db/append-audit.ts';
import { leaveNotices } from '../../db/notices.ts';
import type { Handlers } from '../../http/handler.ts';
import { selected } from '../../http/selected.ts';
import { type OrgActor, by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { findOrganization, presentOrganization } from '../organizations/reads.ts';
import { presentConfirmation, subjectOf } from './confirmation.presenter.ts';
import {
  type ConfirmationRow,
  endConfirmation,
  findConfirmation,
  findStrictness,
  findWaiting,
  listWaiting,
  lockStrictness,
} from './confirmations.sql.ts';
import { EFFECTS } from './effects.ts';
import { confirmationSubject } from './propose.ts';
import { type KnownPeople, knownPeople } from './people.sql.ts';

export const confirmationHandlers = {
  'GET /api/confirmations': async ({ db }, { actor }) => {
    const { orgId, userId } = actor;
    const { rows, known } = await db.transaction(actor, async (tx) => {
      const [waiting, strictness] = await Promise.all([
        tx.many(listWaiting, { orgId }),
        tx.maybeOne(findStrictness, { orgId }),
      ]);
      const userIds = [userId, ...waiting.map(({ proposer }) => proposer.id), ...aboutIdsOf(waiting)];
      const people = await knownPeople(tx, { orgId, userIds });
      return { rows: waiting, known: { ...people, strict: strictness?.strict ?? false } };
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
      const decided = refuseOrWithdraw(tx, actor, row, body?.reason ?? null);
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
      const { row } = await lockConfirmation(tx, actor, findLowering(orgId));
      refuseOrWithdraw(tx, actor, row, null);
      return answer(await organizationWithout(tx, orgId, {}));
    });
  },
} satisfies Partial<Handlers>;

/** The lowering of the required approvals that waits. */
const findLowering =
  (orgId: string) =>
  async (tx: Tx): Promise<ConfirmationRow> => {
    const row = await tx.maybeOne(findWaiting, { orgId, kind: 'policy', subjectId: 'requiredApprovals' });
    if (!row) throw new Refused({ code: 'no_policy_change' });
    return row;
  };

/** The organization once nothing waits any more; what this transaction writes isn't read yet. */
async function organizationWithout(tx: Tx, orgId: string, change: { required_approvals?: number }) {
  const row = await tx.maybeOne(findOrganization, { orgId });
  if (!row) throw new Refused({ code: 'not_found', what: 'organization' });
  return presentOrganization({ ...row, ...change, pending: null });
}

const aboutIdsOf = (rows: readonly ConfirmationRow[]): string[] => rows.flatMap((row) => subjectOf(row).aboutId ?? []);

/** Locks the organization, under which confirmations are decided one at a time, and reads what the decision needs. */
export async function lockConfirmation(
  tx: Tx,
  { orgId, userId }: OrgActor,
  find: string | ((tx: Tx) => Promise<ConfirmationRow | undefined>),
): Promise<{ row: ConfirmationRow; known: KnownPeople & { strict: boolean } }> {
  const strictness = await tx.maybeOne(lockStrictness, { orgId });
  const row = typeof find === 'string' ? await tx.maybeOne(findConfirmation, { orgId, id: find }) : await find(tx);
  if (!row) throw new Refused({ code: 'not_found', what: 'confirmation' });
  const people = await knownPeople(tx, { orgId, userIds: [userId, row.proposer.id, ...aboutIdsOf([row])] });
  return { row, known: { ...people, strict: strictness?.strict ?? false } };
}

/** Makes what was proposed take effect, if the actor is a second person to whoever proposed it. */
export async function confirm(
  tx: Tx,
  actor: OrgActor,
  row: ConfirmationRow,
  { people, at, strict }: KnownPeople & { strict: boolean },
): Promise<ConfirmationRow> {
  assertWaiting(row);
  granted<{ ok: true } | { ok: false; refusal: ConfirmationRefusal }>(
    decideConfirmation({
      ...subjectOf(row),
      actorId: actor.userId,
      proposedBy: row.proposer.id,
      people: new Map(people.map((person) => [person.id, person])),
      at,
      strict,
    }),
  );
  const effects = await EFFECTS[row.kind](tx, actor, row);
  return end(tx, actor, row, { status: 'confirmed', reason: null, effects });
}

/** Ends what was proposed without any effect: withdrawn by its proposer, refused by another manager. */
export function refuseOrWithdraw(
  tx: Tx,
  actor: OrgActor,
  row: ConfirmationRow,
  reason: string | null,
): ConfirmationRow {
  assertWaiting(row);
  const isProposer = row.proposer.id === actor.userId;
  // What happened can't be taken back, nor can the question whether it was right.
  if (isProposer && row.kind === 'emergency') throw new Refused({ code: 'proposer_cannot_confirm' });
  const status = isProposer ? 'withdrawn' : 'refused';
  return end(tx, actor, row, { status, reason, effects: [] });
}

function assertWaiting({ status }: ConfirmationRow): void {
  if (status !== 'waiting') throw new Refused({ code: 'not_waiting' });
}

const VERBS = { confirmed: 'confirmed', refused: 'refused', withdrawn: 'withdrew' } as const;

function end(
  tx: Tx,
  actor: OrgActor,
  row: ConfirmationRow,
  ending: { status: keyof typeof VERBS; reason: string | null; effects: AuditRecord[] },
): ConfirmationRow {
  const { orgId, userId, name, email } = actor;
  const { status, reason, effects } = ending;
  tx.write(endConfirmation, { orgId, id: row.id, status, decidedBy: userId, reason });
  leaveNotices(tx, orgId, [
    {
      source: `confirmation_decided:${row.id}`,
      kind: 'confirmation_decided',
      title: `Your proposal was ${status}`,
      body: `${isolated(name)} ${VERBS[status]}: ${row.sentence}${reason ? ` ${isolated(reason)}` : ''}`,
      to: { userIds: status === 'withdrawn' ? [] : [row.proposer.id] },
    },
  ]);
  const isPolicy = row.kind === 'policy';
  const record = {
    ...by(actor),
    subject: confirmationSubject({ kind: row.kind, subjectId: row.subject_id }, orgId),
    data: {
      ...row.payload,
      confirmationId: row.id,
      kind: row.kind,
      sentence: row.sentence,
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
  appendAudit(tx, isPolicy && status === 'confirmed' ? effects : [{ ...record, action }, ...effects]);
  return { ...row, status, decider: { id: userId, name, email }, decided_at: new Date(), reason };
}
