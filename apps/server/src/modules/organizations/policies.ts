import { type KnownPerson, isFirstHand, roleHas } from '@stet/domain/access';
import type { AuditRecord } from '@stet/domain/audit';
import { type OrgActor, by } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { type ConfirmationRow, knownPeople } from '../confirmations/reads.ts';
import { type OrganizationRow, findOrganization, savePolicies } from './organizations.sql.ts';

/** The policies that a second manager has to confirm before they get weaker. */
export type Policies = { requiredApprovals: number; strict: boolean };

export const policiesOf = ({ required_approvals, strict }: OrganizationRow): Policies => ({
  requiredApprovals: required_approvals,
  strict,
});

/** For each policy whether a change makes it weaker, and the change in words. */
export const POLICIES: {
  [P in keyof Policies]: {
    isWeaker: (before: Policies[P], after: Policies[P]) => boolean;
    sentence: (before: Policies[P], after: Policies[P]) => string;
  };
} = {
  requiredApprovals: {
    isWeaker: (before, after) => after < before,
    sentence: (before, after) =>
      `${after < before ? 'Lower' : 'Raise'} the required approvals from ${before} to ${after}.`,
  },
  strict: {
    isWeaker: (before, after) => before && !after,
    sentence: (_before, after) => `Switch strict review ${after ? 'on' : 'off'}.`,
  },
};
export const POLICY_NAMES = Object.keys(POLICIES) as (keyof Policies)[];

/** Makes a confirmed policy hold. */
export async function applyPolicy(tx: Tx, actor: OrgActor, confirmation: ConfirmationRow): Promise<AuditRecord[]> {
  const row = await tx.maybeOne(findOrganization, { orgId: actor.orgId });
  if (!row) throw new Refused({ code: 'not_found', what: 'organization' });
  const before = policiesOf(row);
  const after: Policies = { ...before, ...confirmation.payload };
  await assertStrictCanHold(tx, actor, before, after);
  tx.write(savePolicies, { orgId: actor.orgId, ...after });
  const proposal = { proposedBy: confirmation.proposer.id, proposedAt: confirmation.proposed_at.toISOString() };
  return [policyChanged(actor, before, after, proposal)];
}

/** The event of a policy that holds now; only what changed is in it. */
export function policyChanged(
  actor: OrgActor,
  before: Policies,
  after: Policies,
  about: Readonly<Record<string, unknown>>,
): AuditRecord {
  const changed = POLICY_NAMES.filter((name) => before[name] !== after[name]);
  const only = (policies: Policies) => Object.fromEntries(changed.map((name) => [name, policies[name]]));
  return {
    ...by(actor),
    action: 'policy.changed',
    subject: { type: 'organization', id: actor.orgId },
    data: { before: only(before), after: only(after), ...about },
  };
}

/**
 * Refuses strict review where it could never be fulfilled: it is switched on while two managers with a proved address and
 * one more reviewer are here, and needs at least one approval.
 */
export async function assertStrictCanHold(
  tx: Tx,
  { orgId }: OrgActor,
  before: Policies,
  after: Policies,
): Promise<void> {
  if (!after.strict || (before.strict && after.requiredApprovals > 0)) return;
  const { people } = await knownPeople(tx, { orgId });
  const { managers, reviewers } = strictCounts(people);
  if (after.requiredApprovals === 0 || managers < 2 || reviewers < 3) {
    throw new Refused({ code: 'strict_needs_people', managers, reviewers });
  }
}

function strictCounts(people: readonly KnownPerson[]): { managers: number; reviewers: number } {
  const isProved = ({ provedBy }: KnownPerson): boolean => isFirstHand(provedBy) || provedBy === 'manager';
  const reviewers = people.filter(({ role }) => role !== null && roleHas(role, 'draft.review'));
  const managers = reviewers.filter(
    (person) => person.role !== null && roleHas(person.role, 'org.manage') && isProved(person),
  );
  return { managers: managers.length, reviewers: reviewers.length };
}
