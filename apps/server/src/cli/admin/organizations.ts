import { EVERYTHING, listOrganizations } from '../../modules/administration/lists.ts';
import { columns, json, shown } from '../client/shown.ts';
import type { Command } from '../command.ts';
import { administer, minute } from './administration.ts';

const HELP = `Usage: stet admin organizations [--json]

Lists all organizations, most recently used first: members, owners, workflows, runs, audit events, and the times (in
UTC) of the last event and of the organization's end, if it ends.

Options:
  --json      print the list as JSON
  -h, --help  show this help
`;

export const adminOrganizations: Command = {
  name: 'admin organizations',
  summary: 'List organizations with their size and last activity',
  help: HELP,
  options: { json: { type: 'boolean' } },
  run: async ({ options }, terminal) => {
    const found = await administer(terminal.env, ({ query }) => listOrganizations(query, EVERYTHING));
    const organizations = found.toSorted((one, other) => Number(other.lastEventAt) - Number(one.lastEventAt));
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
