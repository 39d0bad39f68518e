/**
 * The reasons why an approval doesn't by itself prove two people (docs/second-person.md). The product knows accounts
 * and mailboxes, so it often can't tell whether two accounts belong to two people.
 */
export const APPROVAL_MARKS = [
  'added_by_author',
  'added_by_one_not_proved',
  'added_to_group_by_author',
  'named_by_author',
  'address_not_proved',
  'author_not_proved',
  'author_added_by_reviewer',
  'self_approved',
  'by_api_token',
] as const;
export type ApprovalMark = (typeof APPROVAL_MARKS)[number];

const MARK_WORDS: Record<ApprovalMark, string> = {
  added_by_author: 'reviewer added by the author',
  added_by_one_not_proved: 'reviewer added by someone whose address is not proved',
  added_to_group_by_author: 'reviewer added to the group by the author',
  named_by_author: "named as the workflow's reviewer by the author",
  address_not_proved: 'address not proved',
  author_not_proved: "author's address not proved",
  author_added_by_reviewer: 'author added by the reviewer',
  self_approved: 'self-approved: no other reviewer',
  by_api_token: 'by API token',
};

/** Returns the marks of an approval in words: 'reviewer added by the author, address not proved'. */
export const markWords = (marks: readonly ApprovalMark[]): string => marks.map((mark) => MARK_WORDS[mark]).join(', ');
