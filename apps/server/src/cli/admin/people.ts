import { columns, json, shown } from '../client/shown.ts';
import { type Command, textOption } from '../command.ts';
import { administer, minute } from './administration.ts';

const HELP = `Usage: stet admin people [--organization PREFIX] [--json]

Lists all accounts, most recently seen first: the time of the last request in UTC, open sessions, whether the address is
proved, and organizations with roles. Sessions are deleted 30 days after they expire, so a dash means not seen since.

Options:
  --organization PREFIX  only members of the organization with this URL prefix
  --json                 print the list as JSON
  -h, --help             show this help
`;

type PersonRow = {
  id: string;
  email: string;
  name: string;
  createdAt: Date;
  lastSeenAt: Date | null;
  sessions: number;
  provedBy: string | null;
  disabledAt: Date | null;
  organizations: string[];
};

export const adminPeople: Command = {
  name: 'admin people',
  summary: 'List people with their last activity',
  help: HELP,
  options: { organization: { type: 'string' }, json: { type: 'boolean' } },
  run: async (args, terminal) => {
    const people = await administer(terminal.env, async ({ client }) => {
      const { rows } = await client.query<PersonRow>(
        `select u.id, u.email, u.name, u.created_at as "createdAt", s.seen as "lastSeenAt", coalesce(s.open, 0)::int as sessions,
                u.proved_by as "provedBy", u.disabled_at as "disabledAt",
                array(select coalesce(o.slug, 'individual') || ' ' || m.role from memberships m join organizations o on o.id = m.org_id
                      where m.user_id = u.id order by 1) as organizations
         from users u
         left join (
           select user_id, max(last_seen_at) as seen, count(*) filter (where ended_at is null and expires_at > now()) as open
           from sessions group by 1
         ) s on s.user_id = u.id
         where $1::text is null or exists (
           select from memberships m join organizations o on o.id = m.org_id where m.user_id = u.id and o.slug = $1
         )
         order by s.seen desc nulls last, u.email`,
        [textOption(args, 'organization')],
      );
      return rows;
    });
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
