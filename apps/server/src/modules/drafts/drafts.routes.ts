import { diffContent } from '@stet/domain/drafts';
import type { Handlers } from '../../http/handler.ts';
import { answer, revisionTag } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { commentOnDraft } from './comment-on-draft.ts';
import { createDraft } from './create-draft.ts';
import { discardDraft } from './discard-draft.ts';
import { presentDraft } from './draft.presenter.ts';
import { findContent, findDraft, listComments } from './drafts.sql.ts';
import { loadDraft } from './load-draft.ts';
import { mergeDraftToLive } from './merge-draft.ts';
import { previewRebase, rebaseDraftOntoLive } from './rebase-draft.ts';
import { approveDraft, requestChangesOfDraft } from './review-draft.ts';
import { saveDraft } from './save-draft.ts';
import { submitDraft, withdrawDraft } from './submit-draft.ts';

export const draftHandlers = {
  'POST /api/workflows/{key}/drafts': createDraft,
  'PATCH /api/workflows/{key}/drafts/{id}': saveDraft,
  'DELETE /api/workflows/{key}/drafts/{id}': discardDraft,
  'POST /api/workflows/{key}/drafts/{id}/submit': submitDraft,
  'POST /api/workflows/{key}/drafts/{id}/withdraw': withdrawDraft,
  'POST /api/workflows/{key}/drafts/{id}/approve': approveDraft,
  'POST /api/workflows/{key}/drafts/{id}/request-changes': requestChangesOfDraft,
  'POST /api/workflows/{key}/drafts/{id}/merge': mergeDraftToLive,
  'POST /api/workflows/{key}/drafts/{id}/comments': commentOnDraft,
  'GET /api/workflows/{key}/drafts/{id}/rebase': previewRebase,
  'POST /api/workflows/{key}/drafts/{id}/rebase': rebaseDraftOntoLive,

  'GET /api/workflows/{key}/drafts/{id}': async ({ db }, { actor, params }) => {
    const at = { orgId: actor.orgId, key: params.key, draftId: params.id };
    const [draft, comments, base] = await db.transaction(actor, (tx) =>
      Promise.all([loadDraft(tx, at, { lock: false }), tx.many(listComments, at), tx.maybeOne(findContent, at)]),
    );
    return answer(presentDraft(draft, actor, comments, base?.version ?? null), revisionTag(draft.row.revision));
  },

  'GET /api/workflows/{key}/drafts/{id}/diff': async ({ db }, { actor, params }) => {
    const at = { orgId: actor.orgId, key: params.key, draftId: params.id };
    const [draft, base] = await db.transaction(actor, (tx) =>
      Promise.all([tx.maybeOne(findDraft, at), tx.maybeOne(findContent, at)]),
    );
    if (!draft) throw new Refused({ code: 'not_found', what: 'draft' });
    return answer(diffContent(base ?? null, draft));
  },
} satisfies Partial<Handlers>;
