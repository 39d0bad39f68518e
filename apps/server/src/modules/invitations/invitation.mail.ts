import type { OrgRole } from '@stet/domain/access';
import type { Letter } from '../../kernel/mail.ts';
import { momentInWords } from '../../kernel/moment-in-words.ts';

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

/** The mail that invites someone into an organization. */
export const invitationLetter = ({ email, role, organization, inviter, expiresAt, link }: Invited): Letter => ({
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
  footnote: `This invitation is for ${email}. If you did not expect it, you need not do anything.`,
});
