import type { WorkflowSort, WorkflowSummary } from '@stet/contract';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { shownOwner } from '../workflow-people/index.ts';
import {
  type PersonRow,
  approvalsColumn,
  approvedVersionRow,
  contentRow,
  versionColumns,
  versionRow,
} from './version-columns.ts';

type WorkflowStatus = WorkflowSummary['status'];

export const summaryRow = z.object({
  id: z.uuid(),
  key: z.string(),
  title: z.string(),
  description: z.string(),
  steps_count: z.number(),
  live_version_id: z.uuid().nullable(),
  live_version: z.number().nullable(),
  updated_at: z.date(),
  status: z.custom<WorkflowStatus>(),
  creator: z.custom<PersonRow>(),
  owner: z.custom<PersonRow>(),
  tags: z.custom<string[]>(),
});
export type SummaryRow = z.output<typeof summaryRow>;

/**
 * A workflow's status: `archived`, otherwise `live` if it has a live version, otherwise the most advanced state of its
 * drafts (specification, section 4).
 */
const status = `
  case when w.archived_at is not null then 'archived'
       when w.live_version_id is not null then 'live'
       when exists (select from workflow_versions o where o.org_id = w.org_id and o.workflow_id = w.id and o.status = 'in_review')
       then 'in_review' else 'draft' end`;

/**
 * Selects the columns that lists show, for the workflows `w` of the organization `$1`. The caller can append another
 * condition.
 */
export const summary = `
  select w.id, w.key, w.title, w.description, w.steps_count, w.live_version_id, live.version as live_version, w.updated_at, w.tags,
         ${status} as status, json_build_object('id', creator.id, 'name', creator.name, 'email', creator.email) as creator,
         ${shownOwner('creator')} as owner
  from workflows w
  join users creator on creator.id = w.created_by
  left join workflow_versions live on live.org_id = w.org_id and live.id = w.live_version_id
  where w.org_id = $1 and w.deleted_at is null`;

/** The text that lists of workflows compare to sort by title. A workflow without a title is shown with its key. */
export const sortTitle = (workflow: string): string =>
  `lower(coalesce(nullif(${workflow}.title, ''), ${workflow}.key)) collate "C"`;

const ORDERS = {
  // Without a cursor, the page starts at a value that is greater than all others. With an `or` condition instead, the
  // index couldn't find the start of the page.
  updated: {
    by: 'w.updated_at',
    direction: 'desc',
    after: `(w.updated_at, w.id)
                 < (coalesce($3::timestamptz, 'infinity'), coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))`,
  },
  // `$3`, the time of the cursor, is always null in this order. It is compared only because PostgreSQL has to know the
  // type of each parameter.
  title: {
    by: sortTitle('w'),
    direction: 'asc',
    after: `($4::uuid is null or $3::timestamptz is null
                 and (${sortTitle('w')}, w.id) > (select ${sortTitle('c')}, c.id from workflows c where c.org_id = $1 and c.id = $4::uuid))`,
  },
} as const satisfies Record<WorkflowSort, object>;

/**
 * Declares the statement that lists a page of workflows after the cursor: an id and, in the order by update, a time.
 * Filters that are null are ignored.
 */
const listIn = (name: string, { by, direction, after }: (typeof ORDERS)[WorkflowSort]) =>
  statement({
    name,
    params: ['orgId', 'limit', 'afterAt', 'afterId', 'statuses', 'q', 'inText', 'tag'],
    // A JavaScript date has no microseconds, and a cursor without them would skip workflows that were changed within
    // the same millisecond.
    row: summaryRow.extend({ updated_at_exact: z.string() }),
    text: `select s.*, to_char(s.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as updated_at_exact
         from (
           select w.id, ${by} as sorted_by
           from workflows w
           where w.org_id = $1 and w.deleted_at is null
             and ${after}
             and ($6::text is null or w.title ilike '%' || $6 || '%' or w.key ilike '%' || $6 || '%'
                  or array_to_string(w.tags, ',') ilike '%' || $6 || '%'
                  or ($7::boolean and w.description ilike '%' || $6 || '%'))
             and ($8::text is null or $8 = any (w.tags))
             and ($5::text[] is null or ${status} = any ($5)
                  or (w.archived_at is null
                      and exists (select from workflow_versions o
                                  where o.org_id = w.org_id and o.workflow_id = w.id
                                    and o.status in ('draft', 'in_review') and o.status = any ($5))))
           order by ${by} ${direction}, w.id ${direction}
           limit $2
         ) p
         join lateral (${summary} and w.id = p.id) s on true
         order by p.sorted_by ${direction}, p.id ${direction}`,
  });

export const listWorkflows = {
  updated: listIn('list_workflows', ORDERS.updated),
  title: listIn('list_workflows_by_title', ORDERS.title),
};

/**
 * The number of workflows that the list shows for each status. A workflow that isn't archived also counts for the
 * status of each of its open drafts.
 */
export const countWorkflows = statement({
  name: 'count_workflows',
  params: ['orgId'],
  row: z.object({ status: z.custom<WorkflowStatus | 'total'>(), count: z.number() }),
  text: `select case when grouping(shown.status) = 1 then 'total' else shown.status end as status, count(distinct w.id) as count
         from workflows w
         cross join lateral (
           select ${status} as status
           union
           select o.status from workflow_versions o
           where o.org_id = w.org_id and o.workflow_id = w.id and w.archived_at is null and o.status in ('draft', 'in_review')
         ) shown
         where w.org_id = $1 and w.deleted_at is null
         group by rollup (shown.status)`,
});

/** The tags of an organization's workflows, with the number of workflows that have them. */
export const countTags = statement({
  name: 'count_tags',
  params: ['orgId', 'limit'],
  row: z.object({ tag: z.string(), count: z.number() }),
  text: `select tag, count(*)::int as count from workflows w cross join lateral unnest(w.tags) tag
         where w.org_id = $1 and w.deleted_at is null
         group by tag order by tag limit $2`,
});

export const findWorkflow = statement({
  name: 'find_workflow',
  params: ['orgId', 'key'],
  row: summaryRow,
  text: `${summary} and w.key = $2`,
});

const ownedVersionRow = versionRow.extend({ workflow_id: z.uuid() });
export type OwnedVersionRow = z.output<typeof ownedVersionRow>;

/** Open drafts and live versions of these workflows, newest first. */
export const listCurrentVersions = statement({
  name: 'list_current_versions',
  params: ['orgId', 'workflowIds'],
  row: ownedVersionRow,
  text: `select v.workflow_id, ${versionColumns}
         from workflow_versions v join users creator on creator.id = v.created_by
         where v.org_id = $1 and v.workflow_id = any ($2::uuid[]) and v.status in ('draft', 'in_review', 'live')
         order by v.created_at desc, v.id desc`,
});

export const listVersions = statement({
  name: 'list_versions',
  params: ['orgId', 'key'],
  row: approvedVersionRow,
  text: `select ${versionColumns}, ${approvalsColumn}
         from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
         join users creator on creator.id = v.created_by
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null
         order by v.created_at desc, v.id desc`,
});

export const findVersionNumbers = statement({
  name: 'find_version_numbers',
  params: ['orgId', 'key'],
  row: z.object({ numbers: z.custom<number[]>() }),
  text: `select array(
           select v.version from workflow_versions v
           where v.org_id = w.org_id and v.workflow_id = w.id and v.version is not null
           order by v.version desc
         ) as numbers
         from workflows w
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null`,
});

export const findStepIds = statement({
  name: 'find_step_ids',
  params: ['orgId', 'key'],
  row: z.object({ ids: z.custom<string[]>() }),
  text: `select array(
           select distinct step ->> 'id'
           from workflow_versions v, json_array_elements(v.steps) step
           where v.org_id = w.org_id and v.workflow_id = w.id
         ) as ids
         from workflows w
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null`,
});

const wholeVersionRow = versionRow.extend({ key: z.string(), ...contentRow.shape });

const wholeVersion = `
  select ${versionColumns}, w.key, v.metadata, v.steps
  from workflows w
  join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
  join users creator on creator.id = v.created_by
  where w.org_id = $1 and w.key = $2 and w.deleted_at is null`;

/** Returns a version number or id as the parameters `number` and `id`, one of which is null. */
export const versionOf = ({ version }: { version: string | number }): { number: number | null; id: string | null } =>
  typeof version === 'number' ? { number: version, id: null } : { number: null, id: version };

/** Finds a merged version by its number or its id. The other parameter is null. */
export const findVersion = statement({
  name: 'find_version',
  params: ['orgId', 'key', 'number', 'id'],
  row: wholeVersionRow,
  text: `${wholeVersion} and v.version is not null and (v.version = $3::int or v.id = $4::uuid)`,
});

/** Like `findVersion`, but also finds open drafts by their id. */
export const findVersionOrDraft = statement({
  name: 'find_version_or_draft',
  params: ['orgId', 'key', 'number', 'id'],
  row: wholeVersionRow,
  text: `${wholeVersion} and (v.version = $3::int or v.id = $4::uuid)`,
});

/** The live version with its content or, if nothing has been merged yet, the draft that was changed last. */
export const findShownVersion = statement({
  name: 'find_shown_version',
  params: ['orgId', 'key'],
  row: wholeVersionRow,
  text: `${wholeVersion} and v.status in ('live', 'draft', 'in_review')
         order by v.status = 'live' desc, v.updated_at desc, v.id desc limit 1`,
});

export const lockWorkflow = statement({
  name: 'lock_workflow',
  params: ['orgId', 'key'],
  row: z.object({
    id: z.uuid(),
    live_version_id: z.uuid().nullable(),
    next_version: z.number(),
    archived_at: z.date().nullable(),
    deleted_at: z.date().nullable(),
    tags: z.custom<string[]>(),
  }),
  text: `select id, live_version_id, next_version, archived_at, deleted_at, tags from workflows where org_id = $1 and key = $2 for update`,
});

/** Locks a workflow and reads its tags. */
export const lockTags = statement({
  name: 'lock_tags',
  params: ['orgId', 'key'],
  row: z.object({ id: z.uuid(), tags: z.custom<string[]>() }),
  text: `select id, tags from workflows where org_id = $1 and key = $2 and deleted_at is null for update`,
});

/** Saves the tags without changing the time of the last update, because the content stays the same. */
export const saveTags = statement({
  name: 'save_tags',
  params: ['orgId', 'id', 'tags'],
  text: `update workflows set tags = $3::text[] where org_id = $1 and id = $2`,
});

export const insertWorkflow = statement({
  name: 'insert_workflow',
  params: ['orgId', 'id', 'key', 'title', 'description', 'stepsCount', 'createdBy'],
  text: `insert into workflows (org_id, id, key, title, description, steps_count, created_by) values ($1, $2, $3, $4, $5, $6, $7)`,
});

/** Updates the columns that lists read from the workflow instead of from a version. */
export const describeWorkflow = statement({
  name: 'describe_workflow',
  params: ['orgId', 'id', 'title', 'description', 'stepsCount'],
  text: `update workflows set title = $3, description = $4, steps_count = $5, updated_at = now() where org_id = $1 and id = $2`,
});

/** Like `describeWorkflow`, but with the data of the draft that was changed last. */
export const showNewestDraft = statement({
  name: 'show_newest_draft',
  params: ['orgId', 'id'],
  text: `update workflows w
         set title = v.metadata ->> 'title', description = v.metadata ->> 'description', steps_count = v.steps_count, updated_at = now()
         from (select d.org_id, d.workflow_id, d.metadata, d.steps_count from workflow_versions d
               where d.org_id = $1 and d.workflow_id = $2 and d.status in ('draft', 'in_review')
               order by d.updated_at desc, d.id desc limit 1) v
         where w.org_id = $1 and w.id = $2`,
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

/** Determines whether the workflow has something that must not be deleted: a merged version or a run. */
export const findWorkflowUse = statement({
  name: 'find_workflow_use',
  params: ['orgId', 'key'],
  row: z.object({ was_merged: z.boolean(), has_runs: z.boolean() }),
  text: `select w.next_version > 1 as was_merged,
                exists (select from runs r where r.org_id = w.org_id and r.workflow_id = w.id) as has_runs
         from workflows w where w.org_id = $1 and w.key = $2`,
});
