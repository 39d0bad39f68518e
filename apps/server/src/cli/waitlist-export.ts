import { once } from 'node:events';
import { type WriteStream, createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { readConfig } from '../kernel/config.ts';
import { type Command, CommandProblem, type Terminal } from './command.ts';
import { csvLine } from '@stet/presentation/csv';
import { withInstallation } from './installation-database.ts';

const HELP = `Usage: npm run -s stet -- waitlist export [--applications] [--out FILE]

Writes the waitlist as CSV, oldest entry first, to standard output or a file. It reads the installation's database
(DATABASE_URL, or DATA_DIR if that isn't set, like npm start), whether or not the server is running.

Options:
  --applications  export the applications for the priority list instead
  --out FILE      write to FILE, readable only by you, instead of standard output
  -h, --help      show this help

Every cell is quoted. Text that a spreadsheet could read as a formula (= + - @ tab, carriage return) gets an apostrophe in
front, at the start of a cell and after a separator within it.
Without -s, npm prints two lines of its own before the CSV.

Example: npm run -s stet -- waitlist export --out waitlist.csv
`;

type Export = { noun: (count: number) => string; text: string };

const moment = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const WAITLIST: Export = {
  noun: () => 'on the waitlist',
  text: `select email, ${moment('created_at')} as joined_at from waitlist order by created_at, email`,
};
const APPLICATIONS: Export = {
  noun: (count) => (count === 1 ? 'application' : 'applications'),
  text: `select email, role, other_role, array_to_string(documentation_tools, '; ') as documentation_tools, other_documentation_tool,
           array_to_string(team_tools, '; ') as team_tools, other_team_tool, frustrations, process_types, collaboration_size,
           frequency, ${moment('created_at')} as applied_at, ${moment('updated_at')} as updated_at
         from priority_applications order by created_at, email`,
};
const BATCH = 1000;
const NO_SUCH_TABLE = '42P01';

export const waitlistExport: Command = {
  name: 'waitlist export',
  summary: 'Export the waitlist, or the applications for the priority list, as CSV',
  help: HELP,
  options: { applications: { type: 'boolean' }, out: { type: 'string' } },
  run: async ({ options }, terminal) => {
    const what = options['applications'] === true ? APPLICATIONS : WAITLIST;
    const file = typeof options['out'] === 'string' ? options['out'] : null;
    const lines = await withInstallation(readConfig(terminal.env), (client) =>
      file === null ? write(client, what, terminal.out) : writeFile(client, what, file),
    );
    terminal.say(`${lines} ${what.noun(lines)}${file === null ? '' : `, written to ${file}`}`);
    return 0;
  },
};

/**
 * Reads the list from a single snapshot through a cursor, so that it is never completely in memory. Returns the number
 * of entries.
 */
async function write(client: pg.Client, { text }: Export, out: Terminal['out']): Promise<number> {
  try {
    await client.query(`begin read only; declare entries cursor for ${text}`);
    let lines = 0;
    for (;;) {
      const { rows, fields } = await client.query<string[]>({ text: `fetch ${BATCH} from entries`, rowMode: 'array' });
      if (lines === 0) await out(csvLine(fields.map(({ name }) => name)));
      if (rows.length === 0) return lines;
      await out(rows.map(csvLine).join(''));
      lines += rows.length;
    }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === NO_SUCH_TABLE)) throw error;
    throw new CommandProblem(
      'This database contains no Stet installation, or one of an older version. Check DATABASE_URL and DATA_DIR. If they are right, start this version of Stet once.',
    );
  }
}

async function writeFile(client: pg.Client, what: Export, file: string): Promise<number> {
  const stream: WriteStream = createWriteStream(file, { mode: 0o600 });
  await once(stream, 'open').catch((error: Error) => {
    throw new CommandProblem(`${file} can't be written: ${error.message}`);
  });
  const lines = await write(client, what, async (text) => {
    if (!stream.write(text)) await once(stream, 'drain');
  });
  stream.end();
  await finished(stream);
  return lines;
}
