import { type Letter, nameInMail } from '../../kernel/mail.ts';
import { type NotificationKind, kindOf } from './wording.ts';

const CHANGE_IT = 'You can choose what we mail you under Settings, Notifications.';

type Mailed = {
  kind: NotificationKind;
  name: string;
  email: string;
  title: string;
  body: string;
  page: { url: string; label: string };
  isDraft: boolean;
};

/** The mail about any other notification. Null for a kind that is never mailed this way. */
export function notificationLetter({ kind, name, email, title, body, page, isDraft }: Mailed): Letter | null {
  const { mail } = kindOf(kind);
  if (mail === null) return null;
  return {
    to: { name: nameInMail(name), address: email },
    subject: `${mail.subject}: ${nameInMail(title)}`,
    greeting: `Hello ${nameInMail(name)},`,
    paragraphs: [nameInMail(body)],
    facts: isDraft ? [['Workflow', nameInMail(title)]] : [],
    action: { label: page.label, url: page.url },
    footnote: `${mail.reason} ${CHANGE_IT}`,
  };
}
