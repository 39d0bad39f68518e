import type { Priority } from '@stet/contract';
import type { RunStatus } from '@stet/domain/runs';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

/** Runs of a period, or one run, oldest first; each bound counts where it isn't null. */
export const listAuditedRuns = statement({
  name: 'list_audited_runs',
  params: ['orgId', 'runId', 'from', 'to', 'limit'],
  row: z.object({
    id: z.uuid(),
    name: z.string(),
    workflow_key: z.string(),
    workflow_title: z.string(),
    version: z.number(),
    version_id: z.uuid(),
    content_hash: z.string(),
    priority: z.custom<Priority>(),
    status: z.custom<RunStatus>(),
    created_at: z.date(),
    ended_at: z.date().nullable(),
    titles: z.custom<Record<string, string>>(),
  }),
  text: `select r.id, r.name, r.workflow_key, r.workflow_title, r.version, r.version_id, v.content_hash, r.priority, r.status, r.created_at, r.ended_at,
                (select json_object_agg(step ->> 'id', step ->> 'title') from json_array_elements(v.steps) step) as titles
         from runs r join workflow_versions v on v.org_id = r.org_id and v.id = r.version_id
         where r.org_id = $1 and ($2::uuid is null or r.id = $2)
           and ($3::timestamptz is null or r.created_at >= $3) and ($4::timestamptz is null or r.created_at <= $4)
         order by r.created_at, r.id limit $5`,
});

export const listAuditedEvents = statement({
  name: 'list_audited_events',
  params: ['orgId', 'runIds'],
  row: z.object({ seq: z.number(), at: z.date(), run_id: z.uuid(), payload: z.string().nullable() }),
  text: `select seq, at, run_id, payload from audit_events where org_id = $1 and run_id = any ($2) order by run_id, seq`,
});

export const listVersionDecisions = statement({
  name: 'list_version_decisions',
  params: ['orgId', 'versionIds'],
  row: z.object({ version_id: z.uuid(), verdict: z.string(), at: z.date(), reviewer: z.string(), comment: z.string(), dismissed: z.boolean() }),
  text: `select r.draft_id as version_id, r.verdict, r.at, u.name as reviewer, r.comment, r.dismissed
         from draft_reviews r join users u on u.id = r.reviewer_id
         where r.org_id = $1 and r.draft_id = any ($2) order by r.draft_id, r.at`,
});

export const findChainHead = statement({
  name: 'find_chain_head',
  params: ['orgId'],
  row: z.object({ name: z.string(), seq: z.number(), hash: z.string() }),
  text: `select o.name, h.seq, encode(h.hash, 'hex') as hash
         from organizations o join audit_heads h on h.org_id = o.id where o.id = $1`,
});
