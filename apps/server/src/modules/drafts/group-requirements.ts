import { roleHas } from '@stet/domain/access';
import {
  acceptedMembers,
  type ChangeFinding,
  type CountedApproval,
  type DraftStanding,
  fillRequirements,
  findingSentence,
  type relationsAmong,
  requirementsOf,
  type ReviewRoute,
  voterOf,
} from '@stet/domain/drafts';
import { recordedRequirements } from '../audit/index.ts';
import type { NamedReviewer } from '../workflow-people/index.ts';
import type { ApproverRow, StoredRequirement } from '../workflows/index.ts';
import type { RoutedGroup } from './drafts.sql.ts';

/** Maximum number of reasons stored with a requirement. */
const MAX_REASONS = 20;

/** A requirement of a draft: a group that has to approve it, or the reviewers of its workflow. */
export type LoadedRequirement = {
  /** The group's slug. Null for the reviewers of the workflow. */
  group: string | null;
  name: string;
  /** Empty for the reviewers of the workflow. */
  because: StoredRequirement['because'];
  /**
   * The id of the member whose approval counts for the group, also if a delegate gave it. Null if there is none yet.
   */
  by: string | null;
  /** True if an author of the draft, or an author's only voucher, added that member. */
  isMarked: boolean;
  /** The members whose approval the group accepts. */
  memberIds: string[];
  /** Those of them whose approval of this draft would count. */
  ableIds: string[];
  /**
   * True if someone's approval could still fill this requirement, in addition to the approvals needed for other groups.
   */
  canAnyone: boolean;
};

type Question = {
  required: readonly Required[];
  groups: readonly RoutedGroup[];
  /** The workflow's reviewers. */
  people: {
    reviewers: readonly (Pick<NamedReviewer, 'id' | 'addedAt' | 'addedBy'> & { isDisabled?: boolean })[];
    needs_reviewer: boolean;
  };
  relations: ReturnType<typeof relationsAmong>;
  standing: DraftStanding;
  /** When the draft was first saved, in epoch milliseconds. */
  firstSavedAt: number;
  strict: boolean;
  /**
   * The people whose approvals count for the draft, in chronological order. If a delegate gave an approval, this is the
   * delegator.
   */
  approverIds: readonly string[];
};

/** Identifies the requirement of the workflow's own reviewers. No group has such a slug. */
const REVIEWERS = 'the workflow’s reviewers';

/** A group that has to approve, and why. */
type Required = Pick<StoredRequirement, 'group' | 'name' | 'because'>;

/** Returns the groups that have to approve these findings under the routes. */
export const routedGroups = (
  findings: readonly ChangeFinding[],
  { tags, routes, groups }: { tags: readonly string[]; routes: readonly ReviewRoute[]; groups: readonly RoutedGroup[] },
): Required[] =>
  requirementsOf(findings, tags, routes).map(({ group, because }) => ({
    group,
    name: groups.find(({ slug }) => slug === group)?.name ?? group,
    because: because.map((finding) => ({ code: finding.code, sentence: findingSentence(finding) })),
  }));

/** Returns these requirements, and those stored with the draft that they don't include. */
export const withStored = (required: readonly Required[], stored: readonly StoredRequirement[]): Required[] => [
  ...required,
  ...stored.filter(({ group }) => required.every((other) => other.group !== group)),
];

/**
 * Converts requirements to the format that is stored with a draft. Omits the requirement of the workflow's reviewers,
 * which isn't stored. `by` finds a person by id.
 */
export const storedGroups = (
  required: readonly (Omit<Required, 'group'> & { group: string | null; by?: string | null })[],
  by: (id: string) => ApproverRow | null = () => null,
): StoredRequirement[] =>
  required.flatMap(({ group, name, because, by: id = null }) =>
    group === null ? [] : [{ group, name, because: because.slice(0, MAX_REASONS), by: id === null ? null : by(id) }],
  );

/** Stored requirements for the audit event of a change, so that a verification can compare the row with the trail. */
export const storedInEvent = (stored: readonly StoredRequirement[]) => ({
  storedRequirements: recordedRequirements(stored),
});

/**
 * Returns the groups, and the workflow's reviewers if the workflow requires them, with the members whose approval each
 * accepts.
 */
function acceptedBy({ required, groups, people, ...question }: Question) {
  const accepted = (members: readonly { id: string; addedAt: string; addedBy: string[] }[]) =>
    acceptedMembers(
      members.map(({ id, addedAt, addedBy }) => ({ id, addedBy, addedAt: Date.parse(addedAt) })),
      question,
    );
  const ofGroups = required.map(({ group, name: before, because }) => {
    const { name, members } = groups.find(({ slug }) => slug === group) ?? { name: before, members: [] };
    return { group, name, because, members: accepted(members) };
  });
  return people.needs_reviewer
    ? [{ group: REVIEWERS, name: 'Reviewers', because: [], members: accepted(people.reviewers) }, ...ofGroups]
    : ofGroups;
}

/** True if the approvals of these people would fill more requirements than the current approvals. */
export function wouldFillMore(approverIds: readonly string[], question: Question): boolean {
  const required = acceptedBy(question);
  return fillRequirements(required, approverIds).size > fillRequirements(required, question.approverIds).size;
}

/**
 * Returns the groups that have to approve a draft, the workflow's reviewers if the workflow requires them, and who has
 * approved for each. The same rules (`acceptedMembers`) determine which members of a group and which reviewers of the
 * workflow are accepted.
 */
export function groupRequirements(question: Question): LoadedRequirement[] {
  const { people, relations, standing, approverIds } = question;
  const required = acceptedBy(question);
  const able = standing.selfApproval.allowed
    ? relations.people.filter(
        ({ id, role }) => standing.authors.has(id) && role !== null && roleHas(role, 'draft.review'),
      )
    : [];
  const isDisabled = (id: string): boolean =>
    people.reviewers.some((each) => each.id === id && each.isDisabled === true);
  const could = [...standing.counted.keys(), ...able.map(({ id }) => id)];
  const possibleIds = [...approverIds, ...could.filter((id) => !isDisabled(id))];
  const possible = fillRequirements(required, possibleIds);
  const filled = fillRequirements(required, approverIds);
  return required.map(({ group, name, because, members }) => {
    const by = filled.get(group) ?? null;
    const isMarked = by !== null && members.get(by)?.isMarked === true;
    const slug = group === REVIEWERS ? null : group;
    const memberIds = [...members.keys()];
    const ableIds = memberIds.filter((id) => possibleIds.includes(id));
    return { group: slug, name, because, by, isMarked, memberIds, ableIds, canAnyone: possible.has(group) };
  });
}

/**
 * Marks the approvals that fill a requirement although an author of the draft, or an author's only voucher, added the
 * person to the group or named them as a reviewer.
 */
export const withGroupMarks = (
  counted: readonly CountedApproval[],
  requirements: readonly LoadedRequirement[],
): CountedApproval[] =>
  counted.map((approval) => {
    const through = requirements.find(({ by, isMarked }) => isMarked && by === voterOf(approval));
    if (!through) return approval;
    const mark = through.group === null ? 'named_by_author' : 'added_to_group_by_author';
    return { ...approval, marks: [...approval.marks, mark] };
  });
