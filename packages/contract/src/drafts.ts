import { z } from 'zod';
import { diff, diffQuery, impact } from './draft-diff.ts';
import { APPROVAL_MARKS } from '@stet/domain/drafts';
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
  /** What has to be known about an approval that counts; `markWords` says it. */
  marks: z.array(z.enum(APPROVAL_MARKS)),
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
  /** Who may review and doesn't count for this draft: why, and from when they do if time alone changes it. */
  notCounted: z.array(
    person.extend({
      because: z.enum(['address_not_proved', 'added_after_first_save', 'behind_the_author', 'strict']),
      from: moment.nullable(),
    }),
  ),
  /** Requests for changes that stand: of this draft, or `carried` from another with the same content. */
  objections: z.array(
    z.object({
      reviewer: person,
      comment: z.string(),
      at: moment,
      carried: z.boolean(),
      /** True if the reviewer can't end it any more, so that an owner or admin may set it aside. */
      abandoned: z.boolean(),
    }),
  ),
  /** When the one who asks last approved this draft, and last reviewed it: what `diff?against=` can go back to. */
  own: z.object({ approvedAt: moment.nullable(), reviewedAt: moment.nullable() }),
  /**
   * `through`: an account that wasn't proved when it saved, and behind which this person stands. `tokens`: the names of the
   * API tokens with which they saved.
   */
  contributors: z.array(
    person.extend({ saves: z.number().int(), through: person.nullable(), tokens: z.array(z.string()) }),
  ),
  reviews: z.array(review),
  comments: z.array(comment),
  policy: z.object({ requiredApprovals: z.number().int(), strict: z.boolean() }),
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
    /** A reason has to be given, for someone's word stands on the draft. */
    discardNeedsReason: z.boolean(),
    setAside: z.boolean(),
    comment: z.boolean(),
  }),
});
export type WholeDraft = z.infer<typeof wholeDraft>;

/** A reason that a route asks for only in some states. */
export const reasonBody = z.strictObject({ reason: z.string().trim().max(2000).optional() }).optional();

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
    summary: 'Discard a draft; with a reason while an approval or a request for changes stands',
    params: draftParams,
    body: reasonBody,
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
    body: z
      .strictObject({
        emergency: z.strictObject({ reason: z.string().trim().min(1, 'Please say why').max(2000) }).optional(),
      })
      .optional(),
    ok: z.object({ version: versionRecord }),
  },
  'POST /api/workflows/{key}/drafts/{id}/objections/{reviewerId}/set-aside': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'Set aside the request for changes of someone who can’t review any more',
    params: draftParams.extend({ reviewerId: id }),
    body: z.strictObject({ reason: z.string().trim().min(1, 'Please say why').max(2000) }),
    ok: versionRecord,
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
