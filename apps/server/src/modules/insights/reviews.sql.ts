import { REVIEW_ACTIONS, REVIEW_DECISIONS } from '@stet/domain/insights';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

const named = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** The events of drafts that concern their reviews, up to a position, in order. Erased events have no payload. */
export const listEventsOfReviews = statement({
  name: 'list_events_of_reviews',
  params: ['orgId', 'draftIds', 'upTo'],
  row: z.object({
    draft_id: z.uuid(),
    at: z.date(),
    action: z.enum(REVIEW_ACTIONS),
    payload: z.string().nullable(),
  }),
  text: `select subject_id as draft_id, at, action, payload from audit_events
         where org_id = $1 and subject_type = 'version' and subject_id = any($2::text[]) and seq <= $3
           and action in (${named(REVIEW_ACTIONS)})
         order by subject_id, seq`,
});

export const deleteFinishedReviews = statement({
  name: 'delete_finished_reviews',
  params: ['orgId', 'draftIds'],
  text: `delete from insight_reviews where org_id = $1 and draft_id = any($2::uuid[])`,
});

export const saveFinishedReviews = statement({
  name: 'save_finished_reviews',
  params: ['orgId', 'reviews'],
  text: `insert into insight_reviews (org_id, draft_id, round, workflow_key, version, submitted_at, decided_at, decision)
         select $1, r.draft_id, r.round, r.workflow_key, r.version, r.submitted_at, r.decided_at, r.decision
         from jsonb_to_recordset($2::jsonb) as r (draft_id uuid, round int, workflow_key text, version int,
           submitted_at timestamptz, decided_at timestamptz, decision text)`,
});

export const forgetFinishedReviews = statement({
  name: 'forget_finished_reviews',
  params: ['orgId'],
  text: `delete from insight_reviews where org_id = $1`,
});

const figures = z.object({
  finished: z.number(),
  changes_requested: z.number(),
  p50: z.number().nullable(),
  p90: z.number().nullable(),
});
// Only the percentile is converted to seconds, because converting all durations would take longer than sorting them.
const percentile = (share: number): string =>
  `extract(epoch from percentile_disc(${share}) within group (order by r.decided_at - r.submitted_at))::float8`;
/** Durations are in seconds, not rounded. */
const figureColumns = `count(*)::int as finished, count(*) filter (where r.decision = 'changes_requested')::int as changes_requested,
                ${percentile(0.5)} as p50, ${percentile(0.9)} as p90`;
/** The beginning of a week in UTC. */
const A_MONDAY = `timestamptz '2001-01-01 00:00:00+00'`;
/** Decided in the weeks from $2 to $3. */
const inPeriod = `r.decided_at >= $2::date::timestamp at time zone 'utc' and r.decided_at < ($3::date + 7)::timestamp at time zone 'utc'`;

/**
 * The figures of a workflow's finished reviews: in total, by week of the decision, and by version. The parameter
 * `version` is null for all reviews, and 0 for those of drafts that didn't go live.
 */
export const sumFinishedReviews = statement({
  name: 'sum_finished_reviews',
  params: ['orgId', 'from', 'to', 'key', 'version'],
  row: figures.extend({ part: z.number(), week: z.string().nullable(), version: z.number().nullable() }),
  text: `select grouping(w.week, r.version)::int as part, to_char(w.week at time zone 'utc', 'YYYY-MM-DD') as week, r.version, ${figureColumns}
         from insight_reviews r
         cross join lateral (select date_bin('7 days', r.decided_at, ${A_MONDAY}) as week) w
         where r.org_id = $1 and ${inPeriod} and r.workflow_key = $4 and ($5::int is null or coalesce(r.version, 0) = $5)
         group by grouping sets ((), (w.week), (r.version)) order by w.week, r.version`,
});
/** The values of `part`, as bits of the columns that aren't grouped by. */
export const REVIEW_PARTS = { all: 3, week: 1, version: 2 } as const;

/** The figures of finished reviews by workflow, in the order of their keys. */
export const sumFinishedReviewsByWorkflow = statement({
  name: 'sum_finished_reviews_by_workflow',
  params: ['orgId', 'from', 'to'],
  row: figures.extend({ key: z.string(), title: z.string() }),
  text: `select w.key, w.title, ${figureColumns}
         from insight_reviews r join workflows w on w.org_id = r.org_id and w.key = r.workflow_key
         where r.org_id = $1 and ${inPeriod} group by w.key, w.title order by w.key`,
});

/**
 * A page of finished reviews, the latest decisions first. The title is null if the draft was deleted. The parameter
 * `version` is null for all reviews, and 0 for those of drafts that didn't go live.
 */
export const listFinishedReviews = statement({
  name: 'list_finished_reviews',
  params: ['orgId', 'from', 'to', 'key', 'version', 'limit', 'decidedAt', 'draftId', 'round'],
  row: z.object({
    draft_id: z.uuid(),
    round: z.number(),
    title: z.string().nullable(),
    version: z.number().nullable(),
    submitted_at: z.date(),
    decided_at: z.date(),
    decision: z.enum(REVIEW_DECISIONS),
  }),
  text: `select r.draft_id, r.round, v.metadata ->> 'title' as title, r.version, r.submitted_at, r.decided_at, r.decision
         from insight_reviews r
         left join workflow_versions v on v.org_id = r.org_id and v.id = r.draft_id
         where r.org_id = $1 and ${inPeriod} and r.workflow_key = $4 and ($5::int is null or coalesce(r.version, 0) = $5)
           and (r.decided_at, r.draft_id, r.round) < ($7::timestamptz, $8::uuid, $9::int)
         order by r.decided_at desc, r.draft_id desc, r.round desc limit $6`,
});
