import type { DraftFinding } from '@stet/contract';
import {
  type ChangeFinding,
  findingSentence,
  inSentences,
  type LossInWords,
  lossesAmong,
  requirementsOf,
} from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Log } from '../../kernel/log.ts';
import { Refused } from '../../kernel/refused.ts';
import { classified, findComparedContents } from './compared-contents.ts';
import { findDraft, findReviewPolicy } from './drafts.sql.ts';
import { type LoadedDraft, loadDraft } from './load-draft.ts';

/** Maximum number of losses listed in one audit event. Further losses are only counted. */
const MAX_IN_EVENT = 100;

/** The lost controls of a draft. If the comparison failed, `losses` is empty and `isUnclassified` is true. */
type Losses = { losses: LossInWords[]; isUnclassified: boolean };

/** The findings of a draft (`classified`), each with the groups that have to approve the draft because of it. */
export const findingsOfDraft: Handler<'GET /api/workflows/{key}/drafts/{id}/findings'> = async (
  { db, log },
  { actor, params },
) => {
  const at = { orgId: actor.orgId, key: params.key, draftId: params.id };
  const [draft, compared, policy] = await db.transaction(actor, (tx) =>
    Promise.all([
      tx.maybeOne(findDraft, at),
      findComparedContents(tx, at),
      tx.maybeOne(findReviewPolicy, { orgId: actor.orgId }),
    ]),
  );
  if (!draft || !policy) throw new Refused({ code: 'not_found', what: 'draft' });
  const findings = classified(draft, compared, (error) => logFailure(log, at, error));
  return answer(
    findings.map((finding) => ({
      ...presentFinding(finding),
      requires: requirementsOf([finding], draft.tags, policy.review_routes).map(({ group }) => group),
    })),
  );
};

/**
 * Locks and loads a draft, with the controls that it removes from its base or, if it has none, from the live version,
 * and from the last reviewed version (`reviewedBefore`).
 */
export async function loadLockedDraftWithLosses(
  log: Log,
  tx: Tx,
  { orgId, userId }: OrgActor,
  params: { key: string; id: string },
): Promise<{ draft: LoadedDraft; lost: Losses }> {
  const at = { orgId, key: params.key, draftId: params.id };
  const draft = await loadDraft(tx, at, { lock: true, compares: true, delegateId: userId });
  const compared = draft.compared ?? (await findComparedContents(tx, at));
  const findings = classified(draft.row, compared, (error) =>
    raiseFindingsAlarm(log, tx, { orgId, ...draft.row }, error),
  );
  const isUnclassified = findings.some(({ code }) => code === 'unclassified');
  return { draft, lost: { losses: inSentences(lossesAmong(findings)), isUnclassified } };
}

const logFailure = (log: Log, at: object, error: unknown): void =>
  log.error({ ...at, err: error }, 'the check for lost controls failed');

/** Logs that the comparison of a version failed, and notifies the owners and admins once for each content. */
export function raiseFindingsAlarm(
  log: Log,
  tx: Tx,
  version: { orgId: string; key: string; id: string; content_hash: string; metadata: WorkflowContent['metadata'] },
  error: unknown,
): void {
  const { orgId, key, id, content_hash: contentHash, metadata } = version;
  logFailure(log, { orgId, key, versionId: id }, error);
  tx.follow([{ action: 'findings.failed', context: { key, id, title: metadata.title, contentHash } }]);
}

/** True if everyone who can review the draft has to be notified, not only the workflow's reviewers. */
export const asksEveryone = ({ losses, isUnclassified }: Losses, { requirements }: LoadedDraft): boolean =>
  losses.length > 0 || isUnclassified || requirements.some(({ group }) => group !== null);

/**
 * The groups that have to approve a draft, and the workflow's reviewers (`group` is null), for an audit event. Empty if
 * no such approval is required.
 */
export function requirementsInEvent({ requirements }: Pick<LoadedDraft, 'requirements'>) {
  if (requirements.length === 0) return {};
  return {
    requirements: requirements.map(({ group, name, by, because }) => ({
      group,
      ...(group !== null && { name }),
      by,
      because: group === null ? ['workflow_reviewers'] : [...new Set(because.map(({ code }) => code))],
    })),
  };
}

/** The lost controls for an audit event. Empty if there are none. */
export function lossesInEvent({ losses, isUnclassified }: Losses) {
  if (isUnclassified) return { controlLosses: 'unclassified' as const };
  if (losses.length === 0) return {};
  const more = losses.length - MAX_IN_EVENT;
  return {
    controlLosses: losses.slice(0, MAX_IN_EVENT).map(({ kind, stepId, sentence }) => ({ kind, stepId, sentence })),
    ...(more > 0 && { moreControlLosses: more }),
  };
}

function presentFinding(finding: ChangeFinding): Omit<DraftFinding, 'requires'> {
  const { code, stepId, title, effect, before, after } = finding;
  return { code, stepId, title, effect, before, after, sentence: findingSentence(finding) };
}
