import type { ApprovalMark, VersionState } from '@stet/domain/drafts';
import type { Step } from '@stet/domain/steps';
import type { WorkflowMetadata } from '@stet/domain/workflows';
import { z } from 'zod';

export type PersonRow = { id: string; name: string; email: string };
type Status = VersionState['state'];

/**
 * The version's emergency, with the decision of another owner or admin to ratify or refuse it. Null if the version went
 * live only through reviews. If there were several emergencies, the last one counts. `before` is a column with the time
 * up to which emergencies count. If an emergency was replaced by a later one before anyone ratified or refused it, the
 * decision about the later one counts.
 */
export const emergencyOf = (version: string, before?: string): string => `
  (select json_build_object(
     'by', (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = k.proposed_by),
     'at', k.proposed_at, 'reason', k.payload ->> 'reason', 'status', k.status,
     'decider', (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = k.decided_by),
     'decidedAt', k.decided_at, 'decidedBecause', k.reason)
   from confirmations k
   where k.org_id = ${version}.org_id and k.kind = 'emergency' and k.subject_id = ${version}.id::text and k.status <> 'replaced'
     ${before === undefined ? '' : startedUnder(before)}
   order by ${before === undefined ? '' : `k.proposed_at > ${before}, abs(extract(epoch from k.proposed_at - ${before})),`} k.proposed_at desc limit 1)`;

const startedUnder = (before: string): string => `and (k.proposed_at <= ${before} or exists (
  select from confirmations earlier
  where earlier.org_id = k.org_id and earlier.kind = k.kind and earlier.subject_id = k.subject_id
    and earlier.status = 'replaced' and earlier.proposed_at <= ${before}))`;

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
 * A group that has to approve a draft, and why. `by`: whose approval counted for it at the merge; null before, and after
 * an emergency.
 */
export type StoredRequirement = {
  /** Its slug. */
  group: string;
  /** Its name at that time. */
  name: string;
  because: { code: string; sentence: string }[];
  by: PersonRow | null;
};

/** Selects a user of a joined table or subquery as a `PersonRow`. */
export const personOf = (user: string): string =>
  `json_build_object('id', ${user}.id, 'name', ${user}.name, 'email', ${user}.email)`;

/** The last approval of each reviewer if it is of the current content of `v`, latest first. */
export const approvalsColumn = `
  coalesce((
    select json_agg(json_build_object(
             'reviewer', ${personOf('u')}, 'at', word.at, 'comment', word.comment,
             'isContributor', exists (select from draft_contributors c
                                      where c.org_id = v.org_id and c.draft_id = v.id and c.user_id = u.id)) order by word.at desc)
    from (
      select distinct on (r.reviewer_id) r.reviewer_id, r.verdict, r.dismissed, r.content_hash, r.at, r.comment
      from draft_reviews r where r.org_id = v.org_id and r.draft_id = v.id order by r.reviewer_id, r.at desc, r.id desc
    ) word join users u on u.id = word.reviewer_id
    where word.verdict = 'approved' and not word.dismissed and word.content_hash = v.content_hash
  ), '[]'::json) as approvals`;

export type ApprovalRow = { reviewer: PersonRow; at: string; comment: string; isContributor: boolean };

/** The columns of a version record. `v` is the version, and `creator` is the user who created it. */
export const versionColumns = `
  v.id, v.status, v.version, v.revision, v.content_hash, v.created_at, v.updated_at, v.steps_count, v.summary, v.approvals as merged_with,
  ${emergencyOf('v')} as emergency,
  json_build_object('id', creator.id, 'name', creator.name, 'email', creator.email) as created_by,
  (select count(*) from (
     select distinct on (r.reviewer_id) r.verdict, r.dismissed, r.content_hash
     from draft_reviews r where r.org_id = v.org_id and r.draft_id = v.id order by r.reviewer_id, r.at desc, r.id desc
   ) word where word.verdict = 'approved' and not word.dismissed and word.content_hash = v.content_hash)::int as approvals_count,
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
  merged_with: z.custom<{ reviewer: PersonRow; marks: ApprovalMark[] }[]>().nullable(),
});
export type VersionRow = z.output<typeof versionRow>;

export const approvedVersionRow = versionRow.extend({ approvals: z.custom<ApprovalRow[]>() });
export type ApprovedVersionRow = z.output<typeof approvedVersionRow>;

export const contentRow = z.object({ metadata: z.custom<WorkflowMetadata>(), steps: z.custom<Step[]>() });
