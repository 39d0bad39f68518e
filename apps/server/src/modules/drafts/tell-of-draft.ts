import { roleHas } from '@stet/domain/access';
import type { SaidLoss } from '@stet/domain/drafts';
import { type Mentionable, type NoticeKind, mentionsIn } from '@stet/domain/notifications';
import { isolated } from '@stet/domain/workflows';
import { leaveNotices } from '../../db/notices.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import type { LoadedDraft } from './load-draft.ts';
import { lossesInNotification } from './lost-controls.ts';

type Decision = Extract<NoticeKind, `draft_${string}`>;

/** Asks all who may review a draft: those with the right to, who have not worked on it themselves, and not whoever asks. */
export function askForReview(tx: Tx, actor: OrgActor, draft: LoadedDraft, losses: readonly SaidLoss[]): void {
  const { counted, notCounted, selfApproval, authors } = draft.standing;
  // If nobody but authors can review, those who didn't submit it are asked.
  const own = selfApproval.allowed ? draft.people.filter(({ id }) => authors.has(id)).flatMap(reviewerId) : [];
  const lacking = notCounted.filter(({ because }) => because !== 'behind_the_author').map(({ id }) => id);
  const sentence = `${isolated(actor.name)} asks for your review.${lossesInNotification(losses)}`;
  tell(tx, actor, draft, 'review_requested', sentence, {
    userIds: [...counted.keys(), ...lacking, ...own],
  });
}

const reviewerId = ({ id, role }: LoadedDraft['people'][number]): string[] =>
  role !== null && roleHas(role, 'draft.review') ? [id] : [];

/** Tells who made and worked on a draft what was decided of it, except whoever decided. */
export function tellContributors(tx: Tx, actor: OrgActor, draft: LoadedDraft, kind: Decision, sentence: string): void {
  tell(tx, actor, draft, kind, sentence, { userIds: [...new Set([draft.row.created_by.id, ...draft.contributorIds])] });
}

/** Notifies everyone who has reviewed a draft that it is gone. It is about no draft any more, so it stays when that goes. */
export function notifyReviewersOfDiscard(
  tx: Tx,
  { orgId, userId, name }: OrgActor,
  { row, reviews, objections }: Pick<LoadedDraft, 'row' | 'reviews' | 'objections'>,
  reason: string | undefined,
): void {
  const reviewers = [...reviews.map(({ reviewerId }) => reviewerId), ...objections.map(({ reviewer }) => reviewer.id)];
  const userIds = [...new Set(reviewers)].filter((id) => id !== userId);
  if (userIds.length === 0) return;
  const why = reason ? `: ${isolated(reason)}` : '.';
  const body = `${isolated(name)} discarded a draft that you reviewed${why}`;
  leaveNotices(tx, orgId, [
    { source: `draft_discarded:${row.id}`, kind: 'draft_discarded', title: row.metadata.title, body, to: { userIds } },
  ]);
}

/** Tells people that they were named in a comment; oneself need not be told. */
export function tellMentioned(
  tx: Tx,
  actor: OrgActor,
  draft: LoadedDraft,
  { userIds, said, about }: { userIds: readonly string[]; said: string; about: string | null },
): void {
  const where = about === null ? '' : ` on “${isolated(about)}”`;
  tell(tx, actor, draft, 'mentioned', `${isolated(actor.name)} mentioned you${where}: ${isolated(said)}`, { userIds });
}

/** Of whom the comment to a decision names, tells those who don't hear of the decision itself. */
export function tellOthersNamed(
  tx: Tx,
  actor: OrgActor,
  draft: LoadedDraft,
  said: string,
  people: readonly Mentionable[],
): void {
  const hears = new Set([draft.row.created_by.id, ...draft.contributorIds]);
  const userIds = mentionsIn(said, people)
    .map(({ userId }) => userId)
    .filter((id) => !hears.has(id));
  tellMentioned(tx, actor, draft, { userIds, said, about: null });
}

function tell(
  tx: Tx,
  { orgId, userId }: OrgActor,
  { row }: LoadedDraft,
  kind: NoticeKind,
  body: string,
  to: { userIds: readonly string[] },
): void {
  const userIds = to.userIds.filter((id) => id !== userId);
  if (userIds.length === 0) return;
  const draft = { key: row.key, id: row.id };
  // Each act is told once; a draft that is submitted again asks again.
  leaveNotices(tx, orgId, [
    { source: `${kind}:${newId()}`, kind, title: row.metadata.title, body, draft, to: { userIds } },
  ]);
}
