import { cutText, assigneeKind } from '@stet/domain/workflows';

/** What is wrong with a list of recipients, by its first bad line; null where each can be written to. */
export function recipientsProblem(recipients: readonly string[]): string | null {
  const unknown = recipients.find((recipient) => !['email', 'role'].includes(assigneeKind(recipient)));
  if (unknown === undefined) return recipients.length > 100 ? 'At most 100 recipients' : null;
  return `${unknown.length > 60 ? `${cutText(unknown, 59)}…` : unknown} is neither an email nor a role`;
}
