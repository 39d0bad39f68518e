import { z } from 'zod';
import { diff, diffQuery, draftFinding, impact, reviewedContent, reviewedContentQuery } from './draft-diff.ts';
import { APPROVAL_MARKS } from '@stet/domain/drafts';
import type { Routes } from './route.ts';
import { asDelegateOf, commentText, id, mentions, message, moment, person } from './shared.ts';
import { contentFields, workflowBody, workflowParams } from './workflow-content.ts';
import { versionRecord } from './workflows.ts';

const MEBIBYTE = 1024 * 1024;
export const draftParams = workflowParams.extend({ id });
const commentParams = draftParams.extend({ commentId: id });

const saved = z.object({ draftId: id, revision: z.number().int() });
const COMMENT_REQUIRED = 'Comment required to request changes';
/** The sentence of the specification (section 5). It is also used if the comment or the whole body is missing. */
const orRequired = {
  error: ({ input }: { input?: unknown }) => (input === undefined ? COMMENT_REQUIRED : undefined),
};

export const review = z.object({
  reviewer: person,
  /** The delegator, if the reviewer acted as their delegate: the review is both people's. */
  onBehalfOf: person.nullable(),
  verdict: z.enum(['approved', 'changes_requested']),
  comment: z.string(),
  at: moment,
  /**
   * False for a withdrawn approval, an approval of earlier content, and a review that a later one by one of the same
   * people replaced.
   */
  current: z.boolean(),
  /**
   * The current effect of the review. `counts`: the approval counts, or the request for changes is open. `dismissed`: a
   * change of content dismissed the approval. `replaced`: a later review by one of the same people replaced it.
   * `not_counted`: the approval doesn't count, for example because the person has edited the draft since, or the
   * request for changes is no longer open. `withdrawn`: the approval was withdrawn.
   */
  standing: z.enum(['counts', 'dismissed', 'replaced', 'not_counted', 'withdrawn']),
  /** Why an approval that counts doesn't prove two people by itself; `markWords` puts the marks into words. */
  marks: z.array(z.enum(APPROVAL_MARKS)),
});
export type Review = z.infer<typeof review>;
const approver = person.extend({ delegate: person.optional().describe('The delegate who approved for this person') });
export const comment = z.object({
  id,
  author: person,
  body: z.string(),
  mentions,
  /** A step of the draft, or one that the draft removes. */
  stepId: z.string().nullable(),
  at: moment,
  resolvedAt: moment.nullable(),
  resolvedBy: person.nullable(),
});
export type Comment = z.infer<typeof comment>;
/** The reason why a draft can't be merged now. `sentence` explains it to a person, and `hint` says how to fix it. */
export const blocker = z.object({ code: z.string(), sentence: z.string(), hint: z.string() });

const wholeDraft = versionRecord.extend({
  key: z.string(),
  ...contentFields,
  baseVersion: z.number().int().nullable(),
  /** The current live version; null if there is none. */
  liveVersion: z.number().int().nullable(),
  /** The number that the next merge will assign. */
  nextVersion: z.number().int(),
  submitted: z.object({ by: person, at: moment }).nullable(),
  merged: z.object({ by: person, at: moment }).nullable(),
  /** People whose approval would count: at most 50, sorted by name. */
  reviewers: z.array(person),
  /**
   * Reviewers whose approval wouldn't count for this draft, with the reason. If an approval will count later without
   * further action, the time is included.
   */
  notCounted: z.array(
    person.extend({
      because: z.enum(['address_not_proved', 'added_after_first_save', 'behind_the_author', 'strict']),
      from: moment.nullable(),
    }),
  ),
  /** The people that the author asked to review the draft; empty if everyone is asked. */
  askedReviewers: z.array(person),
  /** Open requests for changes, made on this draft or `carried` over from another draft with the same content. */
  objections: z.array(
    z.object({
      /** The person whose request it is and who can end it. */
      reviewer: person,
      /** The delegate who made the request for the reviewer. */
      delegate: person.nullable(),
      comment: z.string(),
      at: moment,
      carried: z.boolean(),
      /** True if the reviewer can no longer end the request; an owner or admin may then set it aside. */
      abandoned: z.boolean(),
    }),
  ),
  /**
   * When the caller last gave an approval that they didn't withdraw, and last reviewed this draft; `diff?against=`
   * accepts both as a starting point.
   */
  own: z.object({ approvedAt: moment.nullable(), reviewedAt: moment.nullable() }),
  /**
   * `through`: an unproved account that saved the draft and that this person invited, or the creator of a token that
   * this person owns or once owned. `tokens`: the names of the API tokens that were used to save it.
   */
  contributors: z.array(
    person.extend({ saves: z.number().int(), through: person.nullable(), tokens: z.array(z.string()) }),
  ),
  reviews: z.array(review),
  comments: z.array(comment),
  policy: z.object({ requiredApprovals: z.number().int(), strict: z.boolean() }),
  requirements: z
    .array(
      z.object({
        group: z.string().nullable().describe('Its slug; null for the reviewers of the workflow'),
        name: z.string(),
        needed: z.number().int(),
        has: z.number().int(),
        by: z
          .array(approver)
          .describe('People whose approval counts for this requirement; each person counts for only one'),
        because: z.array(z.string()).describe('The findings or settings that require it, as sentences, at most 20'),
      }),
    )
    .describe(
      'Groups that must approve the draft under the organization’s review rules, and the reviewers of the workflow',
    ),
  blockers: z.array(blocker),
  abilities: z.object({
    edit: z.boolean(),
    submit: z.boolean(),
    withdraw: z.boolean(),
    approve: z.boolean(),
    /** Withdraw one's own approval of the current content, or the one that a delegate gave. */
    withdrawApproval: z.boolean(),
    requestChanges: z.boolean(),
    merge: z.boolean(),
    /**
     * Submit and merge in one action; true if the policy requires no approval and nothing else blocks the draft.
     * Incomplete content doesn't count here, but is refused.
     */
    publish: z.boolean(),
    discard: z.boolean(),
    /** True if discarding needs a reason, because the draft has an open approval or request for changes. */
    discardNeedsReason: z.boolean(),
    setAside: z.boolean(),
    /**
     * Merge without the missing review, with a reason. Everyone is notified, and another manager is asked to ratify it.
     */
    emergency: z.boolean(),
    comment: z.boolean(),
  }),
  /** What the caller can do with the draft as the delegate of others. */
  delegated: z.array(
    z.object({
      onBehalfOf: person,
      approve: z.boolean(),
      /** The reason why an approval for this person doesn’t count, in the words of the refusal; null if it does. */
      because: z.object({ code: z.string(), sentence: z.string() }).nullable(),
      requestChanges: z.boolean(),
      /** Withdraw the approval of the current content that the caller gave for this person. */
      withdrawApproval: z.boolean(),
    }),
  ),
});
export type WholeDraft = z.infer<typeof wholeDraft>;

/** A reason that a route requires only in some states. */
const reasonBody = z.strictObject({ reason: z.string().trim().max(2000).optional() }).optional();

export const draftRoutes = {
  'POST /api/workflows/{key}/drafts': {
    access: 'draft.edit',
    summary: 'Create a draft, and also the workflow if the key is new',
    params: workflowParams,
    body: workflowBody.extend({
      liveVersionId: id
        .optional()
        .describe('The live version that the content was edited from; 409 if another version is live now'),
    }),
    bodyLimit: 4 * MEBIBYTE,
    ok: saved,
    status: 201,
  },
  'GET /api/workflows/{key}/drafts/{id}': {
    access: 'workflow.read',
    summary: 'A complete draft with its reviews, comments and the reasons that block its merge',
    params: draftParams,
    ok: wholeDraft,
  },
  'PATCH /api/workflows/{key}/drafts/{id}': {
    access: 'draft.edit',
    summary: 'Save a draft; If-Match is the revision that was loaded',
    params: draftParams,
    body: workflowBody,
    bodyLimit: 4 * MEBIBYTE,
    ok: saved,
  },
  'DELETE /api/workflows/{key}/drafts/{id}': {
    access: 'draft.edit',
    summary: 'Discard a draft; a reason is required if it has an open approval or request for changes',
    params: draftParams,
    body: reasonBody,
    ok: message,
  },
  'GET /api/workflows/{key}/drafts/{id}/diff': {
    access: 'workflow.read',
    summary: 'The changes in the draft',
    params: draftParams,
    query: diffQuery,
    ok: diff,
  },
  'GET /api/workflows/{key}/drafts/{id}/reviewed-content': {
    access: 'workflow.read',
    summary: 'The draft’s steps in a review by the caller',
    params: draftParams,
    query: reviewedContentQuery,
    ok: reviewedContent,
  },
  'GET /api/workflows/{key}/drafts/{id}/impact': {
    access: 'workflow.read',
    summary: 'How the draft affects runs: integrations, SLAs, lost roles and approvals, open runs',
    params: draftParams,
    ok: impact,
  },
  'GET /api/workflows/{key}/drafts/{id}/findings': {
    access: 'workflow.read',
    summary: 'What the draft means for runs, most severe first: controls that it weakens, and changes to judge',
    params: draftParams,
    ok: z.array(draftFinding),
  },
  'POST /api/workflows/{key}/drafts/{id}/submit': {
    access: 'draft.edit',
    summary: 'Submit the draft for review; refused with content_incomplete if a step has an error',
    params: draftParams,
    body: z
      .strictObject({
        summary: z.string().trim().max(2000).optional(),
        reviewers: z.array(id).max(20).optional(),
      })
      .optional(),
    ok: versionRecord,
  },
  'POST /api/workflows/{key}/drafts/{id}/withdraw': {
    access: 'draft.edit',
    summary: 'Withdraw a draft from review',
    params: draftParams,
    ok: versionRecord,
  },
  // Reviewing needs the permission `draft.review` or a delegation by someone who has it.
  'POST /api/workflows/{key}/drafts/{id}/approve': {
    access: 'workflow.read',
    summary: 'Approve exactly this content; If-Match is the revision that was read',
    params: draftParams,
    body: z.strictObject({ comment: z.string().trim().max(10_000).optional(), onBehalfOf: asDelegateOf }).optional(),
    ok: versionRecord,
  },
  'POST /api/workflows/{key}/drafts/{id}/withdraw-approval': {
    access: 'workflow.read',
    summary: 'Withdraw one’s own approval of a draft in review; If-Match is the revision that was read',
    params: draftParams,
    body: z.strictObject({ onBehalfOf: asDelegateOf }).optional(),
    ok: versionRecord,
  },
  'POST /api/workflows/{key}/drafts/{id}/request-changes': {
    access: 'workflow.read',
    summary: 'Request changes with a comment',
    params: draftParams,
    body: z.strictObject(
      { comment: z.string(orRequired).trim().min(1, COMMENT_REQUIRED).max(10_000), onBehalfOf: asDelegateOf },
      orRequired,
    ),
    ok: versionRecord,
  },
  'POST /api/workflows/{key}/drafts/{id}/merge': {
    access: 'draft.merge',
    summary:
      'Make a draft the live version; If-Match is the revision that was read. Refused with content_incomplete if a step has an error',
    params: draftParams,
    body: z
      .strictObject({
        emergency: z.strictObject({ reason: z.string().trim().min(1, 'Please enter a reason').max(2000) }).optional(),
      })
      .optional(),
    ok: z.object({ version: versionRecord }),
  },
  'POST /api/workflows/{key}/drafts/{id}/objections/{reviewerId}/set-aside': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'Dismiss a request for changes from someone who can no longer review, or whose approval can’t count',
    params: draftParams.extend({ reviewerId: id }),
    body: z.strictObject({ reason: z.string().trim().min(1, 'Please enter a reason').max(2000) }),
    ok: versionRecord,
  },
  'POST /api/workflows/{key}/drafts/{id}/comments': {
    access: 'draft.comment',
    summary: 'Add a comment to a draft or one of its steps',
    params: draftParams,
    body: z.strictObject({ body: commentText, stepId: z.string().max(120).optional() }),
    ok: comment,
    status: 201,
  },
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve': {
    access: 'draft.comment',
    summary: 'Resolve a comment',
    params: commentParams,
    ok: comment,
  },
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen': {
    access: 'draft.comment',
    summary: 'Reopen a resolved comment',
    params: commentParams,
    ok: comment,
  },
} satisfies Routes;
