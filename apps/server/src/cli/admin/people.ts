import { EVERYTHING, listPeople } from '../../modules/administration/lists.ts';
import { columns, json, shown } from '../client/shown.ts';
import { type Command, textOption } from '../command.ts';
import { administer, minute } from './administration.ts';

const HELP = `Usage: stet admin people [--organization PREFIX] [--json]

Lists all accounts, most recently seen first: the time of the last request in UTC, open sessions, whether the address is
proved, and organizations with roles. Sessions are deleted 30 days after they expire; a dash means that none is left.

Options:
  --organization PREFIX  only members of the organization with this URL prefix
  --json                 print the list as JSON
  -h, --help             show this help
`;

export const adminPeople: Command = {
  name: 'admin people',
  summary: 'List people with their last activity',
  help: HELP,
  options: { organization: { type: 'string' }, json: { type: 'boolean' } },
  run: async (args, terminal) => {
    const slug = textOption(args, 'organization');
    const found = await administer(terminal.env, ({ query }) => listPeople(query, { ...EVERYTHING, slug }));
    const people = found
      .toSorted((one, other) => Number(other.lastSeenAt) - Number(one.lastSeenAt) || (one.email < other.email ? -1 : 1))
      .map(({ memberships, ...person }) => ({
        ...person,
        organizations: memberships.map((each) => `${each.slug ?? 'individual'} ${each.role}`),
      }));
    if (args.options['json'] === true) await terminal.out(json(people));
    else
      await terminal.out(
        columns([
          ['EMAIL', 'NAME', 'LAST SEEN', 'SESSIONS', 'PROVED', 'ORGANIZATIONS'],
          ...people.map((person) => [
            shown(person.email),
            shown(person.name),
            minute(person.lastSeenAt),
            person.disabledAt ? 'disabled' : String(person.sessions),
            person.provedBy ?? '-',
            person.organizations.join(', '),
          ]),
        ]),
      );
    return 0;
  },
};
