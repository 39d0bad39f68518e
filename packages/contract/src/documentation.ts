import { APPROVAL_MARKS } from '@stet/domain/drafts';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { moment, optionalText, person } from './shared.ts';
import { contentFields, workflowParams } from './workflow-content.ts';
import { versionParams, versionRecord, workflowSummary } from './workflows.ts';

/** The filter of the documentation screen (specification, section 4): live = has a live version, the others = has a version of that status. */
const DOCUMENTATION_FILTERS = ['live', 'draft', 'in_review'] as const;
export type DocumentationFilter = (typeof DOCUMENTATION_FILTERS)[number];

/** A text cut to what was looked for, in parts; `hit` marks what was found. */
const excerpt = z.array(z.object({ text: z.string(), hit: z.boolean() }));
export type Excerpt = z.infer<typeof excerpt>;

/** Where in a workflow the words were found; `version` is the version that says so: the live one, else an open draft. */
const searchHit = z.discriminatedUnion('in', [
  z.object({ in: z.literal('title'), text: excerpt }),
  z.object({ in: z.literal('key'), text: excerpt }),
  z.object({ in: z.literal('description'), text: excerpt, version: z.string() }),
  z.object({
    in: z.literal('step'),
    stepId: z.string(),
    /** From 1, in the order of the steps. */
    number: z.number().int(),
    title: excerpt,
    /** Of the task or the assignee; empty where the title alone was found. */
    text: excerpt,
    /** `v3`, or `Draft`. */
    version: z.string(),
  }),
]);
export type SearchHit = z.infer<typeof searchHit>;

const found = workflowSummary.extend({ hits: z.array(searchHit) });
export type FoundWorkflow = z.infer<typeof found>;

const approval = z.object({
  reviewer: person,
  at: moment,
  comment: z.string(),
  selfApproved: z.boolean(),
  /** What has to be known about it; `markWords` says it. */
  marks: z.array(z.enum(APPROVAL_MARKS)),
});

/** A version as it is read and printed: its content, and what makes it the procedure that holds. */
const workflowDocument = versionRecord.extend({
  key: z.string(),
  archived: z.boolean(),
  ...contentFields,
  owner: person,
  contributors: z.array(person),
  /** Since when it is live without a break; null where it isn't. */
  liveSince: moment.nullable(),
  /** When and by whom it first went live; null for a draft. */
  mergedAt: moment.nullable(),
  mergedBy: person.nullable(),
  /** The approvals of exactly this content, latest first. */
  approvals: z.array(approval),
  /** Milliseconds along the longest path; null where no step has a clock. */
  slaTotalMs: z.number().nullable(),
});
export type WorkflowDocument = z.infer<typeof workflowDocument>;

export const documentationRoutes = {
  'GET /api/workflow-search': {
    access: 'workflow.read',
    summary:
      'Workflows by name, key and the text of their steps, with where it was found; X-Next-Cursor names the next page',
    query: z.strictObject({
      q: optionalText(100),
      status: z.enum(DOCUMENTATION_FILTERS).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor: z.string().max(200).optional(),
    }),
    ok: z.array(found),
  },
  'GET /api/workflows/{key}/document': {
    access: 'workflow.read',
    summary: 'A version as it is read: the one that is named, else the live one, else the newest draft',
    params: workflowParams,
    query: z.strictObject({ version: versionParams.shape.version.optional() }),
    ok: workflowDocument,
  },
  'GET /api/workflows/{key}/versions/{version}/document': {
    access: 'workflow.read',
    summary: 'A version or draft as a document to hand on: Markdown, or (format=pdf) PDF',
    params: versionParams,
    query: z.strictObject({ format: z.enum(['md', 'pdf']).default('md') }),
    ok: { contentType: 'text/markdown; charset=utf-8' },
  },
} satisfies Routes;
