import { type KnownPerson, isFirstHand, mailboxOf, roleHas } from '@stet/domain/access';
import { type ReviewRoute, type SimulatedStepsPolicy, weakensRoutes } from '@stet/domain/drafts';
import { sameJson } from '@stet/domain/workflows';
import { routeSentence } from '@stet/presentation/route-words';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import { Refused } from '../../kernel/refused.ts';
import { type ConfirmationRow, knownPeople } from '../confirmations/index.ts';
import { enqueueUpdateOfRequirements } from '../drafts/index.ts';
import { type OrganizationRow, findOrganization, savePolicies } from './organizations.sql.ts';

/** An organization's policies. Weakening one normally requires a second manager's confirmation. */
export type Policies = {
  requiredApprovals: number;
  strict: boolean;
  editorsMayHelp: boolean;
  simulatedSteps: SimulatedStepsPolicy;
  /** True if comments must be resolved before a merge. */
  resolvedComments: boolean;
  /** The minimum length of members' passwords, in characters. */
  passwordMinimum: number;
  /** The rules about which groups have to approve which changes. */
  reviewRoutes: readonly ReviewRoute[];
};

export const policiesOf = (row: OrganizationRow): Policies => ({
  requiredApprovals: row.required_approvals,
  strict: row.strict,
  editorsMayHelp: row.editors_may_help,
  simulatedSteps: row.simulated_steps,
  resolvedComments: row.resolved_comments,
  passwordMinimum: row.password_minimum,
  reviewRoutes: row.review_routes,
});

export const withPolicies = (row: OrganizationRow, policies: Policies): OrganizationRow => ({
  ...row,
  required_approvals: policies.requiredApprovals,
  strict: policies.strict,
  editors_may_help: policies.editorsMayHelp,
  simulated_steps: policies.simulatedSteps,
  resolved_comments: policies.resolvedComments,
  password_minimum: policies.passwordMinimum,
  review_routes: [...policies.reviewRoutes],
});

/** For each policy, whether a change weakens it, and a sentence that describes the change. */
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
    sentence: (_before, after) => `Turn ${after ? 'on' : 'off'} strict review.`,
  },
  editorsMayHelp: {
    isWeaker: (before, after) => !before && after,
    sentence: (_before, after) =>
      after
        ? 'Let editors help on steps assigned to others.'
        : 'Let only owners and admins help on steps assigned to others.',
  },
  simulatedSteps: {
    isWeaker: (before, after) => before === 'refused' && after === 'allowed',
    sentence: (_before, after) =>
      `${after === 'allowed' ? 'Allow' : 'Refuse'} simulated steps in workflows that go live.`,
  },
  resolvedComments: {
    // Everyone who can comment can also resolve every comment, so this policy requires no second person.
    isWeaker: () => false,
    sentence: (_before, after) =>
      after ? 'Block merges until every comment is resolved.' : 'Allow merges with unresolved comments.',
  },
  passwordMinimum: {
    isWeaker: (before, after) => after < before,
    sentence: (before, after) =>
      `${after < before ? 'Lower' : 'Raise'} the minimum password length from ${before} to ${after} characters.`,
  },
  reviewRoutes: {
    isWeaker: weakensRoutes,
    sentence: routesSentence,
  },
};
/** Describes a change to the routes: the removed and the added ones. */
function routesSentence(before: readonly ReviewRoute[], after: readonly ReviewRoute[]): string {
  const without = (some: readonly ReviewRoute[], others: readonly ReviewRoute[]) =>
    some
      .filter((route) => !others.some((other) => sameJson(route, other)))
      .map((route) => routeSentence(route, route.group));
  const [removed, added] = [without(before, after), without(after, before)];
  return [
    ...(removed.length > 0 ? [`Remove the rule: ${removed.join('; ')}.`] : []),
    ...(added.length > 0 ? [`Add the rule: ${added.join('; ')}.`] : []),
  ].join(' ');
}

/** The policies that can't be changed in an individual organization. */
export const OF_TEAMS: readonly (keyof Policies)[] = [
  'requiredApprovals',
  'strict',
  'resolvedComments',
  'passwordMinimum',
  'reviewRoutes',
];
export const POLICY_NAMES = Object.keys(POLICIES) as (keyof Policies)[];

/** The values for `savePolicies`. */
export const storedPolicies = (policies: Policies) => ({
  ...policies,
  reviewRoutes: JSON.stringify(policies.reviewRoutes),
});

/** Applies a confirmed policy. */
export async function applyPolicy(
  tx: Tx,
  actor: OrgActor,
  confirmation: ConfirmationRow,
): Promise<EventOf<'policy.changed'>[]> {
  const row = await tx.maybeOne(findOrganization, { orgId: actor.orgId });
  if (!row) throw new Refused({ code: 'not_found', what: 'organization' });
  const before = policiesOf(row);
  const after: Policies = { ...before, ...confirmation.payload };
  await assertStrictIsPossible(tx, actor, before, after);
  tx.write(savePolicies, { orgId: actor.orgId, ...storedPolicies(after) });
  if (before.reviewRoutes !== after.reviewRoutes) enqueueUpdateOfRequirements(tx, actor.orgId);
  const proposal = { proposedBy: confirmation.proposer.id, proposedAt: confirmation.proposed_at.toISOString() };
  return [policyChanged(actor, before, after, proposal)];
}

/**
 * The event about a policy that now applies. It contains only the changed values. `alone` describes a change that one
 * manager made alone.
 */
export function policyChanged(
  actor: OrgActor,
  before: Policies,
  after: Policies,
  about: Readonly<Record<string, unknown>>,
  alone?: string,
): EventOf<'policy.changed'> {
  const changed = POLICY_NAMES.filter((name) => before[name] !== after[name]);
  const only = (policies: Policies) => Object.fromEntries(changed.map((name) => [name, policies[name]]));
  return {
    ...auditActor(actor),
    action: 'policy.changed',
    subject: { type: 'organization', id: actor.orgId },
    data: { before: only(before), after: only(after), ...about },
    context: alone === undefined ? {} : { alone },
  };
}

/**
 * Refuses strict review if the team could never satisfy it. It requires two proved managers, another reviewer, and at
 * least one required approval.
 */
export async function assertStrictIsPossible(
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

/** Counts people instead of accounts: all accounts of one mailbox are one person. */
function strictCounts(people: readonly KnownPerson[]): { managers: number; reviewers: number } {
  const isProved = ({ provedBy }: KnownPerson): boolean => isFirstHand(provedBy) || provedBy === 'manager';
  const reviewers = people.filter(
    ({ role, isDisabled }) => role !== null && !isDisabled && roleHas(role, 'draft.review'),
  );
  const managers = reviewers.filter(
    (person) => person.role !== null && roleHas(person.role, 'org.manage') && isProved(person),
  );
  const count = (some: readonly KnownPerson[]): number => new Set(some.map(({ email }) => mailboxOf(email))).size;
  return { managers: count(managers), reviewers: count(reviewers) };
}
