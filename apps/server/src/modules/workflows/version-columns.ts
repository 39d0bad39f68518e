import type { ApprovalMark, VersionState } from '@stet/domain/drafts';
import type { Step } from '@stet/domain/steps';
import type { WorkflowMetadata } from '@stet/domain/workflows';
import { z } from 'zod';

export type PersonRow = { id: string; name: string; email: string };
type Status = VersionState['state'];

/**
 * Selects the version's emergency, with the decision of another owner or admin to ratify or refuse it. Null if the
 * version went live only through reviews. If there were several emergencies, selects the last one; with `before`, a
 * column with a time, the last one up to then. If that one was replaced by a later emergency before anyone decided
 * about it, selects the later one, whose decision applies to both.
 */
export const emergencyOf = (version: string, before?: string): string => `
  (select json_build_object(
     'by', (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = k.proposed_by),
     'at', k.proposed_at, 'reason', k.payload ->> 'reason', 'status', k.status,
     'decider', (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = k.decided_by),
     'decidedAt', k.decided_at, 'decidedBecause', k.reason)
   from confirmations k
   where k.org_id = ${version}.org_id and k.kind = 'emergency' and k.subject_id = ${version}.id::text and k.status <> 'replaced'
     ${before === undefined ? 'order by k.proposed_at desc' : `and ${sinceTheLastOne(before)} order by k.proposed_at`} limit 1)`;

const sinceTheLastOne = (before: string): string => `k.proposed_at >= (
  select max(one.proposed_at) from confirmations one
  where one.org_id = k.org_id and one.kind = k.kind and one.subject_id = k.subject_id and one.proposed_at <= ${before})`;

export type EmergencyRow = {
  by: PersonRow;
  at: string;
  reason: string;
  status: 'waiting' | 'confirmed' | 'refused';
  decider: PersonRow | null;
  decidedAt: string | null;
  decidedBecause: string | null;
};

/**
 * A group that has to approve a draft, and why. `by` is the person whose approval counted for the group at the merge,
 * with the delegate who gave it for them. Null before the merge, and after an emergency.
 */
export type StoredRequirement = {
  /** The group's slug. */
  group: string;
  /** The group's name when the requirement was stored. */
  name: string;
  because: { code: string; sentence: string }[];
  by: ApproverRow | null;
};

/** A person whose approval counts for a group, with the delegate who gave it for them. */
export type ApproverRow = PersonRow & { delegate?: PersonRow };

/** Selects the user with this alias (a joined table or subquery) as a `PersonRow`. */
export const personOf = (user: string): string =>
  `json_build_object('id', ${user}.id, 'name', ${user}.name, 'email', ${user}.email)`;

/**
 * Selects the valid approvals of the current content of `v`. An approval is no longer valid if one of its people, the
 * delegate or the delegator, has reviewed again afterwards (`latestWords` in the domain).
 */
export const currentApprovals = `
  select r.* from draft_reviews r
  where r.org_id = v.org_id and r.draft_id = v.id and r.verdict = 'approved' and not r.dismissed and r.content_hash = v.content_hash
    and not exists (
      select from draft_reviews later
      where later.org_id = r.org_id and later.draft_id = r.draft_id and later.withdrawn_at is null and (later.at, later.id) > (r.at, r.id)
        and (later.reviewer_id in (r.reviewer_id, r.on_behalf_of) or later.on_behalf_of in (r.reviewer_id, r.on_behalf_of)))`;

/** Selects the valid approvals of the current content of `v`, latest first. */
export const approvalsColumn = `
  coalesce((
    select json_agg(json_build_object(
             'reviewer', ${personOf('u')}, 'onBehalfOf', case when f.id is not null then ${personOf('f')} end, 'at', word.at, 'comment', word.comment,
             'isContributor', exists (select from draft_contributors c
                                      where c.org_id = v.org_id and c.draft_id = v.id and c.user_id = u.id)) order by word.at desc)
    from (${currentApprovals}) word join users u on u.id = word.reviewer_id left join users f on f.id = word.on_behalf_of
  ), '[]'::json) as approvals`;

export type ApprovalRow = {
  reviewer: PersonRow;
  onBehalfOf: PersonRow | null;
  at: string;
  comment: string;
  isContributor: boolean;
};

/** The columns of a version record. `v` is the version, and `creator` is the user who created it. */
export const versionColumns = `
  v.id, v.status, v.version, v.revision, v.content_hash, v.created_at, v.updated_at, v.steps_count, v.summary, v.approvals as merged_with,
  ${emergencyOf('v')} as emergency,
  json_build_object('id', creator.id, 'name', creator.name, 'email', creator.email) as created_by,
  (select count(*) from (${currentApprovals}) word)::int as approvals_count,
  (select count(*) from draft_comments c where c.org_id = v.org_id and c.draft_id = v.id)::int as comments_count`;

export const versionRow = z.object({
  id: z.uuid(),
  status: z.custom<Status>(),
  version: z.number().nullable(),
  revision: z.number(),
  content_hash: z.string(),
  created_at: z.date(),
  updated_at: z.date(),
  steps_count: z.number(),
  summary: z.string().nullable(),
  created_by: z.custom<PersonRow>(),
  approvals_count: z.number(),
  comments_count: z.number(),
  emergency: z.custom<EmergencyRow>().nullable(),
  /** `onBehalfOf` is the delegator. Absent if the reviewer approved in their own name. */
  merged_with: z.custom<{ reviewer: PersonRow; onBehalfOf?: PersonRow; marks: ApprovalMark[] }[]>().nullable(),
});
export type VersionRow = z.output<typeof versionRow>;

export const approvedVersionRow = versionRow.extend({ approvals: z.custom<ApprovalRow[]>() });
export type ApprovedVersionRow = z.output<typeof approvedVersionRow>;

export const contentRow = z.object({ metadata: z.custom<WorkflowMetadata>(), steps: z.custom<Step[]>() });
