import { roleHas } from '@stet/domain/access';
import {
  type ChangeFinding,
  type DraftStanding,
  fillRequirements,
  requirementsOf,
  type ReviewRoute,
} from '@stet/domain/drafts';
import type { KnownPeople } from '../confirmations/index.ts';
import type { RoutedGroup } from './drafts.sql.ts';

/** A group that has to approve a draft. */
export type LoadedRequirement = {
  group: string;
  name: string;
  because: ChangeFinding[];
  /** The id of the member whose approval counts for the group; null if there is none yet. */
  by: string | null;
  /** True if the approval of some member who isn't needed for another group would count. */
  canAnyone: boolean;
};

type Question = {
  findings: readonly ChangeFinding[];
  tags: readonly string[];
  routes: readonly ReviewRoute[];
  groups: readonly RoutedGroup[];
  people: KnownPeople['people'];
  standing: DraftStanding;
  /** When the draft was first saved, in epoch milliseconds. */
  firstSavedAt: number;
  /** People whose approvals count for the draft, in chronological order. */
  approverIds: readonly string[];
};

/**
 * Returns the groups that have to approve a draft, and who has approved for each. A member's approval counts if they
 * belonged to the group when the draft was first saved. Managers who added themselves count only if there is no other
 * manager; otherwise a manager could join the group to approve alone.
 */
export function groupRequirements(question: Question): LoadedRequirement[] {
  const { findings, tags, routes, groups, people, standing, firstSavedAt, approverIds } = question;
  const managers = people.filter(({ role }) => role !== null && roleHas(role, 'org.manage'));
  const accepted = ({ id, addedAt, addedBy }: RoutedGroup['members'][number]): boolean =>
    Date.parse(addedAt) <= firstSavedAt && !(addedBy.includes(id) && managers.some((manager) => manager.id !== id));
  const required = requirementsOf(findings, tags, routes).map(({ group, because }) => {
    const { name, members } = groups.find(({ slug }) => slug === group) ?? { name: group, members: [] };
    return { group, name, because, members: new Set(members.filter(accepted).map(({ id }) => id)) };
  });
  const able = standing.selfApproval.allowed
    ? people.filter(({ id, role }) => standing.authors.has(id) && role !== null && roleHas(role, 'draft.review'))
    : [];
  const possible = fillRequirements(required, [...standing.counted.keys(), ...able.map(({ id }) => id)]);
  const filled = fillRequirements(required, approverIds);
  return required.map(({ group, name, because }) => ({
    group,
    name,
    because,
    by: filled.get(group) ?? null,
    canAnyone: possible.has(group),
  }));
}
