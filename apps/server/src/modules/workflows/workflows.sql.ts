import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { type PersonRow, contentRow, versionColumns, versionRow } from './version-columns.ts';

const summaryRow = z.object({
  id: z.uuid(),
  key: z.string(),
  title: z.string(),
  description: z.string(),
  steps_count: z.number(),
  live_version_id: z.uuid().nullable(),
  live_version: z.number().nullable(),
  updated_at: z.date(),
  archived_at: z.date().nullable(),
  creator: z.custom<PersonRow>(),
});
export type SummaryRow = z.output<typeof summaryRow>;

const summary = `
  select w.id, w.key, w.title, w.description, w.steps_count, w.live_version_id, live.version as live_version, w.updated_at, w.archived_at,
         json_build_object('id', creator.id, 'name', creator.name, 'email', creator.email) as creator
  from workflows w
  join users creator on creator.id = w.created_by
  left join workflow_versions live on live.org_id = w.org_id and live.id = w.live_version_id
  where w.org_id = $1 and w.deleted_at is null`;

export const listWorkflows = statement({
  name: 'list_workflows',
  params: ['orgId'],
  row: summaryRow,
  text: `${summary} order by w.updated_at desc, w.id desc`,
});

export const findWorkflow = statement({
  name: 'find_workflow',
  params: ['orgId', 'key'],
  row: summaryRow,
  text: `${summary} and w.key = $2`,
});

const ownedVersionRow = versionRow.extend({ workflow_id: z.uuid() });
export type OwnedVersionRow = z.output<typeof ownedVersionRow>;

/** Open drafts and live versions of all workflows of the organization. */
export const listCurrentVersions = statement({
  name: 'list_current_versions',
  params: ['orgId'],
  row: ownedVersionRow,
  text: `select v.workflow_id, ${versionColumns}
         from workflow_versions v join users creator on creator.id = v.created_by
         where v.org_id = $1 and v.status in ('draft', 'in_review', 'live')
         order by v.created_at desc, v.id desc`,
});

export const listVersions = statement({
  name: 'list_versions',
  params: ['orgId', 'key'],
  row: versionRow,
  text: `select ${versionColumns}
         from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
         join users creator on creator.id = v.created_by
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null
         order by v.created_at desc, v.id desc`,
});

const wholeVersionRow = versionRow.extend({ key: z.string(), ...contentRow.shape });

const wholeVersion = `
  select ${versionColumns}, w.key, v.metadata, v.steps
  from workflows w
  join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
  join users creator on creator.id = v.created_by
  where w.org_id = $1 and w.key = $2 and w.deleted_at is null`;

/** A merged version by its number or its id, the other one null. */
export const findVersion = statement({
  name: 'find_version',
  params: ['orgId', 'key', 'number', 'id'],
  row: wholeVersionRow,
  text: `${wholeVersion} and v.version is not null and (v.version = $3::int or v.id = $4::uuid)`,
});

/** The live version, whole; where nothing was merged yet, the draft that was saved last. */
export const findShownVersion = statement({
  name: 'find_shown_version',
  params: ['orgId', 'key'],
  row: wholeVersionRow,
  text: `${wholeVersion} and v.status in ('live', 'draft', 'in_review')
         order by v.status = 'live' desc, v.updated_at desc, v.id desc limit 1`,
});

/** Locks a workflow for a change of its versions. */
export const lockWorkflow = statement({
  name: 'lock_workflow',
  params: ['orgId', 'key'],
  row: z.object({
    id: z.uuid(),
    live_version_id: z.uuid().nullable(),
    next_version: z.number(),
    archived_at: z.date().nullable(),
    deleted_at: z.date().nullable(),
  }),
  text: `select id, live_version_id, next_version, archived_at, deleted_at from workflows where org_id = $1 and key = $2 for update`,
});

export const insertWorkflow = statement({
  name: 'insert_workflow',
  params: ['orgId', 'id', 'key', 'title', 'description', 'stepsCount', 'createdBy'],
  text: `insert into workflows (org_id, id, key, title, description, steps_count, created_by) values ($1, $2, $3, $4, $5, $6, $7)`,
});

/** Shows this content as the workflow's own. */
export const describeWorkflow = statement({
  name: 'describe_workflow',
  params: ['orgId', 'id', 'title', 'description', 'stepsCount'],
  text: `update workflows set title = $3, description = $4, steps_count = $5, updated_at = now() where org_id = $1 and id = $2`,
});

export const touchWorkflow = statement({
  name: 'touch_workflow',
  params: ['orgId', 'id'],
  text: `update workflows set updated_at = now() where org_id = $1 and id = $2`,
});

export const makeLive = statement({
  name: 'make_live',
  params: ['orgId', 'id', 'liveVersionId', 'nextVersion', 'title', 'description', 'stepsCount'],
  text: `update workflows
         set live_version_id = $3, next_version = $4, title = $5, description = $6, steps_count = $7, updated_at = now()
         where org_id = $1 and id = $2`,
});

export const archiveWorkflow = statement({
  name: 'archive_workflow',
  params: ['orgId', 'id'],
  text: `update workflows set archived_at = now(), updated_at = now() where org_id = $1 and id = $2`,
});

export const markWorkflowDeleted = statement({
  name: 'mark_workflow_deleted',
  params: ['orgId', 'id'],
  text: `update workflows set deleted_at = now(), updated_at = now() where org_id = $1 and id = $2`,
});

export const deleteDraftsOfWorkflow = statement({
  name: 'delete_drafts_of_workflow',
  params: ['orgId', 'id'],
  text: `delete from workflow_versions where org_id = $1 and workflow_id = $2 and version is null`,
});

/** Whether something of the workflow has to stay: a merged version or a run. */
export const findWorkflowUse = statement({
  name: 'find_workflow_use',
  params: ['orgId', 'key'],
  row: z.object({ was_merged: z.boolean(), has_runs: z.boolean() }),
  text: `select w.next_version > 1 as was_merged,
                exists (select from runs r where r.org_id = w.org_id and r.workflow_id = w.id) as has_runs
         from workflows w where w.org_id = $1 and w.key = $2`,
});
