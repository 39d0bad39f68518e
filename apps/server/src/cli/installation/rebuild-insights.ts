import { openPool } from '../../db/pool.ts';
import { refusalOf } from '../../db/refusal-of.ts';
import { openDatabase } from '../../db/transaction.ts';
import { readConfig } from '../../kernel/config.ts';
import { recount } from '../../modules/insights/follow-trail.ts';
import { counted, json } from '../client/shown.ts';
import type { Command } from '../command.ts';
import { withInstallation } from '../installation-database.ts';

/** Number of events per transaction. A larger number means fewer changes of the same figures, but needs more memory. */
const CHUNK = 20_000;

const HELP = `Usage: stet insights rebuild [--json]

Counts the figures of all runs again from the audit trail, for example after an upgrade whose notes say so. A server
can run meanwhile: people see the figures up to the event that was counted last, with its time.

Options:
  --json      print the number of organizations and events as JSON
  -h, --help  show this help

Exit codes:
  0  done
  1  failed; the reason is on standard error
  2  invalid arguments

Example: stet insights rebuild
`;

export const insightsRebuild: Command = {
  name: 'insights rebuild',
  summary: 'Count the figures of all runs again from the audit trail',
  help: HELP,
  options: { json: { type: 'boolean' } },
  run: async ({ options }, terminal) => {
    const done = await withInstallation(readConfig(terminal.env), async (client, connection) => {
      const { rows } = await client.query<{ id: string }>('select id from organizations order by id');
      const db = openDatabase(openPool(connection, { size: 2, onError: () => {} }), refusalOf);
      try {
        let events = 0;
        for (const { id } of rows) events += await recount({ db }, id, CHUNK);
        return { organizations: rows.length, events };
      } finally {
        await db.close();
      }
    });
    if (options['json'] === true) await terminal.out(json(done));
    else terminal.say(`Counted ${counted(done.events, 'event')} of ${counted(done.organizations, 'organization')}.`);
    return 0;
  },
};
