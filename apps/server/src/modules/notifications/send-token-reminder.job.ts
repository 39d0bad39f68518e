import { z } from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import { type Letter, type Mailer, nameInMail } from '../../kernel/mail.ts';
import { findEndlessToken } from './notifications.sql.ts';

const job = z.object({ orgId: z.uuid(), id: z.uuid() });

/** Mails the reminder, unless the token was revoked, or its owner is no longer a member or has a disabled account. */
export async function sendTokenReminder(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  mailer: Mailer,
  payload: unknown,
): Promise<void> {
  const { orgId, id } = job.parse(payload);
  const token = await db.transaction({ orgId, userId: null }, (tx) => tx.maybeOne(findEndlessToken, { orgId, id }));
  if (token) await mailer.send(reminderLetter({ ...token, publicUrl }));
}

type Reminder = { name: string; email: string; token: string; ending: string; organization: string; publicUrl: string };

function reminderLetter({ email, ending, publicUrl, ...names }: Reminder): Letter {
  const name = nameInMail(names.name);
  const token = nameInMail(names.token);
  const organization = nameInMail(names.organization);
  return {
    to: { name, address: email },
    subject: `Your API token ${token} never expires`,
    greeting: `Hello ${name},`,
    paragraphs: [
      'New personal API tokens expire after at most a year. This one is older and remains valid until you revoke it.',
      'Create a new token for the program that uses it, then revoke this one.',
    ],
    facts: [
      ['Token', token],
      ['Ends in', ending],
      ['Organization', organization],
    ],
    action: { label: 'Open API tokens', url: `${publicUrl}/app/settings/tokens` },
    footnote: 'You will receive this reminder every 30 days for as long as the token exists.',
  };
}
