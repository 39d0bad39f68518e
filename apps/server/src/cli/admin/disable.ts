import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { appendInEach } from '../../modules/audit/index.ts';
import { closeResets, endOtherSessions } from '../../modules/accounts/accounts.sql.ts';
import { endPersonalTokens } from '../../modules/api-tokens/index.ts';
import { type Command, CommandProblem } from '../command.ts';
import { listOrganizationsOf, setDisabled } from './accounts.sql.ts';
import { type Administration, administer, findAccountOrRefuse } from './administration.ts';

const DISABLE_HELP = `Usage: stet admin disable EMAIL

Disables an account, for example of someone who has left the company: ends its sessions, revokes its personal API tokens, and
refuses every later sign-in, also by the identity provider. The person remains a member, and everything they did stays as it is.
An organization's own tokens that they created keep working. The audit trails of their organizations record it.

Options:
  -h, --help  show this help
`;

const ENABLE_HELP = `Usage: stet admin enable EMAIL

Lets the person of a disabled account sign in again. Revoked tokens stay revoked.

Options:
  -h, --help  show this help
`;

export const adminDisable: Command = {
  name: 'admin disable',
  summary: 'Disable an account',
  help: DISABLE_HELP,
  options: {},
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [email = ''] }, terminal) => {
    const account = await administer(terminal.env, (admin) => change(admin, email, true));
    terminal.say(`${account} is disabled: sessions and personal API tokens have ended.`);
    return 0;
  },
};

export const adminEnable: Command = {
  name: 'admin enable',
  summary: 'Enable a disabled account',
  help: ENABLE_HELP,
  options: {},
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [email = ''] }, terminal) => {
    const account = await administer(terminal.env, (admin) => change(admin, email, false));
    terminal.say(`${account} can sign in again.`);
    return 0;
  },
};

/** Returns the account's address. */
async function change({ client, ownerDb }: Administration, email: string, isDisabled: boolean): Promise<string> {
  const { id, email: address } = await findAccountOrRefuse(client, email);
  const event = {
    actor: SYSTEM_ACTOR,
    action: isDisabled ? ('account.disabled' as const) : ('account.enabled' as const),
    subject: { type: 'user' as const, id },
    data: { email: address, by: 'administrator' },
  };
  await ownerDb.transaction(null, async (tx) => {
    // The account is disabled first. A membership that begins later belongs to a disabled account, which can't act.
    const changed = await tx.maybeOne(setDisabled, { userId: id, isDisabled });
    if (!changed) throw new CommandProblem(`${address} is already ${isDisabled ? 'disabled' : 'enabled'}.`);
    const organizations = await tx.many(listOrganizationsOf, { userId: id });
    if (isDisabled) {
      tx.write(closeResets, { userId: id });
      tx.write(endOtherSessions, { userId: id, exceptId: null });
      endPersonalTokens(tx, id, 'account_disabled');
    }
    appendInEach(tx, new Map(organizations.map(({ org_id: orgId }) => [orgId, [event]])));
  });
  return address;
}
