import { z } from 'zod';
import { type Letter, type Mailer, nameInMail } from '../../kernel/mail.ts';

type Change = { name: string; email: string; newEmail: string };

/** The email to the new address, with the link that proves it. */
export const emailChangeLetter = ({ name, email, newEmail, link }: Change & { link: string }): Letter => ({
  to: { name: nameInMail(name), address: newEmail },
  subject: 'Confirm your new email address',
  greeting: `Hello ${nameInMail(name)},`,
  paragraphs: [
    'The administrator of this installation is changing the email address of your account. Use the button below to confirm the new address and to choose a password.',
    'The link works once, within the next hour. When you have used it, you sign in with the new address. This also signs you out everywhere and revokes your personal API tokens.',
  ],
  facts: [
    ['Current address', email],
    ['New address', newEmail],
  ],
  action: { label: 'Confirm the new address', url: link },
  footnote: 'If you don’t expect this, ignore this email. Nothing changes.',
});

const released = z.object({ name: z.string(), email: z.string(), former: z.string() });

/** Notifies the current address that a former one no longer identifies the account. */
export async function sendAddressReleased(mailer: Mailer, publicUrl: string, payload: unknown): Promise<void> {
  const { name, email, former } = released.parse(payload);
  await mailer.send({
    to: { name: nameInMail(name), address: email },
    subject: 'Your former email address was released',
    greeting: `Hello ${nameInMail(name)},`,
    paragraphs: [
      'The administrator of this installation released your former address, so that someone else can use it. Workflows that name it no longer mean you. Everything you did stays under your name.',
    ],
    facts: [
      ['Released address', former],
      ['Your address', email],
    ],
    action: { label: 'Open Stet', url: `${publicUrl}/app` },
    footnote: 'If this address is still yours, ask the administrator of this installation immediately.',
  });
}

const changed = z.object({ name: z.string(), email: z.string(), newEmail: z.string() });

/** Notifies the old address that the account has a new one. */
export async function sendEmailChanged(mailer: Mailer, publicUrl: string, payload: unknown): Promise<void> {
  const { name, email, newEmail } = changed.parse(payload);
  await mailer.send({
    to: { name: nameInMail(name), address: email },
    subject: 'Your email address was changed',
    greeting: `Hello ${nameInMail(name)},`,
    paragraphs: ['Your account has a new email address. From now on, sign in with it. Emails are no longer sent here.'],
    facts: [['New address', newEmail]],
    action: { label: 'Log in', url: `${publicUrl}/login` },
    footnote: 'If you didn’t want this, ask the administrator of this installation immediately.',
  });
}
