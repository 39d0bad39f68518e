import { isolated } from '@stet/domain/workflows';
import type { WholeDraft } from '@stet/contract';
import type { Blocker } from '@stet/domain/drafts';
import type { LoadedDraft } from './load-draft.ts';

/** What blocks a merge in words, and what mends it. */
export function presentBlocker(blocker: Blocker, draft: LoadedDraft): WholeDraft['blockers'][number] {
  const { code } = blocker;
  switch (blocker.code) {
    case 'out_of_date': {
      const { base_version: base, live_version: live } = draft.row;
      const began = base === null ? 'It began before anything was live' : `It began from v${base}`;
      return {
        code,
        sentence: 'The live version has changed since this draft was begun',
        hint: live === null ? `${began}.` : `${began}, and v${live} is live now. Rebase it to go on.`,
      };
    }
    case 'not_submitted':
      return {
        code,
        sentence: 'Not submitted for review',
        hint: 'Its authors submit it; an approval does so too.',
      };
    case 'changes_requested': {
      const names = blocker.reviewerIds.map((id) => isolated(nameOf(id, draft)));
      const stands = names.length === 1 ? `Stands until ${names[0]} approves.` : 'Stands until each of them approves.';
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
        sentence: 'Simulated steps may not go live in this organization',
        hint: `Write a script for ${titles.join(', ')}, or make each a manual step.`,
      };
    }
  }
}

function hintOfApprovals({ needed, available }: { needed: number; available: number }, draft: LoadedDraft): string {
  if (available < needed) {
    const people = available === 1 ? '1 person' : `${available} people`;
    return `Only ${people} could give one: invite reviewers, or change the policy.`;
  }
  const dismissed = draft.reviewRows.filter(({ verdict, dismissed: gone }) => verdict === 'approved' && gone);
  const [first, ...others] = new Set(dismissed.map(({ reviewer }) => reviewer.name));
  if (first === undefined) return available === 1 ? '1 person could give one.' : `${available} people could give one.`;
  return others.length === 0
    ? `${first}’s was of earlier content.`
    : `Those of ${[first, ...others].join(', ')} were of earlier content.`;
}

const nameOf = (id: string, { objections }: LoadedDraft): string =>
  objections.find(({ reviewer }) => reviewer.id === id)?.reviewer.name ?? 'someone';
