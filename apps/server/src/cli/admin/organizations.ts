import { columns, json, shown } from '../client/shown.ts';
import type { Command } from '../command.ts';
import { administer, minute } from './administration.ts';

const HELP = `Usage: stet admin organizations [--json]

Lists all organizations, most recently used first: members, owners, workflows, runs, audit events, the time of the
last event, and when it ends, in UTC.

Options:
  --json      print the list as JSON
  -h, --help  show this help
`;

type Organization = {
  id: string;
  name: string;
  slug: string;
  type: string;
  members: number;
  owners: string[];
  workflows: number;
  runs: number;
  events: number;
  lastEventAt: Date | null;
  /** The date from which the organization's data is deleted. Null if it doesn't end. */
  endsAt: Date | null;
};

export const adminOrganizations: Command = {
  name: 'admin organizations',
  summary: 'List organizations with their size and last activity',
  help: HELP,
  options: { json: { type: 'boolean' } },
  run: async ({ options }, terminal) => {
    const organizations = await administer(terminal.env, async ({ client }) => {
      const { rows } = await client.query<Organization>(
        `select o.id, o.name, o.slug, o.type,
                (select count(*)::int from memberships m where m.org_id = o.id) as members,
                array(select u.email from memberships m join users u on u.id = m.user_id
                      where m.org_id = o.id and m.role = 'owner' order by 1) as owners,
                (select count(*)::int from workflows w where w.org_id = o.id) as workflows,
                coalesce((select running + paused + completed + failed + cancelled from run_counts c where c.org_id = o.id), 0)::int as runs,
                coalesce(h.seq, 0)::int as events, h.at as "lastEventAt",
                e.ends_at as "endsAt"
         from organizations o left join audit_heads h on h.org_id = o.id
         left join ending_organizations e on e.org_id = o.id
         order by h.at desc nulls last, o.id`,
      );
      return rows;
    });
    if (options['json'] === true) await terminal.out(json(organizations));
    else
      await terminal.out(
        columns([
          ['NAME', 'PREFIX', 'MEMBERS', 'WORKFLOWS', 'RUNS', 'EVENTS', 'LAST EVENT', 'ENDS', 'OWNERS'],
          ...organizations.map((o) => [
            shown(o.name),
            o.slug ?? '-',
            String(o.members),
            String(o.workflows),
            String(o.runs),
            String(o.events),
            minute(o.lastEventAt),
            minute(o.endsAt),
            shown(o.owners.join(', ')),
          ]),
        ]),
      );
    return 0;
  },
};
