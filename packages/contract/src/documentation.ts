import { z } from 'zod';
import type { Routes } from './route.ts';
import { HOUR, dateForm, moment, optionalText, person } from './shared.ts';
import { contentFields, workflowParams } from './workflow-content.ts';
import { WORKFLOW_SORTS, tagQuery, versionInForce, versionParams, workflowSummary } from './workflows.ts';

/**
 * The filters of the documentation screen (specification, section 4). `live` finds workflows with a live version, the
 * others find workflows with a version in that status.
 */
const DOCUMENTATION_FILTERS = ['live', 'draft', 'in_review'] as const;
export type DocumentationFilter = (typeof DOCUMENTATION_FILTERS)[number];

/** An excerpt around a search match, in parts; `hit` marks the match. */
const excerpt = z.array(z.object({ text: z.string(), hit: z.boolean() }));
export type Excerpt = z.infer<typeof excerpt>;

/**
 * The parts of a workflow that match the search. `version` is the live version, or an open draft if nothing is live.
 */
const searchHit = z.discriminatedUnion('in', [
  z.object({ in: z.literal('title'), text: excerpt }),
  z.object({ in: z.literal('key'), text: excerpt }),
  z.object({ in: z.literal('description'), text: excerpt, version: z.string() }),
  z.object({
    in: z.literal('step'),
    stepId: z.string(),
    /** Position of the step, from 1. */
    number: z.number().int(),
    title: excerpt,
    /** The matching text of the task or the assignee; empty if only the title matched. */
    text: excerpt,
    /** `v3`, or `Draft`. */
    version: z.string(),
  }),
]);
export type SearchHit = z.infer<typeof searchHit>;

const found = workflowSummary.extend({ hits: z.array(searchHit) });
export type FoundWorkflow = z.infer<typeof found>;

const asOf = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'must be a date or a time, for example 2026-09-01 or 2026-09-01T09:30:00Z',
});

/** A version for reading and printing: its content, and the record of its approval and merge. */
const workflowDocument = versionInForce.extend({
  key: z.string(),
  archived: z.boolean(),
  ...contentFields,
  owner: person.describe('The owner named first or, without one, the creator'),
  contributors: z.array(person),
  /** When the version became the live one; null if it isn't live. */
  liveSince: moment.nullable(),
  /** When the version first went live, and who merged it; null for a draft. */
  mergedAt: moment.nullable(),
  mergedBy: person.nullable(),
  /** Total SLA along the longest path, in milliseconds; null if no step has an SLA. */
  slaTotalMs: z.number().nullable(),
  /** The requested instant, and the organization's time zone. Null if the request doesn't contain `asOf`. */
  asOf: z.object({ at: moment, timeZone: z.string() }).nullable(),
});
export type WorkflowDocument = z.infer<typeof workflowDocument>;

export const documentationRoutes = {
  'GET /api/workflow-search': {
    access: 'workflow.read',
    summary:
      'Search workflows by name, key and step text, with the matching places; X-Next-Cursor contains the cursor of the next page',
    query: z.strictObject({
      q: optionalText(100),
      status: z.enum(DOCUMENTATION_FILTERS).optional(),
      tag: tagQuery,
      sort: z.enum(WORKFLOW_SORTS).default('updated').describe('updated: matches in titles and keys come first'),
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor: z.string().max(200).optional(),
    }),
    ok: z.array(found),
  },
  'GET /api/workflows/{key}/document': {
    access: 'workflow.read',
    summary:
      'A version for reading: the requested one, or the one in force at the end of a date or at an instant, or else the live one, or else the newest draft',
    params: workflowParams,
    query: z
      .strictObject({
        version: versionParams.shape.version.optional(),
        asOf: asOf
          .optional()
          .describe(
            'A date, which means its end in the time zone of the organization’s working hours or else in UTC, or an instant',
          ),
      })
      .refine(({ version, asOf: instant }) => version === undefined || instant === undefined, {
        path: ['asOf'],
        error: 'can’t be combined with version',
      }),
    ok: workflowDocument,
  },
  'GET /api/workflows/{key}/versions/{version}/document': {
    access: 'workflow.read',
    summary:
      'A version or draft as a document for sharing: Markdown, or PDF with format=pdf and with dates for the reader’s locale and timeZone',
    params: versionParams,
    query: z.strictObject({ format: z.enum(['md', 'pdf']).default('md'), ...dateForm }),
    ok: { contentType: 'text/markdown; charset=utf-8' },
    rateLimit: { name: 'document', perAddress: 240, perAccount: 60, windowSeconds: HOUR / 6 },
  },
  'GET /api/workflows/{key}/versions/{version}/certificate': {
    access: 'audit.export',
    summary:
      'The certificate of a merged version: its content, authors, approvals and periods in force, with proofs that can be verified offline; PDF with format=pdf',
    params: versionParams,
    query: z.strictObject({ format: z.enum(['json', 'pdf']).default('json'), ...dateForm }),
    ok: { contentType: 'application/json; charset=utf-8' },
    rateLimit: { name: 'certificate', perAddress: 240, perAccount: 60, windowSeconds: HOUR / 6 },
  },
} satisfies Routes;
