import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { endSessions } from '../../modules/administration/people.ts';
import type { Command } from '../command.ts';
import { administer, findAccountOrRefuse } from './administration.ts';

const HELP = `Usage: stet admin end-sessions EMAIL

Ends all sessions of a person, on all devices: their next request is refused, and they have to sign in again. API tokens
keep working. The organization's audit trail records it.

Options:
  -h, --help  show this help
`;

export const adminEndSessions: Command = {
  name: 'admin end-sessions',
  summary: 'Sign a person out on all devices',
  help: HELP,
  options: {},
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [email = ''] }, terminal) => {
    const account = await administer(terminal.env, async (admin) => {
      const found = await findAccountOrRefuse(admin.client, email);
      await endSessions(admin, found, SYSTEM_ACTOR);
      return found;
    });
    terminal.say(`All sessions of ${account.email} have ended.`);
    return 0;
  },
};
