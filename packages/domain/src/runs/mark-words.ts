/**
 * Why a decision doesn't by itself prove that another person made it (rulings, section 12). Either an API token
 * decided, or an address isn't proved: that of the deciding person, or of someone they must be independent of,
 * because that person did the work or voted earlier.
 */
export const DECISION_MARKS = ['address_not_proved', 'doer_not_proved', 'voter_not_proved', 'by_api_token'] as const;
export type DecisionMark = (typeof DECISION_MARKS)[number];

const MARK_WORDS: Record<DecisionMark, string> = {
  address_not_proved: 'address not proved',
  doer_not_proved: 'work done by an account whose address isn’t proved',
  voter_not_proved: 'another vote by an account whose address isn’t proved',
  by_api_token: 'by API token',
};

/** Returns the marks of a decision in words. */
export const decisionMarkWords = (marks: readonly DecisionMark[]): string =>
  marks.map((mark) => MARK_WORDS[mark]).join(', ');
