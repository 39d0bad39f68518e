import type { Handlers } from '../../http/handler.ts';
import { answer, revisionTag } from '../../kernel/answer.ts';
import { listDelegators } from '../delegations/index.ts';
import { commentOnDraft } from './comment-on-draft.ts';
import { listComments } from './comments.sql.ts';
import { diffDraft, impactOfDraft, reviewedContentOfDraft } from './compare-draft.ts';
import { createDraft } from './create-draft.ts';
import { findingsOfDraft } from './draft-findings.ts';
import { discardDraft } from './discard-draft.ts';
import { presentDraft } from './draft.presenter.ts';
import { loadDraft } from './load-draft.ts';
import { mergeDraftToLive } from './merge-draft.ts';
import { previewRebase, rebaseDraftOntoLive } from './rebase-draft.ts';
import { approveDraft, requestChangesOfDraft, withdrawApprovalOfDraft } from './review-draft.ts';
import { reviewTaskHandlers } from './review-tasks.ts';
import { setAsideObjection } from './set-aside-objection.ts';
import { restoreVersion } from './restore-version.ts';
import { saveDraft } from './save-draft.ts';
import { reopenComment, resolveComment } from './resolve-comment.ts';
import { submitDraft, withdrawDraft } from './submit-draft.ts';

export const draftHandlers = {
  ...reviewTaskHandlers,
  'POST /api/workflows/{key}/drafts': createDraft,
  'PATCH /api/workflows/{key}/drafts/{id}': saveDraft,
  'DELETE /api/workflows/{key}/drafts/{id}': discardDraft,
  'POST /api/workflows/{key}/drafts/{id}/submit': submitDraft,
  'POST /api/workflows/{key}/drafts/{id}/withdraw': withdrawDraft,
  'POST /api/workflows/{key}/drafts/{id}/approve': approveDraft,
  'POST /api/workflows/{key}/drafts/{id}/withdraw-approval': withdrawApprovalOfDraft,
  'POST /api/workflows/{key}/drafts/{id}/request-changes': requestChangesOfDraft,
  'POST /api/workflows/{key}/drafts/{id}/merge': mergeDraftToLive,
  'POST /api/workflows/{key}/drafts/{id}/objections/{reviewerId}/set-aside': setAsideObjection,
  'POST /api/workflows/{key}/versions/{version}/restore': restoreVersion,
  'POST /api/workflows/{key}/drafts/{id}/comments': commentOnDraft,
  'GET /api/workflows/{key}/drafts/{id}/rebase': previewRebase,
  'POST /api/workflows/{key}/drafts/{id}/rebase': rebaseDraftOntoLive,
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve': resolveComment,
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen': reopenComment,
  'GET /api/workflows/{key}/drafts/{id}/diff': diffDraft,
  'GET /api/workflows/{key}/drafts/{id}/reviewed-content': reviewedContentOfDraft,
  'GET /api/workflows/{key}/drafts/{id}/impact': impactOfDraft,
  'GET /api/workflows/{key}/drafts/{id}/findings': findingsOfDraft,

  'GET /api/workflows/{key}/drafts/{id}': async ({ db }, { actor, params }) => {
    const at = { orgId: actor.orgId, key: params.key, draftId: params.id };
    const [draft, comments, delegators] = await db.transaction(actor, (tx) =>
      Promise.all([
        loadDraft(tx, at, { lock: false, delegateId: actor.userId }),
        tx.many(listComments, at),
        listDelegators(tx, actor),
      ]),
    );
    return answer(presentDraft(draft, actor, { comments, delegators }), revisionTag(draft.row.revision));
  },
} satisfies Partial<Handlers>;
