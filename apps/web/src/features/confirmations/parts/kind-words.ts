import type { Confirmation } from '@stet/contract';

type Words = {
  name: string;
  confirm: string;
  /** What confirming does, under the question. */
  about: string;
  /** What a refusal does. */
  refusal: string;
};

/** What people read of each kind of confirmation. */
export const KIND_WORDS = {
  member: {
    name: 'Person',
    confirm: 'Confirm this person',
    about:
      'Confirm only someone you know, under the address that is theirs. Their approvals then count as those of a second person. The audit trail keeps that you said so.',
    refusal: 'They stay a member. Their approvals keep their mark, or don’t count.',
  },
  policy: {
    name: 'Policy',
    confirm: 'Confirm',
    about: 'It takes effect at once, for every draft that is not merged yet.',
    refusal: 'Nothing changes.',
  },
  working_hours: {
    name: 'Working hours',
    confirm: 'Confirm',
    about: 'It takes effect at once, for steps that become active from now on.',
    refusal: 'Nothing changes.',
  },
  escalation: {
    name: 'Escalation',
    confirm: 'Confirm',
    about: 'It takes effect at once, for open runs too.',
    refusal: 'Nothing changes.',
  },
  emergency: {
    name: 'Emergency',
    confirm: 'Ratify',
    about:
      'You say that it was right to make this version live without the review. The version, its runs and the audit trail then say so.',
    refusal: 'The version stays live. It, its runs and the audit trail say that the emergency was refused.',
  },
} satisfies Record<Confirmation['kind'], Words>;
