import type { Resolution } from '@stet/contract';
import {
  type Answer,
  type MergeConflict,
  type ResolvedMerge,
  conflictId,
  isOpen,
  isStandingApproval,
  mergeContent,
  save,
  resolveConflicts,
} from '@stet/domain/drafts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer, revisionTag } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { touchWorkflow } from '../workflows/index.ts';
import { mergedContent, refuseDirectionControls } from './check-content.ts';
import { contributionOf, countSave, dismissApprovals, findDraft, listMergeSides, rebaseDraft } from './drafts.sql.ts';
import { loadLockedDraft } from './load-draft.ts';
import { storedInEvent } from './group-requirements.ts';
import { assertRevision, requirementsAfter } from './save-draft.ts';

type Sides = { base: SideRow | null; live: SideRow | null };
type SideRow = NonNullable<(typeof listMergeSides)['Row']>;

/** Previews a rebase without changing anything. */
export const previewRebase: Handler<'GET /api/workflows/{key}/drafts/{id}/rebase'> = async (
  { db },
  { actor, params },
) => {
  const at = { orgId: actor.orgId, key: params.key, draftId: params.id };
  const [row, sideRows] = await db.transaction(actor, (tx) =>
    Promise.all([tx.maybeOne(findDraft, at), tx.many(listMergeSides, at)]),
  );
  if (!row) throw new Refused({ code: 'not_found', what: 'draft' });
  if (row.version !== null) throw new Refused({ code: 'already_merged', version: row.version });
  const { base, live } = sidesOf(sideRows, row);
  const draft = { metadata: row.metadata, steps: row.steps };
  const upToDate = live === null || base?.id === live.id;
  const conflicts = upToDate ? [] : mergeContent(base, live, draft).conflicts;
  return answer(
    { draftId: row.id, revision: row.revision, upToDate, base, live, draft, conflicts },
    revisionTag(row.revision),
  );
};

/**
 * Merges the live version into a draft and makes it the draft's base, unless it already is. If both changed the same
 * thing differently, the conflicts have to be resolved first. In this case, the response lists them, and nothing
 * changes. A rebase is also a save: the actor becomes a contributor, and every approval is dismissed.
 */
export const rebaseDraftOntoLive: Handler<'POST /api/workflows/{key}/drafts/{id}/rebase'> = (
  { db },
  { actor, params, body, ifMatch, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const at = { orgId, key: params.key, draftId: params.id };
    const [draft, sideRows] = await Promise.all([loadLockedDraft(tx, actor, params), tx.many(listMergeSides, at)]);
    const { row, state, reviews } = draft;
    if (!isOpen(state)) throw new Refused({ code: 'already_merged', version: state.version });
    const { base, live } = sidesOf(sideRows, row);
    if (live === null || base?.id === live.id) {
      const stands = { draftId: row.id, revision: row.revision, baseVersion: live?.version ?? null, rebased: false };
      return answer(stands, revisionTag(row.revision));
    }
    assertRevision(save(state, { sent: ifMatch, current: row.revision }), row);

    const sides = { base, live, draft: { metadata: row.metadata, steps: row.steps } };
    if (body?.liveVersionId !== undefined && body.liveVersionId !== live.id) {
      throw new Refused({ code: 'live_changed', conflicts: openOf(resolveConflicts(sides, new Map())) });
    }
    const resolved = resolveConflicts(sides, answersIn(body?.resolutions ?? []));
    if (resolved.open > 0) throw new Refused({ code: 'merge_conflicts', conflicts: openOf(resolved) });

    const { hash, metadata, steps } = mergedContent(resolved.content, params.key);
    refuseDirectionControls({ steps }, [...(base ? [base] : []), live, row]);
    const draftId = row.id;
    const revision = row.revision + 1;
    const requirements = requirementsAfter(draft, { metadata, steps }, live);
    // An approval applies to the content and its base, so a new base dismisses all approvals.
    const dismissed = reviews.flatMap((word) => (isStandingApproval(word) ? [word.reviewerId] : []));
    tx.write(rebaseDraft, {
      orgId,
      id: draftId,
      baseVersionId: live.id,
      metadata: JSON.stringify(metadata),
      steps: JSON.stringify(steps),
      stepsCount: steps.length,
      contentHash: hash,
      userId,
      requirements: JSON.stringify(requirements),
    });
    tx.write(countSave, { orgId, draftId, ...contributionOf(actor) });
    tx.write(dismissApprovals, { orgId, draftId });
    tx.write(touchWorkflow, { orgId, id: row.workflow_id });
    const subject = { type: 'version' as const, id: draftId };
    const data = {
      key: params.key,
      revision,
      contentHash: hash,
      previousContentHash: row.content_hash,
      fromVersionId: base?.id ?? null,
      ontoVersionId: live.id,
      onto: live.version,
      settled: resolved.questions.length,
      ...storedInEvent(requirements),
    };
    appendAudit(tx, [
      { ...auditActor(actor), action: 'draft.rebased', subject, data },
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
    return answer({ draftId, revision, baseVersion: live.version, rebased: true }, revisionTag(revision));
  });

function sidesOf(
  rows: readonly SideRow[],
  { base_version_id, live_version_id }: { base_version_id: string | null; live_version_id: string | null },
): Sides {
  const side = (id: string | null): SideRow | null => rows.find((row) => row.id === id) ?? null;
  return { base: side(base_version_id), live: side(live_version_id) };
}

const answersIn = (resolutions: readonly Resolution[]): Map<string, Answer> =>
  new Map(
    resolutions.map((resolution) => [
      conflictId(resolution),
      'take' in resolution ? { take: resolution.take } : { value: resolution.value },
    ]),
  );

const openOf = ({ questions }: ResolvedMerge): MergeConflict[] =>
  questions.flatMap(({ conflict, answer: given }) => (given === null ? [conflict] : []));
