import { APPROVAL_MARKS } from '@stet/domain/drafts';
import { TAG_LIMITS, normalizedTag } from '@stet/domain/workflows';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { emergency, id, moment, oneLine, optionalText, person } from './shared.ts';
import { contentFields, workflowParams } from './workflow-content.ts';

const WORKFLOW_STATUSES = ['draft', 'in_review', 'live', 'archived'] as const;
const VERSION_STATUSES = ['draft', 'in_review', 'live', 'superseded'] as const;

/** A version or draft (specification, section 3); `version` is null until the merge. */
export const versionRecord = z.object({
  id,
  status: z.enum(VERSION_STATUSES),
  version: z.number().int().nullable(),
  /** `v3`, or `Draft` before the merge. */
  label: z.string(),
  revision: z.number().int(),
  contentHash: z.string(),
  createdAt: moment,
  updatedAt: moment,
  createdBy: person,
  stepsCount: z.number().int(),
  /** The reason why the author made the change, as given on submitting it. Null if none was given. */
  summary: z.string().nullable(),
  approvalsCount: z.number().int(),
  commentsCount: z.number().int(),
  /**
   * The approvals that the version went live with. Null before that, and for versions merged before approvals were
   * recorded.
   */
  approvals: z
    .array(z.object({ reviewer: person, onBehalfOf: person.optional(), marks: z.array(z.enum(APPROVAL_MARKS)) }))
    .nullable(),
  /** Set if an owner made the version live without the review; includes another owner's or admin's decision on it. */
  emergency: emergency.nullable(),
});
export type VersionRecord = z.infer<typeof versionRecord>;

/** An approval of a version's exact content. */
const approval = z.object({
  reviewer: person,
  /** The delegator, if the reviewer approved as their delegate. */
  onBehalfOf: person.optional(),
  at: moment,
  comment: z.string(),
  selfApproved: z.boolean(),
  /** Why the approval doesn't prove two people by itself; `markWords` puts the marks into words. */
  marks: z.array(z.enum(APPROVAL_MARKS)),
  /**
   * Whether the approval counted at the merge. Null before the merge, and for versions merged before this was recorded.
   */
  counted: z.boolean().nullable(),
});
export type VersionApproval = z.infer<typeof approval>;

/**
 * A period in which a version was in force: from `from` to before `until`, exact to the microsecond. `until` is null
 * while it is in force. After a rollback, a version has several periods.
 */
const periodInForce = z.object({
  from: moment,
  until: moment.nullable(),
  /** The event that put the version in force. */
  act: z.enum(['merge', 'rollback']),
  by: person.nullable(),
  /** The reason given for a rollback or an emergency. */
  reason: z.string().nullable(),
  /** True if an owner did it without the required review. */
  isEmergency: z.boolean(),
  /** The event that ended the period. */
  endedBy: z.enum(['merge', 'rollback', 'archive']).nullable(),
});
export type PeriodInForce = z.infer<typeof periodInForce>;

/** A version or draft with the record of its approval and of when it was in force. */
export const versionInForce = versionRecord.extend({
  /** The approvals of this exact content, latest first. */
  approvals: z.array(approval),
  /** Oldest first. */
  inForce: z.array(periodInForce),
});
export type VersionInForce = z.infer<typeof versionInForce>;

export const workflowSummary = z.object({
  key: z.string(),
  metadata: contentFields.metadata,
  status: z.enum(WORKFLOW_STATUSES),
  /** The live version, or null. */
  version: z.object({ number: z.number().int(), id }).nullable(),
  /** Open drafts and the live version, newest first. */
  versions: z.array(versionRecord),
  stepsCount: z.number().int(),
  tags: z.array(z.string()),
  owner: person.describe('The owner named first or, without one, the creator'),
  creator: person,
  updatedAt: moment,
});
export type WorkflowSummary = z.infer<typeof workflowSummary>;

const detail = workflowSummary.extend({
  steps: contentFields.steps,
  draftId: id.nullable(),
  revision: z.number().int(),
});
export type WorkflowDetail = z.infer<typeof detail>;

const wholeVersion = versionRecord.extend({ key: z.string(), ...contentFields });

/** A version by its number or its id. */
export const versionParams = workflowParams.extend({
  version: z.union([z.uuid(), z.coerce.number().int().positive().max(2_000_000_000)]),
});

/** The fields that a search covers: `name` means title, key and tags, `text` also the description. */
const WORKFLOW_SEARCH_SCOPES = ['name', 'text'] as const;

const tag = z
  .string()
  .trim()
  .min(1, 'Enter a tag')
  .max(TAG_LIMITS.length, `Use at most ${TAG_LIMITS.length} characters for a tag`)
  .regex(oneLine, 'A tag must be a single line')
  .regex(/^[^,]*$/, 'A tag can’t contain a comma');

/** Filters a list by a tag, which is compared as it is stored. */
export const tagQuery = optionalText(TAG_LIMITS.length)
  .transform((text) => text && normalizedTag(text))
  .describe('Only workflows with this tag');

/** The orders of lists of workflows: the latest change first, or by title. */
export const WORKFLOW_SORTS = ['updated', 'title'] as const;
export type WorkflowSort = (typeof WORKFLOW_SORTS)[number];

const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(200),
  sort: z.enum(WORKFLOW_SORTS).default('updated'),
  cursor: z.string().max(200).optional(),
  q: optionalText(100).describe('Part of the title, the key or a tag, case-insensitive'),
  tag: tagQuery,
  in: z.enum(WORKFLOW_SEARCH_SCOPES).default('name').describe('text: also search the description'),
  status: z
    .string()
    .max(60)
    .optional()
    .transform((text) => (text === undefined || text === '' ? undefined : text.split(',')))
    .pipe(z.array(z.enum(WORKFLOW_STATUSES)).max(WORKFLOW_STATUSES.length).optional())
    .describe(
      'One status, or several separated by commas; draft and in_review match workflows with at least one such version',
    ),
});

/**
 * The number of workflows in the list for each status. A live workflow with an open draft counts for both. `total`
 * counts each workflow once.
 */
const counts = z.object({
  total: z.number().int(),
  draft: z.number().int(),
  in_review: z.number().int(),
  live: z.number().int(),
  archived: z.number().int(),
  tags: z.array(z.object({ tag: z.string(), count: z.number().int() })).describe('By name, at most 500'),
});
export type WorkflowCounts = z.infer<typeof counts>;

export const workflowRoutes = {
  'GET /api/workflows': {
    access: 'workflow.read',
    summary:
      'Workflows without step bodies, most recently updated first unless sort is set; X-Next-Cursor contains the cursor of the next page, for the same filters and sort',
    query: listQuery,
    ok: z.array(workflowSummary),
  },
  'GET /api/workflow-counts': {
    access: 'workflow.read',
    summary: 'Number of workflows by status and by tag',
    ok: counts,
  },
  'GET /api/workflows/{key}': {
    access: 'workflow.read',
    summary: 'The live version with its steps, or the newest draft if nothing was merged yet',
    params: workflowParams,
    ok: detail,
  },
  'PATCH /api/workflows/{key}': {
    access: 'org.manage',
    summary: 'Replace the tags of a workflow; they are stored in lower case and aren’t part of a version',
    params: workflowParams,
    body: z.strictObject({
      tags: z.array(tag).max(TAG_LIMITS.tags, `A workflow can have at most ${TAG_LIMITS.tags} tags`),
    }),
    ok: z.object({ tags: z.array(z.string()) }),
  },
  'GET /api/workflows/{key}/versions': {
    access: 'workflow.read',
    summary: 'All versions and open drafts, newest first, with their approvals and when they were in force',
    params: workflowParams,
    ok: z.array(versionInForce),
  },
  'GET /api/workflows/{key}/version-numbers': {
    access: 'workflow.read',
    summary: 'The numbers of the merged versions, highest first; after a rollback, some are above the live one',
    params: workflowParams,
    ok: z.object({ numbers: z.array(z.number().int()) }),
  },
  'GET /api/workflows/{key}/step-ids': {
    access: 'workflow.read',
    summary: 'The ids of all steps in the versions and open drafts of a workflow',
    params: workflowParams,
    ok: z.object({ stepIds: z.array(z.string()) }),
  },
  'GET /api/workflows/{key}/versions/{version}': {
    access: 'workflow.read',
    summary: 'One complete merged version',
    params: versionParams,
    ok: wholeVersion,
  },
  'POST /api/workflows/{key}/versions/{version}/rollback': {
    access: 'draft.merge',
    tokens: 'personal',
    summary: 'Make an earlier version live again, if it needs no new review',
    params: versionParams,
    body: z
      .strictObject({ reason: z.string().trim().max(2000).optional(), emergency: z.boolean().optional() })
      .optional(),
    ok: z.object({ version: versionRecord }),
  },
  'POST /api/workflows/{key}/versions/{version}/restore': {
    access: 'draft.edit',
    summary: 'Create a draft from an earlier version, based on the live one',
    params: versionParams,
    ok: z.object({ draftId: id }),
    status: 201,
  },
  'DELETE /api/workflows/{key}': {
    access: 'workflow.archive_unmerged',
    summary:
      'Delete a workflow that was never live, or archive one that was; a reason is required while a draft has an open review',
    params: workflowParams,
    body: z.strictObject({ reason: z.string().trim().max(2000).optional() }).optional(),
    ok: z.object({ message: z.string(), outcome: z.enum(['deleted', 'archived']) }),
  },
} satisfies Routes;
