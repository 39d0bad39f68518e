import { isolated } from '@stet/domain/workflows';
import { roleHas } from '@stet/domain/access';
import type { WholeDraft } from '@stet/contract';
import type { Blocker } from '@stet/domain/drafts';
import { type LoadedDraft, ownApprovals } from './load-draft.ts';

/** Maximum number of content problems listed in a hint. */
const MAX_PROBLEMS = 3;

/** Describes a blocker of a merge and how to resolve it. */
export function presentBlocker(blocker: Blocker, draft: LoadedDraft): WholeDraft['blockers'][number] {
  const { code } = blocker;
  switch (blocker.code) {
    case 'out_of_date': {
      const { base_version: base, live_version: live } = draft.row;
      const began =
        base === null ? 'The draft was started before any version was live' : `The draft is based on v${base}`;
      return {
        code,
        sentence: 'The live version has changed since this draft was started',
        hint: live === null ? `${began}.` : `${began}, and v${live} is live now. Rebase it to continue.`,
      };
    }
    case 'not_submitted':
      return {
        code,
        sentence: 'Not submitted for review',
        hint: 'An author must submit it; approving also submits it.',
      };
    case 'changes_requested': {
      const names = blocker.reviewerIds.map((id) => objectorWords(id, draft));
      const edits = blocker.reviewerIds.some((id) => canEdit(id, draft));
      const [owner] = draft.objections.filter(({ reviewer }) => reviewer.id === blocker.reviewerIds[0]);
      const stands =
        names.length === 1
          ? `Remains open until ${isolated(owner?.reviewer.name ?? 'they')} approves the draft${edits ? ' or saves a change to it' : ''}.`
          : `Remains open until each of them approves the draft${edits ? ' or, if they can edit it, saves a change to it' : ''}.`;
      return { code, sentence: `Changes requested by ${names.join(', ')}`, hint: stands };
    }
    case 'needs_approvals': {
      const { needed, has, available } = blocker;
      return {
        code,
        sentence: `${has} of ${needed} ${needed === 1 ? 'approval' : 'approvals'}`,
        hint: hintOfApprovals({ has, needed, available }, draft),
      };
    }
    case 'needs_group_approval': {
      const missing = draft.requirements.filter(({ group, by }) => group !== null && by === null);
      const names = (some: typeof missing) => some.map(({ name }) => isolated(name)).join(', ');
      const stuck = missing.filter(({ canAnyone }) => !canAnyone);
      const [why] = missing.flatMap(({ because }) => because);
      return {
        code,
        sentence: `No approval from ${names(missing)}`,
        hint:
          stuck.length > 0
            ? `Nobody in ${names(stuck)} can approve this draft. An owner or admin can add another person to the group. Approvals of people who were added after the draft was started count for the group only in a new draft.`
            : `Required because: ${why?.sentence ?? 'the organization’s review rules require it'}.`,
      };
    }
    case 'needs_reviewer_approval':
      return { code, sentence: 'No approval from the workflow’s reviewers', hint: hintOfReviewers(blocker, draft) };
    case 'unresolved_comments': {
      const { comments } = blocker;
      return {
        code,
        sentence: comments.length === 1 ? '1 unresolved comment' : `${comments.length} unresolved comments`,
        hint: `Resolve ${comments.length === 1 ? 'it' : 'them'} first: ${placesOf(comments, draft).join(', ')}.`,
      };
    }
    case 'simulated_steps': {
      const titles = draft.row.steps
        .filter(({ id }) => blocker.stepIds.includes(id))
        .map(({ title }) => isolated(title));
      return {
        code,
        sentence: 'Simulated steps can’t go live in this organization',
        hint: `Write a script for ${titles.join(', ')}, or make each a manual step.`,
      };
    }
    case 'content_incomplete': {
      const shown = blocker.problems.slice(0, MAX_PROBLEMS).map(({ problem }) => problem);
      const more = blocker.problems.length - shown.length;
      return {
        code,
        sentence: 'The workflow is incomplete',
        hint: `${shown.join(' ')}${more > 0 ? ` And ${more} more.` : ''} Edit the draft first.`,
      };
    }
  }
}

/** Lists the places of the comments, each once: the draft as a whole, the title of a step, or a removed step. */
function placesOf(comments: readonly { stepId: string | null }[], { row }: LoadedDraft): string[] {
  const titles = new Map(row.steps.map(({ id, title }) => [id, title]));
  return [
    ...new Set(
      comments.map(({ stepId }) => {
        if (stepId === null) return 'on the draft';
        const title = titles.get(stepId);
        return title === undefined ? 'on a removed step' : `on ${isolated(title)}`;
      }),
    ),
  ];
}

function hintOfReviewers({ canAnyone }: { canAnyone: boolean }, draft: LoadedDraft): string {
  const { reviewers } = draft.named;
  const namesOf = (some: readonly { name: string }[]): string => some.map(({ name }) => isolated(name)).join(', ');
  if (canAnyone) {
    const able = draft.requirements.find(({ group }) => group === null)?.ableIds ?? [];
    return `One of them has to approve it: ${namesOf(reviewers.filter(({ id }) => able.includes(id)))}.`;
  }
  const why =
    reviewers.length === 0
      ? 'All of them have left the organization'
      : `The approvals of its reviewers don’t count for this draft: ${namesOf(reviewers)}. They wrote it, were named too late or can no longer review, or someone else has to name them, because they or the author did`;
  return `${why}. An owner or admin can name others in the workflow’s settings. The approvals of people who were named after the draft was started count as a reviewer’s only for a new draft.`;
}

type Approvals = { has: number; needed: number; available: number };

/**
 * Says how many people can still approve, and suggests a remedy if there are too few. `available` includes the people
 * who have already approved.
 */
function hintOfApprovals({ has, needed, available }: Approvals, draft: LoadedDraft): string {
  const left = available - has;
  const more = has > 0 ? ' more' : '';
  if (available < needed) {
    const could =
      left === 0
        ? `Nobody${has > 0 ? ' else' : ''} can approve`
        : `Only ${left}${more} ${left === 1 ? 'person' : 'people'} can approve`;
    const { notCounted, ties } = draft.standing;
    const isHeldUp = notCounted.some(({ because }) => because !== 'behind_the_author');
    // People who are only possibly authors. If all but one of them edit the draft, the last one may approve it.
    const possible = notCounted.filter(({ id, from }) => from === null && ties.get(id) !== 'certain');
    const editors = possible.filter(({ id }) => canEdit(id, draft)).map(({ id }) => nameOf(id, draft));
    const areEnough = possible.length > 1 && editors.length >= possible.length - 1;
    const isOne = possible.length === 2;
    const editing =
      editors.length < possible.length ? editors.join(' and ') : isOne ? 'One of them' : 'All but one of them';
    const way = isHeldUp
      ? 'an owner or admin can confirm those whose approval doesn’t count yet'
      : areEnough && !draft.policy.strict
        ? `accounts that edited it could belong to any of the people who could review it. ${editing} ${isOne ? 'has to edit it, and then another one' : 'have to edit it, and then the last one'} can approve it`
        : 'invite reviewers or change the policy';
    return `${could}: ${way}.`;
  }
  const dismissed = draft.reviewRows.filter(
    (review) =>
      review.verdict === 'approved' &&
      review.dismissed &&
      review.withdrawn_at === null &&
      ownApprovals(draft, (review.on_behalf_of ?? review.reviewer).id).length === 0,
  );
  const [first, ...others] = new Set(
    dismissed.map(({ reviewer, on_behalf_of: delegator }) => reviewerWords(reviewer, delegator)),
  );
  const people = `${left}${more} ${left === 1 ? 'person' : 'people'} can approve.`;
  if (first === undefined) return people;
  return `${[first, ...others].join(', ')} approved earlier content. ${people}`;
}

/** True if the person can edit drafts. In this case, saving a change to the draft also ends their objection. */
function canEdit(id: string, { people }: LoadedDraft): boolean {
  const role = people.find((person) => person.id === id)?.role ?? null;
  return role !== null && roleHas(role, 'draft.edit');
}

const nameOf = (id: string, { people }: LoadedDraft): string =>
  isolated(people.find((person) => person.id === id)?.name ?? 'Someone');

/** The name of a person who requested changes, with the delegate who requested them: `Ben for Mara`. */
function objectorWords(id: string, { objections }: LoadedDraft): string {
  const objection = objections.find(({ reviewer }) => reviewer.id === id);
  if (!objection) return 'someone';
  const { reviewer, delegate } = objection;
  return delegate ? reviewerWords(delegate, reviewer) : reviewerWords(reviewer, null);
}

type Named = { name: string };

/** The name of a reviewer, with the delegator if the reviewer acted as a delegate: `Ben for Mara`. */
const reviewerWords = (reviewer: Named, delegator: Named | null): string =>
  delegator ? `${isolated(reviewer.name)} for ${isolated(delegator.name)}` : isolated(reviewer.name);
