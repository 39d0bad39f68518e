import { DIFF_LIMITS } from '@stet/domain/defaults';
import { INTEGRATIONS } from '@stet/domain/drafts';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, message, moment, person } from './shared.ts';
import { contentFields, workflowBody, workflowParams } from './workflow-content.ts';
import { versionRecord } from './workflows.ts';

const MEBIBYTE = 1024 * 1024;
export const draftParams = workflowParams.extend({ id });
const commentParams = draftParams.extend({ commentId: id });

const saved = z.object({ draftId: id, revision: z.number().int() });
const COMMENT_REQUIRED = 'Comment required to request changes';
/** What the specification says (section 5), also where the comment or the whole body isn't there. */
const orRequired = {
  error: ({ input }: { input?: unknown }) => (input === undefined ? COMMENT_REQUIRED : undefined),
};
const commentText = z.string().trim().min(1).max(10_000);

export const review = z.object({
  reviewer: person,
  verdict: z.enum(['approved', 'changes_requested']),
  comment: z.string(),
  at: moment,
  /** False once the content changed after it, or a later word of the same person replaced it. */
  current: z.boolean(),
  /**
   * What has become of it: it `counts`; a change in content `dismissed` it; a later word of the same person `replaced` it;
   * it is `not_counted`, for the person may no longer review, or has worked on the draft since.
   */
  standing: z.enum(['counts', 'dismissed', 'replaced', 'not_counted']),
});
export type Review = z.infer<typeof review>;
export const comment = z.object({
  id,
  author: person,
  body: z.string(),
  /** Members who were named in it as it was written, at its UTF-16 units `from` until before `to`. */
  mentions: z.array(z.object({ userId: id, from: z.number().int(), to: z.number().int() })),
  /** A step of the draft, or one that the draft removes. */
  stepId: z.string().nullable(),
  at: moment,
  resolvedAt: moment.nullable(),
  resolvedBy: person.nullable(),
});
export type Comment = z.infer<typeof comment>;
/** Why a draft can't be merged now; `sentence` and `hint`, what mends it, are for a person. */
export const blocker = z.object({ code: z.string(), sentence: z.string(), hint: z.string() });

const wholeDraft = versionRecord.extend({
  key: z.string(),
  ...contentFields,
  baseVersion: z.number().int().nullable(),
  /** The version that is live now; null where none is. */
  liveVersion: z.number().int().nullable(),
  /** The number that the next merge takes. */
  nextVersion: z.number().int(),
  submitted: z.object({ by: person, at: moment }).nullable(),
  merged: z.object({ by: person, at: moment }).nullable(),
  /** Whose approval would count, at most 50, by name. */
  reviewers: z.array(person),
  /** When the one who asks last approved this draft, and last reviewed it: what `diff?against=` can go back to. */
  own: z.object({ approvedAt: moment.nullable(), reviewedAt: moment.nullable() }),
  contributors: z.array(person.extend({ saves: z.number().int() })),
  reviews: z.array(review),
  comments: z.array(comment),
  policy: z.object({ requiredApprovals: z.number().int() }),
  blockers: z.array(blocker),
  abilities: z.object({
    edit: z.boolean(),
    submit: z.boolean(),
    withdraw: z.boolean(),
    approve: z.boolean(),
    requestChanges: z.boolean(),
    merge: z.boolean(),
    /** Submit, approve and merge in one go: nobody else has to agree. */
    publish: z.boolean(),
    discard: z.boolean(),
    comment: z.boolean(),
  }),
});
export type WholeDraft = z.infer<typeof wholeDraft>;

const fieldChange = z.object({ before: z.unknown(), after: z.unknown() });

export const diffQuery = z.strictObject({
  against: z
    .enum(['live', 'base', 'approved', 'reviewed'])
    .default('base')
    .describe('The live version, what the draft began from, or what the one who asks last approved or reviewed'),
  limit: z.coerce.number().int().min(1).max(DIFF_LIMITS.most).default(DIFF_LIMITS.detailed),
});
/** What a draft changes (specification, section 3, diff). */
export const diff = z.object({
  /** What the draft is compared with; `version` and `at` are null where it has none. */
  against: z.object({
    what: diffQuery.shape.against.unwrap(),
    version: z.number().int().nullable(),
    at: moment.nullable(),
  }),
  /** The revision of the draft that was compared. */
  revision: z.number().int(),
  summary: z.object({ added: z.array(z.string()), removed: z.array(z.string()), modified: z.array(z.string()) }),
  /** How many steps changed; `detailed` has the first of them in document order. */
  total: z.number().int(),
  detailed: z.array(
    z.object({
      id: z.string(),
      type: z.enum(['added', 'removed', 'modified']),
      changes: z.record(z.string(), fieldChange).optional(),
      value: z.unknown().optional(),
      /** Of a modified step: its title now. */
      title: z.string().optional(),
      /** Of a removed step: the step that it came behind, null at the beginning. */
      behind: z.string().nullable().optional(),
    }),
  ),
  metadata: z.record(z.string(), fieldChange),
});
export type Diff = z.infer<typeof diff>;

const stepIds = z.array(z.string());
const milliseconds = z.number().int().nullable();
const lossOf = <K extends string, More extends z.ZodRawShape>(kind: K, more: More) =>
  z.object({ stepId: z.string(), title: z.string(), kind: z.literal(kind), ...more });
/** What a draft means to those who run the workflow; against its base, or the live version where it has none. */
export const impact = z.object({
  workflows: z.number().int(),
  steps: z.object({
    added: z.number().int(),
    removed: z.number().int(),
    modified: z.number().int(),
    before: z.number().int(),
    after: z.number().int(),
  }),
  integrations: z.array(
    z.object({ integration: z.enum(INTEGRATIONS), change: z.enum(['added', 'removed', 'changed']), stepIds }),
  ),
  sla: z.object({
    beforeMs: milliseconds,
    afterMs: milliseconds,
    loosened: z.array(
      z.object({
        stepId: z.string(),
        title: z.string(),
        before: z.object({ text: z.string(), ms: z.number().int() }),
        after: z.object({ text: z.string(), ms: milliseconds }),
      }),
    ),
  }),
  rolesRemoved: z.array(z.object({ role: z.string(), stepIds })),
  approvalsRemoved: z.array(
    z.discriminatedUnion('kind', [
      lossOf('approval_removed', { approvers: z.number().int() }),
      lossOf('fewer_approvers', { before: z.number().int(), after: z.number().int() }),
      lossOf('separation_dropped', {}),
      lossOf('sign_off_dropped', {}),
    ]),
  ),
  /** Runs under way, by the version that they stay on. */
  openRuns: z.array(z.object({ version: z.number().int(), count: z.number().int() })),
});
export type DraftImpact = z.infer<typeof impact>;

export const draftRoutes = {
  'POST /api/workflows/{key}/drafts': {
    access: 'draft.edit',
    summary: 'Create a draft, and the workflow where the key is new',
    params: workflowParams,
    body: workflowBody,
    bodyLimit: 4 * MEBIBYTE,
    ok: saved,
    status: 201,
  },
  'GET /api/workflows/{key}/drafts/{id}': {
    access: 'workflow.read',
    summary: 'A draft, whole, with its reviews, comments and what blocks its merge',
    params: draftParams,
    ok: wholeDraft,
  },
  'PATCH /api/workflows/{key}/drafts/{id}': {
    access: 'draft.edit',
    summary: 'Save a draft; If-Match carries the revision it was loaded at',
    params: draftParams,
    body: workflowBody,
    bodyLimit: 4 * MEBIBYTE,
    ok: saved,
  },
  'DELETE /api/workflows/{key}/drafts/{id}': {
    access: 'draft.edit',
    summary: 'Discard a draft of one’s own',
    params: draftParams,
    ok: message,
  },
  'GET /api/workflows/{key}/drafts/{id}/diff': {
    access: 'workflow.read',
    summary: 'What the draft changes',
    params: draftParams,
    query: diffQuery,
    ok: diff,
  },
  'GET /api/workflows/{key}/drafts/{id}/impact': {
    access: 'workflow.read',
    summary: 'What the draft means to runs: integrations, SLA, roles and approvals lost, runs under way',
    params: draftParams,
    ok: impact,
  },
  'POST /api/workflows/{key}/drafts/{id}/submit': {
    access: 'draft.edit',
    summary: 'Ask for review',
    params: draftParams,
    ok: versionRecord,
  },
  'POST /api/workflows/{key}/drafts/{id}/withdraw': {
    access: 'draft.edit',
    summary: 'Take a draft back from review',
    params: draftParams,
    ok: versionRecord,
  },
  'POST /api/workflows/{key}/drafts/{id}/approve': {
    access: 'draft.review',
    summary: 'Approve exactly this content; If-Match carries the revision that was read',
    params: draftParams,
    body: z.strictObject({ comment: z.string().trim().max(10_000).optional() }).optional(),
    ok: versionRecord,
  },
  'POST /api/workflows/{key}/drafts/{id}/request-changes': {
    access: 'draft.review',
    summary: 'Send a draft back with a comment',
    params: draftParams,
    body: z.strictObject({ comment: z.string(orRequired).trim().min(1, COMMENT_REQUIRED).max(10_000) }, orRequired),
    ok: versionRecord,
  },
  'POST /api/workflows/{key}/drafts/{id}/merge': {
    access: 'draft.merge',
    summary: 'Make a draft the live version; If-Match carries the revision that was read',
    params: draftParams,
    ok: z.object({ version: versionRecord }),
  },
  'POST /api/workflows/{key}/drafts/{id}/comments': {
    access: 'draft.comment',
    summary: 'Comment on a draft or one of its steps',
    params: draftParams,
    body: z.strictObject({ body: commentText, stepId: z.string().max(120).optional() }),
    ok: comment,
    status: 201,
  },
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve': {
    access: 'draft.comment',
    summary: 'Settle a comment',
    params: commentParams,
    ok: comment,
  },
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen': {
    access: 'draft.comment',
    summary: 'Open a settled comment again',
    params: commentParams,
    ok: comment,
  },
} satisfies Routes;
