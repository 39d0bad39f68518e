import { roleHas } from '@stet/domain/access';
import {
  acceptedMembers,
  type ChangeFinding,
  type CountedApproval,
  type DraftStanding,
  fillRequirements,
  type relationsAmong,
  requirementsOf,
  type ReviewRoute,
} from '@stet/domain/drafts';
import type { RoutedGroup } from './drafts.sql.ts';

/** A group that has to approve a draft. */
export type LoadedRequirement = {
  group: string;
  name: string;
  because: ChangeFinding[];
  /** The id of the member whose approval counts for the group; null if there is none yet. */
  by: string | null;
  /** True if an author of the draft added that member to the group. */
  isMarked: boolean;
  /** True if the approval of some member who isn't needed for another group would count. */
  canAnyone: boolean;
};

type Question = {
  findings: readonly ChangeFinding[];
  tags: readonly string[];
  routes: readonly ReviewRoute[];
  groups: readonly RoutedGroup[];
  relations: ReturnType<typeof relationsAmong>;
  standing: DraftStanding;
  /** When the draft was first saved, in epoch milliseconds. */
  firstSavedAt: number;
  strict: boolean;
  /** People whose approvals count for the draft, in chronological order. */
  approverIds: readonly string[];
};

/** Returns the groups that have to approve a draft, and who has. `acceptedMembers` says whose approval counts. */
export function groupRequirements(question: Question): LoadedRequirement[] {
  const { findings, tags, routes, groups, relations, standing, approverIds } = question;
  const required = requirementsOf(findings, tags, routes).map(({ group, because }) => {
    const { name, members } = groups.find(({ slug }) => slug === group) ?? { name: group, members: [] };
    const since = members.map(({ addedAt, ...member }) => ({ ...member, addedAt: Date.parse(addedAt) }));
    return { group, name, because, members: acceptedMembers(since, question) };
  });
  const able = standing.selfApproval.allowed
    ? relations.people.filter(
        ({ id, role }) => standing.authors.has(id) && role !== null && roleHas(role, 'draft.review'),
      )
    : [];
  const possible = fillRequirements(required, [...standing.counted.keys(), ...able.map(({ id }) => id)]);
  const filled = fillRequirements(required, approverIds);
  return required.map(({ group, name, because, members }) => {
    const by = filled.get(group) ?? null;
    const isMarked = by !== null && members.get(by)?.isMarked === true;
    return { group, name, because, by, isMarked, canAnyone: possible.has(group) };
  });
}

/** Marks the approvals that count for a group only through a membership that an author of the draft gave. */
export const withGroupMarks = (
  counted: readonly CountedApproval[],
  requirements: readonly LoadedRequirement[],
): CountedApproval[] =>
  counted.map((approval) =>
    requirements.some(({ by, isMarked }) => isMarked && by === approval.reviewerId)
      ? { ...approval, marks: [...approval.marks, 'added_to_group_by_author'] }
      : approval,
  );
