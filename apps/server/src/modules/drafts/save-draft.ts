import { isStandingApproval, save } from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer, revisionTag } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { refuseUnknownGroups } from '../groups/index.ts';
import { type StoredRequirement, describeWorkflow, touchWorkflow } from '../workflows/index.ts';
import { checkedContent, refuseDirectionControls } from './check-content.ts';
import {
  type DraftRow,
  contributionOf,
  countSave,
  dismissApprovals,
  endObjections,
  updateDraft,
} from './drafts.sql.ts';
import { storedGroups, storedInEvent } from './group-requirements.ts';
import { type LoadedDraft, loadLockedDraft } from './load-draft.ts';

/**
 * Throws the refusal if the draft can't be saved. If the request names an earlier revision, the refusal contains the
 * person who saved the draft in the meantime, and the time.
 */
export function assertRevision(saved: ReturnType<typeof save>, row: DraftRow): void {
  if (saved.ok) return;
  const { refusal } = saved;
  if (refusal.code !== 'stale_revision') throw new Refused(refusal);
  throw new Refused({ ...refusal, savedBy: row.updated_by_name, savedAt: row.updated_at.toISOString() });
}

/**
 * Returns the requirements that are stored with a draft when it is saved with this content. If it is in review, they
 * follow from the current routes. Otherwise there are none until it is submitted. `base` is the version that a rebase
 * makes its base.
 */
export const requirementsAfter = (
  { state, requiredFor }: LoadedDraft,
  content: WorkflowContent,
  base?: WorkflowContent & { version: number | null },
): StoredRequirement[] => (state.state === 'in_review' ? storedGroups(requiredFor(content, base ? { base } : {})) : []);

/**
 * Saves a draft. If the request has an If-Match header, it has to name the current revision. If the content changes,
 * earlier approvals are dismissed. Otherwise the save changes nothing.
 */
export const saveDraft: Handler<'PATCH /api/workflows/{key}/drafts/{id}'> = async (
  { db },
  { actor, params, body, ifMatch },
) => {
  const { hash, metadata, steps } = checkedContent(body, params.key);
  const { orgId, userId } = actor;

  return db.transaction(actor, async (tx) => {
    const draft = await loadLockedDraft(tx, actor, params);
    const { row, state, reviews } = draft;
    assertRevision(save(state, { sent: ifMatch, current: row.revision }), row);
    if (hash === row.content_hash)
      return answer({ draftId: row.id, revision: row.revision }, revisionTag(row.revision));

    refuseDirectionControls({ steps }, [row]);
    await refuseUnknownGroups(tx, orgId, steps, row.steps);
    const draftId = row.id;
    const requirements = requirementsAfter(draft, { metadata, steps });
    const dismissed = reviews.flatMap((word) => (isStandingApproval(word) ? [word.reviewerId] : []));
    tx.write(updateDraft, {
      orgId,
      id: draftId,
      metadata: JSON.stringify(metadata),
      steps: JSON.stringify(steps),
      stepsCount: steps.length,
      contentHash: hash,
      userId,
      requirements: JSON.stringify(requirements),
    });
    tx.write(countSave, { orgId, draftId, ...contributionOf(actor) });
    tx.write(dismissApprovals, { orgId, draftId });
    // Editing a draft ends the editor's own objection to it, unless they edit with an organization's token.
    const endsOwnRequest = actor.token?.kind !== 'organization';
    if (endsOwnRequest)
      tx.write(endObjections, {
        orgId,
        draftId,
        contentHash: '',
        reviewerId: userId,
        endedBy: userId,
        because: null,
        review: null,
      });
    if (row.live_version_id) tx.write(touchWorkflow, { orgId, id: row.workflow_id });
    else {
      const { title, description } = metadata;
      tx.write(describeWorkflow, { orgId, id: row.workflow_id, title, description, stepsCount: steps.length });
    }
    const subject = { type: 'version' as const, id: draftId };
    const data = {
      key: params.key,
      revision: row.revision + 1,
      contentHash: hash,
      previousContentHash: row.content_hash,
      ...storedInEvent(requirements),
      ...(draft.objections.some(({ reviewer }) => reviewer.id === userId) && { endsOwnRequest }),
    };
    appendAudit(tx, [
      { ...auditActor(actor), action: 'draft.saved', subject, data },
      ...(dismissed.length > 0
        ? [
            {
              ...auditActor(actor),
              action: 'draft.approval_dismissed' as const,
              subject,
              data: { key: params.key, reviewers: dismissed },
            },
          ]
        : []),
    ]);
    return answer({ draftId, revision: row.revision + 1 }, revisionTag(row.revision + 1));
  });
};
