import { LIVE_CHANGE_ACTIONS } from '@stet/domain/drafts';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { type PersonRow, contentRow, currentApprovals, personOf } from './version-columns.ts';

export const setVersionStatus = statement({
  name: 'set_version_status',
  params: ['orgId', 'id', 'status'],
  text: `update workflow_versions
         set status = $3, superseded_at = case when $3 = 'superseded' then now() end
         where org_id = $1 and id = $2`,
});

const liveChangeRow = z.object({
  at: z.string(),
  action: z.string(),
  data: z.custom<Record<string, unknown>>(),
  by: z.custom<PersonRow | null>(),
});
export type LiveChangeRow = z.output<typeof liveChangeRow>;

/**
 * The events that changed which version of a workflow is in force, oldest first. The audit trail is the only record of
 * earlier periods, because a version's row doesn't contain past rollbacks.
 */
export const listLiveChanges = statement({
  name: 'list_live_changes',
  params: ['orgId', 'key'],
  row: liveChangeRow,
  text: `select to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, e.action, e.data,
                case when u.id is not null then ${personOf('u')} end as by
         from (
           select event.seq, event.at, event.action, coalesce(event.payload::json -> 'data', '{}') as data,
                  -- An API token acts for a person.
                  coalesce(event.payload::json #>> '{actor,personId}', event.actor) as person
           from (
             select w.id::text as id from workflows w where w.org_id = $1 and w.key = $2 and w.deleted_at is null
             union all
             select v.id::text from workflows w
             join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id and v.version is not null
             where w.org_id = $1 and w.key = $2 and w.deleted_at is null
           ) subject
           join audit_events event on event.org_id = $1 and event.subject_id = subject.id
             and event.action in (${LIVE_CHANGE_ACTIONS.map((action) => `'${action}'`).join(', ')})
         ) e
         left join users u on u.id = case when e.person ~ '^[0-9a-f-]{36}$' then e.person::uuid end
         order by e.seq`,
});

/** The live version with its authors. */
export const findLive = statement({
  name: 'find_live',
  params: ['orgId', 'key'],
  row: z.object({ version: z.number().nullable(), contributors: z.custom<string[]>(), ...contentRow.shape }),
  text: `select v.version, v.metadata, v.steps,
                array(select c.user_id::text from draft_contributors c where c.org_id = v.org_id and c.draft_id = v.id) as contributors
         from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.id = w.live_version_id
         where w.org_id = $1 and w.key = $2`,
});

/**
 * Finds the last reviewed version: the one that was merged last through a review, or last went live in an emergency that
 * another manager ratified. For a merged draft, finds the one at the time of its merge. Merges are ordered by their
 * versions, and a ratified emergency rollback comes after the versions that were merged before it. It doesn't count if a
 * later emergency restored the same version again and wasn't ratified. Confirmations of
 * emergencies from earlier releases don't contain their subject. They belong to a merge if they were proposed within a
 * second of it.
 */
export const findLastReviewed = statement({
  name: 'find_last_reviewed',
  params: ['orgId', 'key', 'draftId'],
  row: contentRow.extend({ version: z.number() }),
  text: `with workflow as (
           select w.org_id, w.id, draft.version as merged_as from workflows w
           left join workflow_versions draft on draft.org_id = w.org_id and draft.id = $3
           where w.org_id = $1 and w.key = $2
         ), merge as (
           select v.id, v.version as after, null::timestamptz as ratified
           from workflow w join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id and v.version is not null
           where (w.merged_as is null or v.version < w.merged_as) and not exists (
             select from confirmations k
             where k.org_id = v.org_id and k.kind = 'emergency' and k.subject_id = v.id::text and k.status <> 'confirmed'
               and coalesce(k.payload ->> 'act', case when k.proposed_at < v.merged_at + interval '1 second' then 'merge' end) = 'merge'
           )
           order by v.version desc limit 1
         ), rollback as (
           select v.id, coalesce(earlier.version, v.version) as after, k.proposed_at as ratified
           from workflow w join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id and v.version is not null
           join confirmations k on k.org_id = v.org_id and k.kind = 'emergency' and k.subject_id = v.id::text
           cross join lateral (
             select max(m.version) as version from workflow_versions m
             where m.org_id = w.org_id and m.workflow_id = w.id and m.version is not null and m.merged_at <= k.proposed_at
           ) earlier
           where k.status = 'confirmed' and (w.merged_as is null or coalesce(earlier.version, v.version) < w.merged_as)
             and not exists (
               select from confirmations later
               where later.org_id = k.org_id and later.kind = 'emergency' and later.subject_id = k.subject_id
                 and later.proposed_at > k.proposed_at and later.status not in ('confirmed', 'replaced')
             )
             and coalesce(k.payload ->> 'act', case when k.proposed_at >= v.merged_at + interval '1 second' then 'rollback' end) = 'rollback'
         ), last as (
           select id from (select * from merge union all select * from rollback) reviewed
           order by after desc, ratified desc nulls last limit 1
         )
         select v.version, v.metadata, v.steps from last join workflow_versions v on v.org_id = $1 and v.id = last.id`,
});

/**
 * The approvals in a version's review, which are needed if it was merged before approvals were recorded, and whether
 * its content has an open request for changes.
 */
export const findReviewOfVersion = statement({
  name: 'find_review_of_version',
  params: ['orgId', 'key', 'number', 'id'],
  row: z.object({
    approvals: z.custom<{ byToken: boolean; isOwn: boolean }[]>(),
    has_objection: z.boolean(),
  }),
  text: `select (select coalesce(json_agg(json_build_object('byToken', word.by_token, 'isOwn', exists (
                   select from draft_contributors c
                   where c.org_id = word.org_id and c.draft_id = word.draft_id and c.user_id = word.reviewer_id))), '[]')
                 from (${currentApprovals}) word) as approvals,
                exists (select from draft_objections o
                        where o.org_id = v.org_id and o.content_hash = v.content_hash and o.ended_at is null) as has_objection
         from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null and v.version is not null
           and (v.version = $3::int or v.id = $4::uuid)`,
});

/** The people in a workflow's open runs: those who started the runs, and the assignees of active steps. */
export const findPeopleOfOpenRuns = statement({
  name: 'find_people_of_open_runs',
  params: ['orgId', 'key'],
  row: z.object({ starters: z.custom<string[]>(), assignees: z.custom<string[]>() }),
  text: `select coalesce(array_agg(distinct r.started_by::text), '{}') as starters,
                coalesce(array_agg(distinct s.assignee) filter (where s.assignee is not null), '{}') as assignees
         from workflows w
         join runs r on r.org_id = w.org_id and r.workflow_id = w.id and r.status in ('running', 'paused', 'failed')
         left join run_steps s on s.org_id = r.org_id and s.run_id = r.id and s.state = 'active'
         where w.org_id = $1 and w.key = $2`,
});

/**
 * Lists the open drafts of a workflow that have a valid approval or request for changes, with everyone who has reviewed
 * them.
 */
export const listReviewedDrafts = statement({
  name: 'list_reviewed_drafts',
  params: ['orgId', 'key'],
  row: z.object({ id: z.uuid(), title: z.string(), author_id: z.uuid(), reviewers: z.custom<string[]>() }),
  text: `select v.id, v.metadata ->> 'title' as title, v.created_by as author_id,
                array(select r.reviewer_id::text from draft_reviews r where r.org_id = v.org_id and r.draft_id = v.id
                      union select r.on_behalf_of::text from draft_reviews r
                      where r.org_id = v.org_id and r.draft_id = v.id and r.on_behalf_of is not null
                      union select o.reviewer_id::text from draft_objections o
                      where o.org_id = v.org_id and o.draft_id = v.id and o.ended_at is null) as reviewers
         from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id and v.status in ('draft', 'in_review')
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null and (
           exists (select from draft_objections o where o.org_id = v.org_id and o.draft_id = v.id and o.ended_at is null)
           or exists (${currentApprovals})
         )
         order by v.id`,
});
