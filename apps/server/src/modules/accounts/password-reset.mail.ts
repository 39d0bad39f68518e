import { type Letter, nameInMail } from '../../kernel/mail.ts';

export const passwordResetLetter = ({ name, email, link }: { name: string; email: string; link: string }): Letter => ({
  to: { name: nameInMail(name), address: email },
  subject: 'Set a new password',
  greeting: `Hello ${nameInMail(name)},`,
  paragraphs: [
    'Someone, most likely you, asked to reset the password for your account. Use the button below to choose a new one.',
    'The link works once, within the next hour. Setting a new password signs you out everywhere and revokes your personal API tokens.',
  ],
  facts: [['Account', email]],
  action: { label: 'Set a new password', url: link },
  footnote: 'If you didn’t request this, ignore this email. Your password is unchanged.',
});
