import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, message, moment, person } from './shared.ts';
import { contentFields, workflowBody, workflowParams } from './workflow-content.ts';
import { versionRecord } from './workflows.ts';

const MEBIBYTE = 1024 * 1024;
export const draftParams = workflowParams.extend({ id });

const saved = z.object({ draftId: id, revision: z.number().int() });
const commentText = z.string().trim().min(1).max(10_000);

export const review = z.object({
  reviewer: person,
  verdict: z.enum(['approved', 'changes_requested']),
  comment: z.string(),
  at: moment,
  /** False once the content changed after it, or a later word of the same person replaced it. */
  current: z.boolean(),
});
export const comment = z.object({ id, author: person, body: z.string(), stepId: z.string().nullable(), at: moment });
/** Why a draft can't be merged now; `sentence` is for a person. */
export const blocker = z.object({ code: z.string(), sentence: z.string() });

const wholeDraft = versionRecord.extend({
  key: z.string(),
  ...contentFields,
  baseVersion: z.number().int().nullable(),
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
/** Against the draft's base (specification, section 3, diff). */
export const diff = z.object({
  summary: z.object({ added: z.array(z.string()), removed: z.array(z.string()), modified: z.array(z.string()) }),
  detailed: z.array(
    z.object({
      id: z.string(),
      type: z.enum(['added', 'removed', 'modified']),
      changes: z.record(z.string(), fieldChange).optional(),
      value: z.unknown().optional(),
    }),
  ),
  metadata: z.record(z.string(), fieldChange),
});
export type Diff = z.infer<typeof diff>;

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
    ok: diff,
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
    summary: 'Approve exactly this content',
    params: draftParams,
    body: z.strictObject({ comment: z.string().trim().max(10_000).optional() }).optional(),
    ok: versionRecord,
  },
  'POST /api/workflows/{key}/drafts/{id}/request-changes': {
    access: 'draft.review',
    summary: 'Send a draft back with a comment',
    params: draftParams,
    body: z.strictObject({ comment: z.string().trim().min(1, 'Comment required to request changes').max(10_000) }),
    ok: versionRecord,
  },
  'POST /api/workflows/{key}/drafts/{id}/merge': {
    access: 'draft.merge',
    summary: 'Make a draft the live version',
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
} satisfies Routes;
