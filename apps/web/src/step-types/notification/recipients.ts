import { cutText } from '@stet/domain/workflows';
import { assigneeKind } from '@stet/domain/access';

/** The first invalid recipient's problem, or null if all are valid. */
export function recipientsProblem(recipients: readonly string[]): string | null {
  const unknown = recipients.find((recipient) => !['email', 'role'].includes(assigneeKind(recipient)));
  if (unknown === undefined) return recipients.length > 100 ? 'At most 100 recipients' : null;
  return `${unknown.length > 60 ? `${cutText(unknown, 59)}…` : unknown} is neither an email address nor a role`;
}
