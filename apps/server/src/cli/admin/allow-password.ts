import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { appendInEach } from '../../modules/audit/index.ts';
import { type Command, CommandProblem, USAGE, textOption } from '../command.ts';
import { listOrganizationsOf } from '../../modules/administration/people.sql.ts';
import { allowPassword } from './accounts.sql.ts';
import { administer, findAccountOrRefuse, findEnabledAccountOrRefuse } from './administration.ts';

const DEFAULT_HOURS = 24;
const MAX_HOURS = 720;

const HELP = `Usage: stet admin allow-password EMAIL [--hours N]

Lets a person sign in with their password for a time although PASSWORD_SIGN_IN is off, for example while the identity
provider is down. It takes effect immediately, and a session that they open lasts for up to 12 hours. If they have no
password, stet admin reset-link --print prints a link for setting one. The audit trails of their organizations record it.

Options:
  --hours N   how long, 1 to ${MAX_HOURS} hours, ${DEFAULT_HOURS} by default; 0 ends it
  -h, --help  show this help
`;

export const adminAllowPassword: Command = {
  name: 'admin allow-password',
  summary: 'Let a person sign in with a password although the identity provider is required',
  help: HELP,
  options: { hours: { type: 'string' } },
  positionals: { min: 1, max: 1 },
  run: async (args, terminal) => {
    const given = textOption(args, 'hours') ?? String(DEFAULT_HOURS);
    const hours = /^\d{1,3}$/.test(given) ? Number(given) : Number.NaN;
    if (!(hours <= MAX_HOURS))
      throw new CommandProblem(`admin allow-password: --hours must be a number from 0 to ${MAX_HOURS}.`, USAGE);
    const { positionals } = args;
    const said = await administer(terminal.env, async ({ config, client, ownerDb }) => {
      const find = hours === 0 ? findAccountOrRefuse : findEnabledAccountOrRefuse;
      const { id, email } = await find(client, positionals[0] ?? '');
      await ownerDb.transaction(null, async (tx) => {
        tx.write(allowPassword, { userId: id, hours });
        const organizations = await tx.many(listOrganizationsOf, { userId: id });
        const event = {
          actor: SYSTEM_ACTOR,
          action: 'account.password_allowed' as const,
          subject: { type: 'user' as const, id },
          data: { email, hours, by: 'administrator' },
        };
        appendInEach(tx, new Map(organizations.map(({ org_id: orgId }) => [orgId, [event]])));
      });
      return { email, page: `${config.publicUrl ?? `http://${config.host}:${config.port}`}/login?password` };
    });
    terminal.say(
      hours === 0
        ? `${said.email} has to sign in with the identity provider again, if PASSWORD_SIGN_IN is off.`
        : `${said.email} can sign in with a password for ${hours} ${hours === 1 ? 'hour' : 'hours'}, at ${said.page}`,
    );
    return 0;
  },
};
