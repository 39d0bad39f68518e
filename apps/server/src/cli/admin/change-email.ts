import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { canonicalEmail, isEmail } from '@stet/domain/access';
import { enqueueJobs } from '../../db/outbox.ts';
import { hashOfToken, openDerive } from '../../kernel/derive.ts';
import { newId } from '../../kernel/ids.ts';
import { secretKey } from '../../kernel/key-files.ts';
import { findAddressProblem, insertReset } from '../../modules/accounts/accounts.sql.ts';
import { resetToken } from '../../modules/accounts/send-password-reset.job.ts';
import { appendAudit } from '../../modules/audit/index.ts';
import { type Command, CommandProblem, USAGE } from '../command.ts';
import { administer, findEnabledAccountOrRefuse } from './administration.ts';

const HELP = `Usage: stet admin change-email OLD NEW [--print]

Changes the email address of an account. NEW has to be proved: a link is emailed there. The person opens it within an hour and
chooses a password; then the address changes, all sessions end, and personal API tokens are revoked. The audit trails of
their organizations record both addresses, their owners and admins are notified, and OLD gets an email.

If the identity provider was connected under OLD, it is disconnected. It is connected again at the next sign-in with NEW if
OIDC_LINK_BY_EMAIL is on, and otherwise under Profile. If passwords aren't allowed, \`stet admin allow-password\` lets the
person do this.

Workflows that name OLD still mean this person, and nobody else can get OLD until you release it with
\`stet admin release-address\`. NEW can't be the address of another account,
now or in the past, and neither address can have a pending invitation.

Without a mail server, or with --print, nothing is sent, and the link is printed instead. Give it only to that person, because
it gives access to the account.

Options:
  --print     print the link instead of sending it
  -h, --help  show this help
`;

export const adminChangeEmail: Command = {
  name: 'admin change-email',
  summary: 'Change the email address of an account, after the new one is proved',
  help: HELP,
  options: { print: { type: 'boolean' } },
  positionals: { min: 2, max: 2 },
  run: async ({ positionals: [old = '', wanted = ''], options }, terminal) => {
    const newEmail = canonicalEmail(wanted);
    if (newEmail === null || !isEmail(newEmail))
      throw new CommandProblem(`admin change-email: "${wanted}" is not an email address.`, USAGE);
    const link = await administer(terminal.env, async ({ config, client, db }) => {
      const { id: userId, email, orgId } = await findEnabledAccountOrRefuse(client, old);
      if (email === newEmail) throw new CommandProblem(`The address is already ${newEmail}.`);
      const [found] = await db.query(findAddressProblem, { userId, email: newEmail });
      if (found?.problem !== null) throw new CommandProblem(PROBLEMS[found?.problem ?? 'account'](email, newEmail));
      const requestId = newId();
      const isPrinted = options['print'] === true || config.smtpUrl === undefined;
      const token = resetToken(openDerive(secretKey(config.secretKey, config.dataDir)), requestId);
      await db.transaction(orgId === null ? null : { orgId, userId: null }, async (tx) => {
        // The job inserts the link and records the request, as it does for a link that resets a password.
        if (!isPrinted) {
          const payload = { requestId, email, newEmail, by: 'administrator' };
          return enqueueJobs(tx, [{ task: 'send_password_reset', payload }]);
        }
        await tx.maybeOne(insertReset, { id: requestId, userId, tokenHash: hashOfToken(token), newEmail });
        if (orgId === null) return;
        const subject = { type: 'user' as const, id: userId };
        const data = { newEmail, by: 'administrator' };
        appendAudit(tx, [{ actor: SYSTEM_ACTOR, action: 'account.email_change_requested', subject, data }]);
      });
      const base = config.publicUrl ?? `http://${config.host}:${config.port}`;
      return isPrinted ? `${base}/reset-password?token=${token}` : null;
    });
    if (link === null) terminal.say(`A link will be sent to ${newEmail}. The address changes when it is used.`);
    else await terminal.out(`${link}\n`);
    return 0;
  },
};

const PROBLEMS = {
  account: (_: string, email: string) => `${email} is the mailbox of another account.`,
  former: (_: string, email: string) =>
    `${email} is the former mailbox of another account, which workflows can name. See: stet help admin release-address`,
  invited: (_: string, email: string) =>
    `${email} has a pending invitation. It has to be revoked first, or accepted with a new account instead.`,
  shared: (old: string) =>
    `Another account has the mailbox of ${old}, so the two count as one person. They would no longer after the change.`,
  invited_before: (old: string) => `${old} has a pending invitation. It has to be accepted or revoked first.`,
};
