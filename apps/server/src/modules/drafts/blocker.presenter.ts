import { isolated } from '@stet/domain/workflows';
import { roleHas } from '@stet/domain/access';
import type { WholeDraft } from '@stet/contract';
import type { Blocker } from '@stet/domain/drafts';
import type { LoadedDraft } from './load-draft.ts';

/** Describes each blocker of a merge and how to resolve it. */
export function presentBlocker(blocker: Blocker, draft: LoadedDraft): WholeDraft['blockers'][number] {
  const { code } = blocker;
  switch (blocker.code) {
    case 'out_of_date': {
      const { base_version: base, live_version: live } = draft.row;
      const began = base === null ? 'It was started before any version was live' : `It is based on v${base}`;
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
      const names = blocker.reviewerIds.map((id) => isolated(nameOf(id, draft)));
      const edits = blocker.reviewerIds.some((id) => mayEdit(id, draft));
      const stands =
        names.length === 1
          ? `Stands until ${names[0]} approves${edits ? ' or saves a change to it themselves' : ''}.`
          : `Stands until each of them approves${edits ? ' or, if they may edit it, saves a change to it' : ''}.`;
      return { code, sentence: `Changes requested by ${names.join(', ')}`, hint: stands };
    }
    case 'needs_approvals': {
      const { needed, has, available } = blocker;
      return {
        code,
        sentence: `Needs ${needed} ${needed === 1 ? 'approval' : 'approvals'}, has ${has} that count`,
        hint: hintOfApprovals({ needed, available }, draft),
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
  }
}

function hintOfApprovals({ needed, available }: { needed: number; available: number }, draft: LoadedDraft): string {
  if (available < needed) {
    const could =
      available === 0 ? 'Nobody could' : available === 1 ? 'Only 1 person could' : `Only ${available} people could`;
    const isHeldUp = draft.standing.notCounted.some(({ because }) => because !== 'behind_the_author');
    const way = isHeldUp
      ? 'an owner or admin can confirm those whose approval doesn’t count yet'
      : 'invite reviewers, or change the policy';
    return `${could} give one: ${way}.`;
  }
  const dismissed = draft.reviewRows.filter(({ verdict, dismissed: gone }) => verdict === 'approved' && gone);
  const [first, ...others] = new Set(dismissed.map(({ reviewer }) => reviewer.name));
  if (first === undefined) return available === 1 ? '1 person could give one.' : `${available} people could give one.`;
  return others.length === 0
    ? `${first}’s was for earlier content.`
    : `Those of ${[first, ...others].join(', ')} were for earlier content.`;
}

/** True if the person can edit. The objection then also ends when they save a change to the draft. */
function mayEdit(id: string, { people }: LoadedDraft): boolean {
  const role = people.find((person) => person.id === id)?.role ?? null;
  return role !== null && roleHas(role, 'draft.edit');
}

const nameOf = (id: string, { objections }: LoadedDraft): string =>
  objections.find(({ reviewer }) => reviewer.id === id)?.reviewer.name ?? 'someone';
