import type { Letter } from '../../kernel/mail.ts';

/** The mail with the link that sets a new password. */
export const passwordResetLetter = ({ name, email, link }: { name: string; email: string; link: string }): Letter => ({
  to: { name, address: email },
  subject: 'Set a new password',
  greeting: `Hello ${name},`,
  paragraphs: [
    'Someone, most likely you, asked for a new password for your account. Choose one with the button below.',
    'The link works once, within the next hour. Setting a new password signs you out everywhere and revokes your personal API tokens.',
  ],
  facts: [['Account', email]],
  action: { label: 'Set a new password', url: link },
  footnote: 'If you did not ask for this, you need not do anything: your password stays as it is.',
});
