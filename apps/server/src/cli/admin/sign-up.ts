import { readSignUp } from '../../kernel/config.ts';
import { findSignUp } from '../../modules/accounts/index.ts';
import { changeSignUp, inWords } from '../../modules/administration/sign-up.ts';
import { type Command, CommandProblem, USAGE } from '../command.ts';
import { administer, minute } from './administration.ts';

const HELP = `Usage: stet admin sign-up [open|closed|domain:DOMAIN,…|default]

Shows or changes who can sign up without an invitation, immediately and on all servers. The change applies instead of SIGN_UP;
default lets SIGN_UP apply again. Invited people can always join.

Options:
  -h, --help  show this help

Example: stet admin sign-up domain:example.com,example.org
`;

export const adminSignUp: Command = {
  name: 'admin sign-up',
  summary: 'Show or change who can sign up without an invitation',
  help: HELP,
  options: {},
  positionals: { min: 0, max: 1 },
  run: async ({ positionals: [wanted] }, terminal) => {
    if (wanted !== undefined && wanted !== 'default') {
      const read = readSignUp(wanted);
      if ('problem' in read) throw new CommandProblem(`admin sign-up: "${wanted}" ${read.problem}.`, USAGE);
    }
    const { signUp, change } = await administer(terminal.env, async (admin) => {
      if (wanted !== undefined) await changeSignUp(admin.ownerDb, wanted === 'default' ? null : wanted, 'command');
      return findSignUp(admin);
    });
    const origin =
      change !== null
        ? `Set by ${change.by} on ${minute(change.at)} UTC; this overrides SIGN_UP.`
        : terminal.env['SIGN_UP']
          ? 'Set by SIGN_UP in this environment.'
          : 'This is the default; SIGN_UP is not set in this environment.';
    terminal.say(`${inWords(signUp)} ${origin}`);
    return 0;
  },
};
