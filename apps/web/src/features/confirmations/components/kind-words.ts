import type { Confirmation } from '@stet/contract';

type Words = {
  name: string;
  confirm: string;
  /** The effect of confirming, shown in the dialog. */
  about: string;
  /** The effect of refusing. */
  refusal: string;
};

export const KIND_WORDS = {
  member: {
    name: 'Person',
    confirm: 'Confirm this person',
    about:
      'Only confirm people you know, and check that the address is theirs. Their approvals will then count as independent. The audit trail records your confirmation.',
    refusal:
      'They stay a member. Their approvals stay marked as not independent. With strict review, those approvals don’t count. If their role changes, owners and admins are asked again.',
  },
  policy: {
    name: 'Policy',
    confirm: 'Confirm',
    about: 'The new policy applies immediately, also to drafts that aren’t merged yet.',
    refusal: 'Nothing changes.',
  },
  working_hours: {
    name: 'Working hours',
    confirm: 'Confirm',
    about: 'The new hours apply to steps that start from now on.',
    refusal: 'Nothing changes.',
  },
  escalation: {
    name: 'Escalation',
    confirm: 'Confirm',
    about: 'The new escalation applies immediately, including to open runs.',
    refusal: 'Nothing changes.',
  },
  reviewers: {
    name: 'Reviewers',
    confirm: 'Confirm',
    about:
      'People who are removed no longer count, also for drafts that aren’t merged yet. The approvals of people who are added count as a reviewer’s only for drafts started from now on.',
    refusal: 'Nothing changes.',
  },
  group_members: {
    name: 'Group',
    confirm: 'Confirm',
    about:
      'These people leave the group immediately, including in open runs and reviews. If nobody is left, owners and admins can stand in for the group’s steps, but drafts that need its approval can’t be merged.',
    refusal: 'Nothing changes.',
  },
  emergency: {
    name: 'Emergency',
    confirm: 'Ratify',
    about:
      'You confirm that it was right to make this version live without a review. The version, its runs and the audit trail then show that it was ratified.',
    refusal: 'The version stays live. The version, its runs and the audit trail show that the emergency was refused.',
  },
} satisfies Record<Confirmation['kind'], Words>;

/** The proposer's reason; null if they gave none. */
export const reasonOf = ({ payload }: Confirmation): string | null =>
  typeof payload['reason'] === 'string' && payload['reason'] !== '' ? payload['reason'] : null;
