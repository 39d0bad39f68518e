import { APPROVAL_MARKS } from '@stet/domain/drafts';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { emergency, id, moment, optionalText, person } from './shared.ts';
import { contentFields, workflowParams } from './workflow-content.ts';

const WORKFLOW_STATUSES = ['draft', 'in_review', 'live', 'archived'] as const;
const VERSION_STATUSES = ['draft', 'in_review', 'live', 'superseded'] as const;

/** A version or draft (specification, section 3); `version` is null until it is merged. */
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
  approvalsCount: z.number().int(),
  commentsCount: z.number().int(),
  /** The approvals it went live with; null before, and for versions that went live before this was recorded. */
  approvals: z.array(z.object({ reviewer: person, marks: z.array(z.enum(APPROVAL_MARKS)) })).nullable(),
  /** Null unless an owner made it live past the review; what another owner or admin has said of that. */
  emergency: emergency.nullable(),
});
export type VersionRecord = z.infer<typeof versionRecord>;

export const workflowSummary = z.object({
  key: z.string(),
  metadata: contentFields.metadata,
  status: z.enum(WORKFLOW_STATUSES),
  /** The live version, or null. */
  version: z.object({ number: z.number().int(), id }).nullable(),
  /** Open drafts and the live version, newest first. */
  versions: z.array(versionRecord),
  stepsCount: z.number().int(),
  owner: person,
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

/** Where a search looks: `name` in title and key, `text` in the description too. */
const WORKFLOW_SEARCH_SCOPES = ['name', 'text'] as const;

const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(200),
  cursor: z.string().max(200).optional(),
  q: optionalText(100).describe('Part of the title or key, in any case'),
  in: z.enum(WORKFLOW_SEARCH_SCOPES).default('name').describe('text: q may be part of the description too'),
  status: z
    .string()
    .max(60)
    .optional()
    .transform((text) => (text === undefined || text === '' ? undefined : text.split(',')))
    .pipe(z.array(z.enum(WORKFLOW_STATUSES)).max(WORKFLOW_STATUSES.length).optional())
    .describe('One status, or several with commas between; draft and in_review: at least one version of that status'),
});

/** How many workflows show each status; `total` is all of them. */
const counts = z.object({
  total: z.number().int(),
  draft: z.number().int(),
  in_review: z.number().int(),
  live: z.number().int(),
  archived: z.number().int(),
});
export type WorkflowCounts = z.infer<typeof counts>;

export const workflowRoutes = {
  'GET /api/workflows': {
    access: 'workflow.read',
    summary: 'Workflows without step bodies, newest update first; X-Next-Cursor names the next page',
    query: listQuery,
    ok: z.array(workflowSummary),
  },
  'GET /api/workflow-counts': {
    access: 'workflow.read',
    summary: 'How many workflows there are of each status',
    ok: counts,
  },
  'GET /api/workflows/{key}': {
    access: 'workflow.read',
    summary: 'The live version with its steps; where nothing was merged yet, the newest draft',
    params: workflowParams,
    ok: detail,
  },
  'GET /api/workflows/{key}/versions': {
    access: 'workflow.read',
    summary: 'All versions and open drafts, newest first',
    params: workflowParams,
    ok: z.array(versionRecord),
  },
  'GET /api/workflows/{key}/versions/{version}': {
    access: 'workflow.read',
    summary: 'One merged version, whole',
    params: versionParams,
    ok: wholeVersion,
  },
  'POST /api/workflows/{key}/versions/{version}/rollback': {
    access: 'draft.merge',
    tokens: 'personal',
    summary: 'Make an earlier version live again, if a review would find nothing new in it',
    params: versionParams,
    body: z
      .strictObject({ reason: z.string().trim().max(2000).optional(), emergency: z.boolean().optional() })
      .optional(),
    ok: z.object({ version: versionRecord }),
  },
  'POST /api/workflows/{key}/versions/{version}/restore': {
    access: 'draft.edit',
    summary: 'Open an earlier version as a draft on the live one',
    params: versionParams,
    ok: z.object({ draftId: id }),
    status: 201,
  },
  'DELETE /api/workflows/{key}': {
    access: 'workflow.archive_unmerged',
    summary: 'Delete what was never live, archive what was; with a reason while someone’s word stands on a draft',
    params: workflowParams,
    body: z.strictObject({ reason: z.string().trim().max(2000).optional() }).optional(),
    ok: z.object({ message: z.string(), outcome: z.enum(['deleted', 'archived']) }),
  },
} satisfies Routes;
