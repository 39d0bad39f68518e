import { type Contributor, type Review, type ReviewRoute, SIMULATED_STEPS_POLICIES } from '@stet/domain/drafts';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type PersonRow, type StoredRequirement, contentRow, versionColumns, versionRow } from '../workflows/index.ts';

const draftRow = versionRow.extend({
  workflow_id: z.uuid(),
  key: z.string(),
  live_version_id: z.uuid().nullable(),
  next_version: z.number(),
  archived_at: z.date().nullable(),
  base_version_id: z.uuid().nullable(),
  base_version: z.number().nullable(),
  live_version: z.number().nullable(),
  submitted_at: z.date().nullable(),
  submitted_by: z.custom<PersonRow | null>(),
  merged_at: z.date().nullable(),
  merged_by: z.custom<PersonRow | null>(),
  updated_by_name: z.string(),
  asked_reviewers: z.custom<string[]>(),
  tags: z.custom<string[]>(),
  requirements: z.custom<StoredRequirement[]>(),
  ...contentRow.shape,
});
export type DraftRow = z.output<typeof draftRow>;

const personOf = (column: string): string =>
  `(select json_build_object('id', p.id, 'name', p.name, 'email', p.email) from users p where p.id = ${column})`;
const numberOf = (column: string): string =>
  `(select n.version from workflow_versions n where n.org_id = w.org_id and n.id = ${column})`;

const draft = `
  select ${versionColumns}, v.workflow_id, w.key, w.live_version_id, w.next_version, w.archived_at, v.base_version_id,
         ${numberOf('v.base_version_id')} as base_version, ${numberOf('w.live_version_id')} as live_version,
         v.submitted_at, ${personOf('v.submitted_by')} as submitted_by, v.merged_at, ${personOf('v.merged_by')} as merged_by,
         (select u.name from users u where u.id = v.updated_by) as updated_by_name, v.asked_reviewers, w.tags, v.requirements, v.metadata, v.steps
  from workflows w
  join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
  join users creator on creator.id = v.created_by
  where w.org_id = $1 and w.key = $2 and v.id = $3 and w.deleted_at is null`;

export const findDraft = statement({
  name: 'find_draft',
  params: ['orgId', 'key', 'draftId'],
  row: draftRow,
  text: draft,
});

/**
 * Locks a draft and its workflow. Their data must be read in a later statement, which then sees the changes that were
 * committed while this statement waited.
 */
export const lockDraft = statement({
  name: 'lock_draft',
  params: ['orgId', 'key', 'draftId'],
  row: z.object({ id: z.uuid() }),
  text: `select v.id from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
         where w.org_id = $1 and w.key = $2 and v.id = $3 and w.deleted_at is null
         for update`,
});

export const listContributors = statement({
  name: 'list_contributors',
  params: ['orgId', 'draftId'],
  row: z.object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    saves: z.number(),
    through: z.custom<PersonRow>().nullable(),
    tokens: z.custom<string[]>(),
  }),
  text: `select u.id, u.name, u.email, c.saves, c.tokens,
                (select json_build_object('id', t.id, 'name', t.name, 'email', t.email) from users t where t.id = c.through) as through
         from draft_contributors c join users u on u.id = c.user_id
         where c.org_id = $1 and c.draft_id = $2 order by c.through is not null, c.last_saved_at desc, u.id`,
});

export const listReviews = statement({
  name: 'list_reviews',
  params: ['orgId', 'draftId'],
  row: z.object({
    id: z.uuid(),
    reviewer: z.custom<PersonRow>(),
    /** The delegator. Null if the reviewer reviewed in their own name. */
    on_behalf_of: z.custom<PersonRow>().nullable(),
    verdict: z.custom<Review['verdict']>(),
    comment: z.string(),
    content_hash: z.string(),
    dismissed: z.boolean(),
    by_token: z.boolean(),
    at: z.date(),
    withdrawn_at: z.date().nullable(),
    has_content: z.boolean(),
  }),
  text: `select r.id, json_build_object('id', u.id, 'name', u.name, 'email', u.email) as reviewer,
                ${personOf('r.on_behalf_of')} as on_behalf_of, r.verdict, r.comment, r.content_hash, r.dismissed, r.by_token, r.at, r.withdrawn_at,
                exists (select from draft_contents c where c.org_id = r.org_id and c.draft_id = r.draft_id and c.content_hash = r.content_hash) as has_content
         from draft_reviews r join users u on u.id = r.reviewer_id
         where r.org_id = $1 and r.draft_id = $2 order by r.at, r.id`,
});

/** Locks the policy and the memberships. They must be read in a later statement. */
export const lockReviewPolicy = statement({
  name: 'lock_review_policy',
  params: ['orgId'],
  row: z.object({ id: z.uuid() }),
  text: `select id from organizations where id = $1 for share`,
});

/** The current review policy. */
export const findReviewPolicy = statement({
  name: 'find_review_policy',
  params: ['orgId'],
  row: z.object({
    required_approvals: z.number(),
    strict: z.boolean(),
    simulated_steps: z.enum(SIMULATED_STEPS_POLICIES),
    resolved_comments: z.boolean(),
    review_routes: z.custom<ReviewRoute[]>(),
    type: z.enum(['individual', 'team']),
  }),
  text: `select required_approvals, strict, simulated_steps, resolved_comments, review_routes, type
         from organizations where id = $1`,
});

/**
 * The open requests for changes on a draft: those made on the draft itself, and those made on any draft with the same
 * content.
 */
export const listObjections = statement({
  name: 'list_objections',
  params: ['orgId', 'draftId'],
  row: z.object({
    id: z.uuid(),
    draft_id: z.uuid(),
    reviewer: z.custom<PersonRow>(),
    /** The delegate who made the request for the reviewer. Null if the reviewer made it. */
    delegate: z.custom<PersonRow>().nullable(),
    comment: z.string(),
    at: z.date(),
    contributors: z.custom<Contributor[]>(),
  }),
  text: `select o.id, o.draft_id, o.comment, o.at, o.contributors,
                ${personOf('o.reviewer_id')} as reviewer, ${personOf('o.delegate_id')} as delegate
         from draft_objections o
         where o.org_id = $1 and o.ended_at is null and (o.draft_id = $2 or o.content_hash = (
           select v.content_hash from workflow_versions v where v.org_id = $1 and v.id = $2
         )) order by o.at, o.id`,
});

export const insertObjection = statement({
  name: 'insert_objection',
  params: ['orgId', 'id', 'draftId', 'reviewerId', 'comment', 'contentHash', 'delegateId'],
  text: `insert into draft_objections (org_id, id, draft_id, content_hash, reviewer_id, comment, delegate_id, contributors)
         select $1, $2, $3, $6, $4, $5, $7, coalesce(json_agg(json_build_object('id', c.user_id, 'through', c.through)), '[]')
         from draft_contributors c where c.org_id = $1 and c.draft_id = $3`,
});

/**
 * Ends a reviewer's earlier request for changes to the same content of the same draft. `endedBy` is the id of the
 * person who made the new request.
 */
export const replaceObjection = statement({
  name: 'replace_objection',
  params: ['orgId', 'draftId', 'contentHash', 'reviewerId', 'endedBy'],
  text: `update draft_objections set ended_at = clock_timestamp(), ended_by = $5
         where org_id = $1 and reviewer_id = $4 and ended_at is null and draft_id = $2 and content_hash = $3`,
});

/**
 * Ends a reviewer's requests for changes that were made on this draft or on this content. `because` is the reason if
 * someone else sets them aside, otherwise null. `review` is the approval that ends them, or null.
 */
export const endObjections = statement({
  name: 'end_objections',
  params: ['orgId', 'draftId', 'contentHash', 'reviewerId', 'endedBy', 'because', 'review'],
  text: `update draft_objections set ended_at = clock_timestamp(), ended_by = $5, ended_because = $6, ended_by_review = $7
         where org_id = $1 and reviewer_id = $4 and ended_at is null and (draft_id = $2 or content_hash = $3)`,
});

/** Reopens the requests for changes that the approvals with these ids ended. */
export const reopenObjections = statement({
  name: 'reopen_objections',
  params: ['orgId', 'reviewIds'],
  text: `update draft_objections set ended_at = null, ended_by = null, ended_by_review = null
         where org_id = $1 and ended_by_review = any ($2::uuid[])`,
});

/**
 * The base of a draft and the live version, with their content. Returns one row if they are the same version or if the
 * draft has no base, and none if no version is live either.
 */
export const listMergeSides = statement({
  name: 'list_merge_sides',
  params: ['orgId', 'key', 'draftId'],
  row: contentRow.extend({ id: z.uuid(), version: z.number().nullable() }),
  text: `select side.id, side.version, side.metadata, side.steps
         from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
         join workflow_versions side on side.org_id = v.org_id and side.id in (v.base_version_id, w.live_version_id)
         where w.org_id = $1 and w.key = $2 and v.id = $3 and w.deleted_at is null`,
});

export const insertDraft = statement({
  name: 'insert_draft',
  params: ['orgId', 'id', 'workflowId', 'baseVersionId', 'metadata', 'steps', 'stepsCount', 'contentHash', 'userId'],
  text: `insert into workflow_versions
           (org_id, id, workflow_id, status, base_version_id, metadata, steps, steps_count, content_hash, created_by, updated_by)
         values ($1, $2, $3, 'draft', $4, $5, $6, $7, $8, $9, $9)`,
});

export const updateDraft = statement({
  name: 'update_draft',
  params: ['orgId', 'id', 'metadata', 'steps', 'stepsCount', 'contentHash', 'userId', 'requirements'],
  text: `update workflow_versions
         set metadata = $3, steps = $4, steps_count = $5, content_hash = $6, updated_by = $7, updated_at = now(), revision = revision + 1,
             requirements = $8::jsonb
         where org_id = $1 and id = $2`,
});

/** Saves a draft with a new base. Its content may be unchanged. */
export const rebaseDraft = statement({
  name: 'rebase_draft',
  params: ['orgId', 'id', 'baseVersionId', 'metadata', 'steps', 'stepsCount', 'contentHash', 'userId', 'requirements'],
  text: `update workflow_versions
         set base_version_id = $3, metadata = $4, steps = $5, steps_count = $6, content_hash = $7, updated_by = $8, updated_at = now(),
             revision = revision + 1, requirements = $9::jsonb
         where org_id = $1 and id = $2`,
});

/**
 * Returns the person to whom a save is attributed, and who else counts as a contributor (`behind`). A save with a token
 * that another person has taken over is attributed to its creator, because only the creator was shown its secret. The
 * current owner counts too.
 */
export const contributionOf = ({ userId, token, standing }: Actor) => ({
  userId: token?.createdBy ?? userId,
  behind: [userId, ...standing.alsoCountsAs],
  token: token?.name ?? null,
});

export const countSave = statement({
  name: 'count_save',
  params: ['orgId', 'draftId', 'userId', 'behind', 'token'],
  text: `insert into draft_contributors as c (org_id, draft_id, user_id, saves, through, tokens)
         select $1::uuid, $2::uuid, $3::uuid, 1, null::uuid, array_remove(array[$5::text], null)
         union all select $1, $2, id, 0, $3, '{}' from (select distinct unnest($4::uuid[]) as id) behind where id <> $3
         on conflict (org_id, draft_id, user_id) do update
         set saves = c.saves + excluded.saves,
             last_saved_at = case when excluded.through is null then now() else c.last_saved_at end,
             through = case when excluded.through is null then null else c.through end,
             tokens = case when excluded.tokens <@ c.tokens then c.tokens else c.tokens || excluded.tokens end`,
});

export const dismissApprovals = statement({
  name: 'dismiss_approvals',
  params: ['orgId', 'draftId'],
  text: `update draft_reviews set dismissed = true
         where org_id = $1 and draft_id = $2 and verdict = 'approved' and not dismissed`,
});

export const withdrawApprovals = statement({
  name: 'withdraw_approvals',
  params: ['orgId', 'reviewIds'],
  text: `update draft_reviews set dismissed = true, withdrawn_at = clock_timestamp()
         where org_id = $1 and id = any ($2::uuid[])`,
});

export const setDraftStatus = statement({
  name: 'set_draft_status',
  params: ['orgId', 'id', 'status', 'userId'],
  text: `update workflow_versions
         set status = $3,
             submitted_at = case when $3 = 'in_review' then coalesce(submitted_at, now()) end,
             submitted_by = case when $3 = 'in_review' then coalesce(submitted_by, $4) end,
             updated_at = now()
         where org_id = $1 and id = $2`,
});

/** Saves the groups that have to approve a draft. */
export const saveRequirements = statement({
  name: 'save_requirements',
  params: ['orgId', 'id', 'requirements'],
  text: `update workflow_versions set requirements = $3::jsonb where org_id = $1 and id = $2`,
});

/** A page of the drafts in review, ordered by id, after the draft with the id `after`. */
export const listDraftsToUpdate = statement({
  name: 'list_drafts_to_update',
  params: ['orgId', 'after', 'limit'],
  row: z.object({ id: z.uuid(), key: z.string() }),
  text: `select v.id, w.key from workflow_versions v
         join workflows w on w.org_id = v.org_id and w.id = v.workflow_id and w.archived_at is null and w.deleted_at is null
         where v.org_id = $1 and v.status = 'in_review' and v.id > $2 order by v.id limit $3`,
});

export const saveSummary = statement({
  name: 'save_summary',
  params: ['orgId', 'id', 'summary', 'askedReviewers'],
  text: `update workflow_versions set summary = $3, asked_reviewers = $4::uuid[] where org_id = $1 and id = $2`,
});

export const insertReview = statement({
  name: 'insert_review',
  params: ['orgId', 'id', 'draftId', 'reviewerId', 'verdict', 'comment', 'contentHash', 'byToken', 'at', 'onBehalfOf'],
  text: `insert into draft_reviews (org_id, id, draft_id, reviewer_id, verdict, comment, content_hash, by_token, at, on_behalf_of)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
});

/** Stores the reviewed content, so that the reviewer can see later changes to it. */
export const saveReviewedContent = statement({
  name: 'save_reviewed_content',
  params: ['orgId', 'draftId'],
  text: `insert into draft_contents (org_id, draft_id, content_hash, metadata, steps)
         select v.org_id, v.id, v.content_hash, v.metadata, v.steps from workflow_versions v where v.org_id = $1 and v.id = $2
         on conflict (org_id, draft_id, content_hash) do nothing`,
});

export const supersedeVersion = statement({
  name: 'supersede_version',
  params: ['orgId', 'id'],
  text: `update workflow_versions set status = 'superseded', superseded_at = now() where org_id = $1 and id = $2`,
});

export const mergeDraft = statement({
  name: 'merge_draft',
  params: ['orgId', 'id', 'version', 'userId', 'approvals', 'requirements'],
  text: `update workflow_versions
         set status = 'live', version = $3, merged_at = now(), merged_by = $4, updated_at = now(), approvals = $5::jsonb,
             requirements = $6::jsonb
         where org_id = $1 and id = $2`,
});

export const deleteDraft = statement({
  name: 'delete_draft',
  params: ['orgId', 'id'],
  text: `delete from workflow_versions where org_id = $1 and id = $2 and version is null`,
});

/** Finds any other draft or version of the same workflow. */
export const findOtherVersion = statement({
  name: 'find_other_version',
  params: ['orgId', 'key', 'draftId'],
  row: z.object({ id: z.uuid() }),
  text: `select v.id from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
         where w.org_id = $1 and w.key = $2 and v.id <> $3 limit 1`,
});

export type RoutedGroup = {
  slug: string;
  name: string;
  members: { id: string; addedAt: string; addedBy: string[] }[];
};

/** The groups named by the organization's routes or by the requirements of its drafts, with their members. */
export const listRoutedGroups = statement({
  name: 'list_routed_groups',
  params: ['orgId'],
  row: z.object({ slug: z.string(), name: z.string(), members: z.custom<RoutedGroup['members']>() }),
  text: `select g.slug, g.name, (
           select coalesce(json_agg(json_build_object('id', m.user_id, 'addedAt', m.added_at, 'addedBy', m.added_by)), '[]')
           from group_members m where m.org_id = g.org_id and m.group_id = g.id
         ) as members
         from organizations o join groups g on g.org_id = o.id
         where o.id = $1 and (
           exists (select from jsonb_array_elements(o.review_routes) r where r ->> 'group' = g.slug)
           or exists (select from workflow_versions v
                      where v.org_id = $1 and v.version is null and v.requirements <> '[]'
                        and v.requirements @> jsonb_build_array(jsonb_build_object('group', g.slug))))`,
});
