import { cutText } from '@stet/domain/workflows';
import { assigneeKind } from '@stet/domain/access';

/** The problem of the first invalid recipient or of a list with more than 100; null if there is none. */
export function recipientsProblem(recipients: readonly string[]): string | null {
  const unknown = recipients.find((recipient) => !['email', 'role'].includes(assigneeKind(recipient)));
  if (unknown === undefined) return recipients.length > 100 ? 'At most 100 recipients' : null;
  return `${unknown.length > 60 ? `${cutText(unknown, 59)}…` : unknown} is neither an email address nor a role`;
}
