/**
 * The reasons why a decision doesn't by itself prove that another person made it (decision 81):
 * - An API token decided.
 * - An address isn't proved: the deciding person's, or that of someone from whom they must be independent because that
 *   person did the work, handed it over or voted earlier.
 * - The deciding person handed the work over, so they chose who did it.
 * - They decide through a group or a role that they gave themselves during the run, or got after the step had first
 *   become active.
 * - They decide through a group, or a role given during the run, from someone who did the work or handed it over, or
 *   from the only manager who vouches for an account that did so, or from an account for which only one of these people
 *   vouches.
 * - They decide through a group or a role from someone whom such a person appointed during the run.
 */
export const DECISION_MARKS = [
  'address_not_proved',
  'doer_not_proved',
  'voter_not_proved',
  'handed_work_over',
  'by_api_token',
  'added_during_run',
  'added_by_doer',
  'added_by_appointee',
  'added_by_giver',
  'added_by_voucher',
  'added_by_vouched',
  'role_during_run',
  'role_by_doer',
  'role_by_appointee',
  'role_by_giver',
  'role_by_voucher',
  'role_by_vouched',
] as const;
export type DecisionMark = (typeof DECISION_MARKS)[number];

const MARK_WORDS: Record<DecisionMark, string> = {
  address_not_proved: 'address not proved',
  doer_not_proved: 'work done by an account whose address isn’t proved',
  voter_not_proved: 'another vote by an account whose address isn’t proved',
  handed_work_over: 'handed the work over to the person who did it',
  by_api_token: 'by API token',
  added_during_run: 'added to the group during this run',
  added_by_doer: 'added to the group by someone who did the work',
  added_by_appointee:
    'added to the group by someone who got a role during this run from a person who did the work, handed it over, or alone confirmed an account that did',
  added_by_giver: 'added to the group by someone who handed the work over',
  added_by_voucher:
    'added to the group by the only owner or admin who has confirmed an account that did the work or handed it over',
  added_by_vouched:
    'added to the group by an account whose only confirmation is from someone who did the work, handed it over, or alone confirmed an account that did',
  role_during_run: 'given the role during this run',
  role_by_doer: 'given the role during this run by someone who did the work',
  role_by_appointee:
    'given the role by someone who got a role during this run from a person who did the work, handed it over, or alone confirmed an account that did',
  role_by_giver: 'given the role during this run by someone who handed the work over',
  role_by_voucher:
    'given the role during this run by the only owner or admin who has confirmed an account that did the work or handed it over',
  role_by_vouched:
    'given the role during this run by an account whose only confirmation is from someone who did the work, handed it over, or alone confirmed an account that did',
};

/**
 * Returns the marks of a decision in words.
 * @param addedBy the name of the person who added the deciding person to the group or gave them the role, if known
 */
export const decisionMarkWords = (marks: readonly DecisionMark[], addedBy?: string | null): string =>
  marks.map((mark) => wordsOf(mark, addedBy ?? '')).join(', ');

function wordsOf(mark: DecisionMark, addedBy: string): string {
  if (addedBy === '') return MARK_WORDS[mark];
  switch (mark) {
    case 'added_during_run':
    case 'role_during_run':
      return `${MARK_WORDS[mark]} by ${addedBy}`;
    case 'added_by_doer':
      return `added to the group by ${addedBy}, who did the work`;
    case 'added_by_appointee':
      return `added to the group by ${addedBy}, who got a role during this run from a person who did the work, handed it over, or alone confirmed an account that did`;
    case 'added_by_giver':
      return `added to the group by ${addedBy}, who handed the work over`;
    case 'added_by_voucher':
      return `added to the group by ${addedBy}, the only owner or admin who has confirmed an account that did the work or handed it over`;
    case 'added_by_vouched':
      return `added to the group by ${addedBy}, whose only confirmation is from someone who did the work, handed it over, or alone confirmed an account that did`;
    case 'role_by_doer':
      return `given the role during this run by ${addedBy}, who did the work`;
    case 'role_by_appointee':
      return `given the role by ${addedBy}, who got a role during this run from a person who did the work, handed it over, or alone confirmed an account that did`;
    case 'role_by_giver':
      return `given the role during this run by ${addedBy}, who handed the work over`;
    case 'role_by_voucher':
      return `given the role during this run by ${addedBy}, the only owner or admin who has confirmed an account that did the work or handed it over`;
    case 'role_by_vouched':
      return `given the role during this run by ${addedBy}, whose only confirmation is from someone who did the work, handed it over, or alone confirmed an account that did`;
    default:
      return MARK_WORDS[mark];
  }
}
