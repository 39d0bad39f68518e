import type { OrgRole } from '@stet/domain/access';
import { type Letter, nameInMail } from '../../kernel/mail.ts';
import { momentInWords } from '@stet/presentation/moment-in-words';

const ROLE_NAMES: Record<OrgRole, string> = {
  owner: 'Owner',
  admin: 'Admin',
  editor: 'Editor',
  reviewer: 'Reviewer',
  viewer: 'Viewer',
};

type Invited = {
  email: string;
  role: OrgRole;
  organization: string;
  inviter: { name: string; email: string };
  expiresAt: Date;
  link: string;
};

export function invitationLetter({ email, role, expiresAt, link, ...names }: Invited): Letter {
  const organization = nameInMail(names.organization);
  const inviter = { ...names.inviter, name: nameInMail(names.inviter.name) };
  return {
    to: { name: '', address: email },
    subject: `${inviter.name} invites you to ${organization}`,
    greeting: 'Hello,',
    paragraphs: [
      `${inviter.name} (${inviter.email}) invites you to join ${organization} on Stet, where its workflows are written, reviewed and run.`,
    ],
    facts: [
      ['Organization', organization],
      ['Role', ROLE_NAMES[role]],
      ['Expires', momentInWords(expiresAt)],
    ],
    action: { label: 'Accept the invitation', url: link },
    footnote: `This invitation is for ${email}. If you weren’t expecting it, ignore this email.`,
  };
}
