import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { changeDisabled } from '../../modules/administration/people.ts';
import { type Command, CommandProblem } from '../command.ts';
import { type Administration, administer, findAccountOrRefuse } from './administration.ts';

const DISABLE_HELP = `Usage: stet admin disable EMAIL

Disables an account, for example of someone who has left the company: ends its sessions, revokes its personal API tokens and the
invitations it sent, releases the steps of runs that the person has, and refuses every later sign-in, also by the identity
provider. The person remains a member, and everything they did stays as it is.
An organization's own tokens that they created keep working. The audit trails of their organizations record it.

Options:
  -h, --help  show this help
`;

const ENABLE_HELP = `Usage: stet admin enable EMAIL

Lets the person of a disabled account sign in again. Revoked tokens and invitations stay revoked, and released steps released.

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

/** Disables or enables an account. Returns its address. Refuses if the account is already in this state. */
async function change(admin: Administration, email: string, isDisabled: boolean): Promise<string> {
  const account = await findAccountOrRefuse(admin.client, email);
  if (!(await changeDisabled(admin, account, { isDisabled, actor: SYSTEM_ACTOR })))
    throw new CommandProblem(`${account.email} is already ${isDisabled ? 'disabled' : 'enabled'}.`);
  return account.email;
}
