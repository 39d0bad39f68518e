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
import type { WorkflowPeopleRow } from '../workflow-people/index.ts';
import type { RoutedGroup } from './drafts.sql.ts';

/** A group that has to approve a draft, or the reviewers of its workflow. */
export type LoadedRequirement = {
  /** Its slug; null for the reviewers of the workflow. */
  group: string | null;
  name: string;
  /** Empty for the reviewers of the workflow. */
  because: ChangeFinding[];
  /** The id of the member whose approval counts for the group; null if there is none yet. */
  by: string | null;
  /** True if an author of the draft added that member. */
  isMarked: boolean;
  /** True if the approval of some member who isn't needed for another group would count. */
  canAnyone: boolean;
};

type Question = {
  findings: readonly ChangeFinding[];
  tags: readonly string[];
  routes: readonly ReviewRoute[];
  groups: readonly RoutedGroup[];
  /** The workflow's reviewers. */
  people: Pick<WorkflowPeopleRow, 'reviewers' | 'needs_reviewer'>;
  relations: ReturnType<typeof relationsAmong>;
  standing: DraftStanding;
  /** When the draft was first saved, in epoch milliseconds. */
  firstSavedAt: number;
  strict: boolean;
  /** People whose approvals count for the draft, in chronological order. */
  approverIds: readonly string[];
};

/** Identifies the requirement of the workflow's own reviewers. No group has such a slug. */
const REVIEWERS = 'the workflow’s reviewers';

/**
 * Returns the groups that have to approve a draft, the workflow's reviewers if it requires them, and who has approved.
 * `acceptedMembers` says whose approval counts: reviewers of the workflow are judged like members of a group.
 */
export function groupRequirements(question: Question): LoadedRequirement[] {
  const { findings, tags, routes, groups, people, relations, standing, approverIds } = question;
  const accepted = (members: readonly { id: string; addedAt: string; addedBy: string[] }[]) =>
    acceptedMembers(
      members.map(({ id, addedAt, addedBy }) => ({ id, addedBy, addedAt: Date.parse(addedAt) })),
      question,
    );
  const ofGroups = requirementsOf(findings, tags, routes).map(({ group, because }) => {
    const { name, members } = groups.find(({ slug }) => slug === group) ?? { name: group, members: [] };
    return { group, name, because, members: accepted(members) };
  });
  const ofWorkflow = people.needs_reviewer
    ? [{ group: REVIEWERS, name: 'Reviewers', because: [], members: accepted(people.reviewers) }]
    : [];
  const required = [...ofWorkflow, ...ofGroups];
  const able = standing.selfApproval.allowed
    ? relations.people.filter(
        ({ id, role }) => standing.authors.has(id) && role !== null && roleHas(role, 'draft.review'),
      )
    : [];
  const isDisabled = (id: string): boolean => people.reviewers.some((each) => each.id === id && each.isDisabled);
  const could = [...standing.counted.keys(), ...able.map(({ id }) => id)];
  const possible = fillRequirements(required, [...approverIds, ...could.filter((id) => !isDisabled(id))]);
  const filled = fillRequirements(required, approverIds);
  return required.map(({ group, name, because, members }) => {
    const by = filled.get(group) ?? null;
    const isMarked = by !== null && members.get(by)?.isMarked === true;
    const slug = group === REVIEWERS ? null : group;
    return { group: slug, name, because, by, isMarked, canAnyone: possible.has(group) };
  });
}

/** Marks the approvals that count for a requirement only because an author of the draft added or named the person. */
export const withGroupMarks = (
  counted: readonly CountedApproval[],
  requirements: readonly LoadedRequirement[],
): CountedApproval[] =>
  counted.map((approval) => {
    const through = requirements.find(({ by, isMarked }) => isMarked && by === approval.reviewerId);
    if (!through) return approval;
    const mark = through.group === null ? 'named_by_author' : 'added_to_group_by_author';
    return { ...approval, marks: [...approval.marks, mark] };
  });
