import type { Contributor, Review } from '@stet/domain/drafts';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { type PersonRow, type StoredRequirement, contentRow } from '../workflows/index.ts';

type NamedReviewer = { id: string; addedAt: string; addedBy: string[] };

const draftInReview = z.object({
  id: z.uuid(),
  key: z.string(),
  title: z.string(),
  author: z.custom<PersonRow>(),
  created_at: z.date(),
  submitted_at: z.date(),
  // The cursor contains the time as text, because a JavaScript date has no microseconds.
  submitted_at_exact: z.string(),
  content_hash: z.string(),
  contributors: z.custom<Contributor[]>(),
  reviews: z.custom<Review[]>(),
  objections: z.custom<{ reviewerId: string; contributors: Contributor[] }[]>(),
  /** The workflow's reviewers if the workflow requires an approval from one of them; otherwise null. */
  named: z.custom<NamedReviewer[] | null>(),
  required_approvals: z.number(),
  strict: z.boolean(),
  requirements: z.custom<StoredRequirement[]>(),
});
export type DraftInReview = z.output<typeof draftInReview>;

/** A page of drafts in review after the cursor, oldest first, with all data that determines who can review them. */
export const listDraftsInReview = statement({
  name: 'list_drafts_in_review',
  params: ['orgId', 'limit', 'afterAt', 'afterId'],
  row: draftInReview,
  text: `select v.id, w.key, v.metadata ->> 'title' as title, v.created_at, v.submitted_at, v.content_hash,
                to_char(v.submitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as submitted_at_exact,
                (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = v.created_by) as author,
                (select coalesce(json_agg(json_build_object('id', c.user_id, 'through', c.through)), '[]')
                 from draft_contributors c where c.org_id = v.org_id and c.draft_id = v.id) as contributors,
                (select coalesce(json_agg(json_build_object(
                   'reviewerId', r.reviewer_id, 'onBehalfOf', r.on_behalf_of, 'verdict', r.verdict, 'contentHash', r.content_hash, 'dismissed', r.dismissed,
                   'byToken', r.by_token) order by r.at, r.id), '[]')
                 from draft_reviews r where r.org_id = v.org_id and r.draft_id = v.id and r.withdrawn_at is null) as reviews,
                (select coalesce(json_agg(json_build_object('reviewerId', b.reviewer_id, 'contributors', b.contributors)), '[]')
                 from draft_objections b
                 where b.org_id = v.org_id and b.ended_at is null and (b.draft_id = v.id or b.content_hash = v.content_hash)) as objections,
                case when rule.needs_reviewer then (
                  select coalesce(json_agg(json_build_object('id', p.user_id, 'addedAt', p.added_at, 'addedBy', p.added_by)), '[]')
                  from workflow_people p where p.org_id = w.org_id and p.workflow_id = w.id and p.part = 'reviewer'
                ) end as named,
                o.required_approvals, o.strict, v.requirements
         from workflow_versions v
         join workflows w on w.org_id = v.org_id and w.id = v.workflow_id and w.archived_at is null and w.deleted_at is null
         join organizations o on o.id = v.org_id
         left join workflow_review_rules rule on rule.org_id = w.org_id and rule.workflow_id = w.id
         where v.org_id = $1 and v.status = 'in_review' and (v.submitted_at, v.id) > ($3::timestamptz, $4::uuid)
         order by v.submitted_at, v.id limit $2`,
});

/** The content of drafts, and the live content that each would replace. */
export const listReviewContents = statement({
  name: 'list_review_contents',
  params: ['orgId', 'draftIds'],
  row: contentRow.extend({ id: z.uuid(), live: z.custom<z.output<typeof contentRow>>().nullable() }),
  text: `select v.id, v.metadata, v.steps,
                case when live.id is not null then json_build_object('metadata', live.metadata, 'steps', live.steps) end as live
         from workflow_versions v
         join workflows w on w.org_id = v.org_id and w.id = v.workflow_id
         left join workflow_versions live on live.org_id = w.org_id and live.id = w.live_version_id
         where v.org_id = $1 and v.id = any ($2::uuid[])`,
});
