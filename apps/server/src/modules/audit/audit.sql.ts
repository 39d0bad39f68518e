import type { Priority } from '@stet/contract';
import type { ApprovalMark } from '@stet/domain/drafts';
import type { RunState } from '@stet/domain/runs';
import type { Step } from '@stet/domain/steps';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { type EmergencyRow, emergencyOf } from '../workflows/index.ts';

/** Formats a timestamp as the chain does, with microseconds, which a `Date` lacks. */
const exact = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export const findChainHead = statement({
  name: 'find_chain_head',
  params: ['orgId'],
  row: z.object({ org_name: z.string(), head_seq: z.number(), head_hash: z.string(), now: z.number() }),
  text: `select o.name as org_name, h.seq as head_seq, encode(h.hash, 'hex') as head_hash,
                floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now
         from organizations o join audit_heads h on h.org_id = o.id where o.id = $1`,
});

/** A person with the fields that an audit document shows. */
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
  at: z.string(),
});
export type AuditedRunRow = z.output<typeof runRow>;

/**
 * Reads one run, or the runs that were started up to `to`, oldest first. The list starts after the run given by
 * `afterAt` and `afterId`. `at` is the sort key.
 */
export const listAuditedRuns = statement({
  name: 'list_audited_runs',
  params: ['orgId', 'runId', 'afterAt', 'afterId', 'to', 'limit'],
  row: runRow,
  text: `select r.id, r.name, r.description, r.workflow_key, r.workflow_title, r.version, r.version_id, r.priority, r.state,
                ${exact('r.created_at')} as at
         from runs r
         where r.org_id = $1 and ($2::uuid is null or r.id = $2)
           and (r.created_at, r.id) > ($3::timestamptz, $4::uuid) and r.created_at <= $5::timestamptz
         order by r.created_at, r.id limit $6`,
});

const versionRow = z.object({
  id: z.uuid(),
  content_hash: z.string(),
  steps: z.custom<Step[]>(),
  /** The steps of the version that this one is based on, or null for the first version. */
  base_steps: z.custom<Step[] | null>(),
  contributors: z.custom<AuditedPerson[]>(),
  merged_at: z.date().nullable(),
  merged_by: z.custom<AuditedPerson | null>(),
  /**
   * The groups that had to approve the version. `by` is null if nobody approved for the group, for example in an
   * emergency.
   */
  groups: z.custom<{ name: string; by: (AuditedPerson & { delegate?: AuditedPerson }) | null }[]>(),
  emergency: z.custom<EmergencyRow>().nullable(),
});
export type AuditedVersionRow = z.output<typeof versionRow>;

const stepsWithoutLongTexts = (version: string): string => `
                (select coalesce(json_agg(s.step::jsonb || jsonb_build_object('description', '', 'config',
                          coalesce((s.step -> 'config')::jsonb, '{}') - '{script,condition,template,fields,recipients}'::text[]) order by s.n), '[]')
                 from json_array_elements(${version}.steps) with ordinality as s (step, n))`;

/** The versions with these ids. Their steps are returned without long texts. */
export const listAuditedVersions = statement({
  name: 'list_audited_versions',
  params: ['orgId', 'versionIds'],
  row: versionRow,
  text: `select v.id, v.content_hash, v.merged_at, v.requirements as groups, ${emergencyOf('v')} as emergency,
${stepsWithoutLongTexts('v')} as steps,
                (select ${stepsWithoutLongTexts('base')}
                 from workflow_versions base where base.org_id = v.org_id and base.id = v.base_version_id) as base_steps,
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
  /** The delegator. Null if the reviewer decided in their own name. */
  on_behalf_of: z.custom<AuditedPerson>().nullable(),
  comment: z.string(),
  content_hash: z.string(),
  dismissed: z.boolean(),
  withdrawn: z.boolean(),
  is_contributor: z.boolean(),
  marks: z.custom<ApprovalMark[]>().nullable(),
});
export type AuditedDecisionRow = z.output<typeof decisionRow>;

export const listVersionDecisions = statement({
  name: 'list_version_decisions',
  params: ['orgId', 'versionIds'],
  row: decisionRow,
  text: `select r.draft_id as version_id, r.verdict, r.at, r.comment, r.content_hash, r.dismissed, r.withdrawn_at is not null as withdrawn,
                json_build_object('id', u.id, 'name', u.name, 'email', u.email) as reviewer,
                (select json_build_object('id', f.id, 'name', f.name, 'email', f.email) from users f where f.id = r.on_behalf_of) as on_behalf_of,
                exists (select from draft_contributors c
                        where c.org_id = r.org_id and c.draft_id = r.draft_id and c.user_id = r.reviewer_id and c.through is null) as is_contributor,
                (select approval -> 'marks' from workflow_versions v cross join jsonb_array_elements(v.approvals) approval
                 where v.org_id = r.org_id and v.id = r.draft_id and approval #>> '{reviewer,id}' = r.reviewer_id::text) as marks
         from draft_reviews r join users u on u.id = r.reviewer_id
         where r.org_id = $1 and r.draft_id = any ($2::uuid[]) order by r.draft_id, r.at, r.id`,
});

/** The number of events about these runs for each action, up to the chain head, in order of first appearance. */
export const countAuditedActions = statement({
  name: 'count_audited_actions',
  params: ['orgId', 'runIds', 'headSeq'],
  row: z.object({ action: z.string(), events: z.number() }),
  text: `select action, count(*) as events
         from audit_events where org_id = $1 and run_id = any ($2::uuid[]) and seq <= $3 group by action order by min(seq)`,
});

const eventRow = z.object({
  seq: z.number(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  hash: z.string(),
  payload: z.string().nullable(),
});
export type AuditedEventRow = z.output<typeof eventRow>;

/** The events of a run after a sequence number, up to the chain head. */
export const listAuditedEvents = statement({
  name: 'list_audited_events',
  params: ['orgId', 'runId', 'afterSeq', 'headSeq', 'limit'],
  row: eventRow,
  text: `select seq, ${exact('at')} as at, actor, action, encode(hash, 'hex') as hash, payload
         from audit_events where org_id = $1 and run_id = $2 and seq > $3 and seq <= $4 order by seq limit $5`,
});
