import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { hashOfToken, openDerive } from '../../kernel/derive.ts';
import { newId } from '../../kernel/ids.ts';
import { secretKey } from '../../kernel/key-files.ts';
import { insertReset } from '../../modules/accounts/accounts.sql.ts';
import { resetToken } from '../../modules/accounts/send-password-reset.job.ts';
import { sendResetLink } from '../../modules/administration/people.ts';
import { appendAudit } from '../../modules/audit/index.ts';
import type { Command } from '../command.ts';
import { administer, findEnabledAccountOrRefuse } from './administration.ts';

const HELP = `Usage: stet admin reset-link EMAIL [--print]

Emails a person a link for setting a new password, as "Forgot password" does: a running server sends it, or else the next
one that starts. The link works once, within an hour, and the organization's audit trail records it.

With --print, nothing is sent, and the link is printed instead, for example because the mail server doesn't work. Give
it only to that person, because it gives access to the account.

Options:
  --print     print the link instead of sending it
  -h, --help  show this help
`;

export const adminResetLink: Command = {
  name: 'admin reset-link',
  summary: 'Send or print a link for setting a new password',
  help: HELP,
  options: { print: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [email = ''], options }, terminal) => {
    const said = await administer(terminal.env, async (admin) => {
      const { config, client, db } = admin;
      const account = await findEnabledAccountOrRefuse(client, email);
      const { id: userId, email: address, orgId } = account;
      if (options['print'] !== true) {
        await sendResetLink(admin, account, SYSTEM_ACTOR);
        return { link: null, address };
      }
      const requestId = newId();
      const token = resetToken(openDerive(secretKey(config.secretKey, config.dataDir)), requestId);
      await db.transaction(orgId === null ? null : { orgId, userId: null }, async (tx) => {
        await tx.maybeOne(insertReset, { id: requestId, userId, tokenHash: hashOfToken(token), newEmail: null });
        if (orgId === null) return;
        const subject = { type: 'user' as const, id: userId };
        const data = { by: 'administrator' };
        appendAudit(tx, [{ actor: SYSTEM_ACTOR, action: 'account.password_reset_requested', subject, data }]);
      });
      const base = config.publicUrl ?? `http://${config.host}:${config.port}`;
      return { link: `${base}/reset-password?token=${token}`, address };
    });
    if (said.link === null) terminal.say(`A link will be sent to ${said.address}.`);
    else await terminal.out(`${said.link}\n`);
    return 0;
  },
};
