import type { Priority } from '@stet/contract';
import type { RunState } from '@stet/domain/runs';
import type { Step } from '@stet/domain/workflows';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

/** A moment as the chain has it: exact to the microsecond, which a `Date` isn't. */
const exact = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export const findChainHead = statement({
  name: 'find_chain_head',
  params: ['orgId'],
  row: z.object({ org_name: z.string(), head_seq: z.number(), head_hash: z.string(), now: z.number() }),
  text: `select o.name as org_name, h.seq as head_seq, encode(h.hash, 'hex') as head_hash,
                floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now
         from organizations o join audit_heads h on h.org_id = o.id where o.id = $1`,
});

/** A person as a document names them. */
export type AuditedPerson = { id: string; name: string; email: string };

const runRow = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  workflow_key: z.string(),
  workflow_title: z.string(),
  version: z.number(),
  version_id: z.uuid(),
  priority: z.custom<Priority>(),
  state: z.custom<RunState>(),
  total: z.number(),
  head_seq: z.number(),
  head_hash: z.string(),
});
export type AuditedRunRow = z.output<typeof runRow>;

/**
 * One run, or the runs that were started in a period, oldest first; each bound counts where it isn't null. `total` is how
 * many there are without the limit. The chain's head is that of the same moment: what runs say then is what the trail
 * says up to it.
 */
export const listAuditedRuns = statement({
  name: 'list_audited_runs',
  params: ['orgId', 'runId', 'from', 'to', 'limit'],
  row: runRow,
  text: `select r.id, r.name, r.description, r.workflow_key, r.workflow_title, r.version, r.version_id, r.priority, r.state,
                page.total, h.seq as head_seq, encode(h.hash, 'hex') as head_hash
         from (
           select p.id, count(*) over () as total from runs p
           where p.org_id = $1 and ($2::uuid is null or p.id = $2)
             and ($3::timestamptz is null or p.created_at >= $3) and ($4::timestamptz is null or p.created_at <= $4)
           order by p.created_at, p.id limit $5
         ) page
         join runs r on r.org_id = $1 and r.id = page.id
         join audit_heads h on h.org_id = $1
         order by r.created_at, r.id`,
});

const versionRow = z.object({
  id: z.uuid(),
  content_hash: z.string(),
  steps: z.custom<Step[]>(),
  contributors: z.custom<AuditedPerson[]>(),
  merged_at: z.date().nullable(),
  merged_by: z.custom<AuditedPerson | null>(),
});
export type AuditedVersionRow = z.output<typeof versionRow>;

/** The versions that runs ran on; their steps without the long texts. */
export const listAuditedVersions = statement({
  name: 'list_audited_versions',
  params: ['orgId', 'versionIds'],
  row: versionRow,
  text: `select v.id, v.content_hash, v.merged_at,
                (select coalesce(json_agg(s.step::jsonb || '{"description": "", "config": {}}' order by s.n), '[]')
                 from json_array_elements(v.steps) with ordinality as s (step, n)) as steps,
                (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'email', u.email) order by u.name, u.id), '[]')
                 from draft_contributors c join users u on u.id = c.user_id
                 where c.org_id = v.org_id and c.draft_id = v.id) as contributors,
                (select json_build_object('id', u.id, 'name', u.name, 'email', u.email)
                 from users u where u.id = v.merged_by) as merged_by
         from workflow_versions v where v.org_id = $1 and v.id = any ($2::uuid[])`,
});

const decisionRow = z.object({
  version_id: z.uuid(),
  verdict: z.enum(['approved', 'changes_requested']),
  at: z.date(),
  reviewer: z.custom<AuditedPerson>(),
  comment: z.string(),
  content_hash: z.string(),
  dismissed: z.boolean(),
  is_contributor: z.boolean(),
});
export type AuditedDecisionRow = z.output<typeof decisionRow>;

export const listVersionDecisions = statement({
  name: 'list_version_decisions',
  params: ['orgId', 'versionIds'],
  row: decisionRow,
  text: `select r.draft_id as version_id, r.verdict, r.at, r.comment, r.content_hash, r.dismissed,
                json_build_object('id', u.id, 'name', u.name, 'email', u.email) as reviewer,
                exists (select from draft_contributors c
                        where c.org_id = r.org_id and c.draft_id = r.draft_id and c.user_id = r.reviewer_id) as is_contributor
         from draft_reviews r join users u on u.id = r.reviewer_id
         where r.org_id = $1 and r.draft_id = any ($2::uuid[]) order by r.draft_id, r.at, r.id`,
});

/** How much the trail has of each run up to the chain's head; bytes of payload. */
export const measureAuditedEvents = statement({
  name: 'measure_audited_events',
  params: ['orgId', 'runIds', 'headSeq'],
  row: z.object({ run_id: z.uuid(), events: z.number(), bytes: z.number() }),
  text: `select run_id, count(*) as events, coalesce(sum(octet_length(payload)), 0)::bigint as bytes
         from audit_events where org_id = $1 and run_id = any ($2::uuid[]) and seq <= $3 group by run_id`,
});

const eventRow = z.object({
  run_id: z.uuid(),
  seq: z.number(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  hash: z.string(),
  payload: z.string().nullable(),
});
export type AuditedEventRow = z.output<typeof eventRow>;

export const listAuditedEvents = statement({
  name: 'list_audited_events',
  params: ['orgId', 'runIds', 'headSeq', 'limit'],
  row: eventRow,
  text: `select run_id, seq, ${exact('at')} as at, actor, action, encode(hash, 'hex') as hash, payload
         from audit_events where org_id = $1 and run_id = any ($2::uuid[]) and seq <= $3 order by run_id, seq limit $4`,
});
