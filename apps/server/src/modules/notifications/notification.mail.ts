import { type Letter, nameInMail } from '../../kernel/mail.ts';
import { MAX_ITEMS } from './digest.mail.ts';
import { type NotificationKind, kindOf } from './wording.ts';

const CHANGE_IT = 'Choose which emails you get under Settings, Notifications.';

type Mailed = {
  kind: NotificationKind;
  name: string;
  email: string;
  title: string;
  body: string;
  page: { url: string; label: string };
  isDraft: boolean;
};

/** The email about a notification. Null if its kind is never mailed or has its own template. */
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

type Batch = {
  name: string;
  email: string;
  organization: string;
  items: readonly { kind: NotificationKind; title: string; body: string; url: string }[];
  publicUrl: string;
};

/** One email about several notifications that were created within a short time. */
export function batchLetter({ email, items, publicUrl, ...names }: Batch): Letter {
  const name = nameInMail(names.name);
  const organization = nameInMail(names.organization);
  const areSteps = items.every(({ kind }) => kind === 'step_assigned');
  const rest = items.length - MAX_ITEMS;
  const page = areSteps
    ? { label: 'Open My tasks', url: `${publicUrl}/app/tasks` }
    : { label: 'Open notifications', url: `${publicUrl}/app/notifications` };
  return {
    to: { name, address: email },
    subject: `${items.length} ${areSteps ? 'steps are waiting for you' : 'notifications'}: ${organization}`,
    greeting: `Hello ${name},`,
    paragraphs: [
      areSteps ? `These steps in ${organization} are assigned to you.` : `Here is what’s new in ${organization}.`,
      ...(rest > 0
        ? [`The first ${MAX_ITEMS} are listed below; ${rest} more ${rest === 1 ? 'is' : 'are'} in Stet.`]
        : []),
    ],
    items: items
      .slice(0, MAX_ITEMS)
      .map(({ title, body, url }) => ({ title: nameInMail(title), body: nameInMail(body), url })),
    action: page,
    footnote: CHANGE_IT,
  };
}
