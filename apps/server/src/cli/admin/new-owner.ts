import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { appendAudit } from '../../modules/audit/index.ts';
import { lockOrganization, setMemberRole } from '../../modules/organizations/organizations.sql.ts';
import { type Command, CommandProblem } from '../command.ts';
import { listMembers } from './accounts.sql.ts';
import { administer, findAccountOrRefuse, findOrganizationOrRefuse } from './administration.ts';

const HELP = `Usage: stet admin new-owner PREFIX EMAIL

Makes a member the owner of the organization with this URL prefix, if none of its owners can sign in any more. If an
owner can still sign in, they can make someone an owner in the app. If that owner has left, disable their account first
(stet admin disable). The audit trail records it, and all members are notified.

Options:
  -h, --help  show this help
`;

export const adminNewOwner: Command = {
  name: 'admin new-owner',
  summary: 'Give an organization a new owner if no owner can sign in',
  help: HELP,
  options: {},
  positionals: { min: 2, max: 2 },
  run: async ({ positionals: [prefix = '', email = ''] }, terminal) => {
    const name = await administer(terminal.env, async ({ client, db }) => {
      const organization = await findOrganizationOrRefuse(client, prefix);
      const { id: orgId } = organization;
      const { id: userId } = await findAccountOrRefuse(client, email);
      await db.transaction({ orgId, userId: null }, async (tx) => {
        await tx.maybeOne(lockOrganization, { orgId });
        const members = await tx.many(listMembers, { orgId });
        const able = members.filter(({ role, is_disabled }) => role === 'owner' && !is_disabled);
        if (able.length > 0)
          throw new CommandProblem(
            `${able.map((owner) => owner.email).join(', ')} can still sign in. Ask them, or disable the account first.`,
          );
        const target = members.find(({ id }) => id === userId);
        if (!target) throw new CommandProblem(`${email} is not a member of ${organization.name}.`);
        if (target.is_disabled) throw new CommandProblem(`The account ${email} is disabled. Enable it first.`);
        tx.write(setMemberRole, { orgId, userId, role: 'owner', givenBy: null });
        appendAudit(tx, [
          {
            actor: SYSTEM_ACTOR,
            action: 'member.role_changed',
            subject: { type: 'user', id: userId },
            data: {
              name: target.name,
              email: target.email,
              before: { role: target.role },
              after: { role: 'owner' },
              by: 'administrator',
            },
            context: { name: target.name, from: target.role, to: 'owner', revokedInvitations: [] },
          },
        ]);
      });
      return organization.name;
    });
    terminal.say(`${email} is now an owner of ${name}. All members are notified.`);
    return 0;
  },
};
