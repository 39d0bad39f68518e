import { BadConfiguration, type Config, readConfig } from '../../kernel/config.ts';
import { columns, json, shown } from '../client/shown.ts';
import { type Command, CommandProblem, type Terminal } from '../command.ts';
import { EmbeddedPostgresProblem } from '../../db/embedded/problem.ts';
import { withInstallation } from '../installation-database.ts';
import { readLastBackup, type LastBackup } from '../../kernel/last-backup.ts';
import { checkDatabase, hasTrails } from './check-database.ts';
import { checkDataDirectory, checkDisk, checkKeys, checkNode, checkPublicUrl } from './check-machine.ts';
import { checkMail, checkProvider, checkSlack } from './check-services.ts';
import { type Finding, failure, fine, warning } from './finding.ts';

const HELP = `Usage: stet doctor [--json]

Checks an installation, and reports problems and how to fix them. Run it on the server's machine, with the server's
environment. It checks Node, settings, PUBLIC_URL, database, migrations, rights, clock, job queue, audit trails, data
directory, keys, backup, mail, Slack, sign-in and disk. It changes nothing and sends nothing. If no server is running, it
starts the embedded database for the duration of the check.

Options:
  --json      print the findings as JSON
  -h, --help  show this help

Exit codes:
  0  no problems; there may be warnings
  1  problems found
  2  invalid arguments

Example: stet doctor
`;

const SIGNS: Record<Finding['state'], string> = { ok: 'ok', warning: 'WARNING', failure: 'FAILURE' };

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check an installation and report problems',
  help: HELP,
  options: { json: { type: 'boolean' } },
  run: async ({ options }, terminal) => {
    const findings = await findingsOf(terminal.env);
    if (options['json'] === true) await terminal.out(json(findings));
    else
      await terminal.out(
        columns(
          findings.map(({ check, state, sentence }) => [SIGNS[state], check, shown(sentence).replaceAll('\n', ' ')]),
        ),
      );
    return findings.some(({ state }) => state === 'failure') ? 1 : 0;
  },
};

async function findingsOf(env: Terminal['env']): Promise<Finding[]> {
  const settings = settingsOf(env);
  if (!settings.ok) return [checkNode(), ...settings.findings];
  const { config } = settings;
  const database = await databaseOf(config);
  // If the database can't be used, the checks of the machine and of services still run.
  return [
    checkNode(),
    fine('settings', 'All settings are valid.'),
    checkPublicUrl(config),
    ...database.findings,
    await checkDataDirectory(config, database.isUsed),
    ...checkKeys(config, database.isUsed),
    ...(database.isUsed === true ? [backupFinding(readLastBackup(config.dataDir), Date.now())] : []),
    await checkMail(config),
    await checkSlack(env),
    await checkProvider(config),
    await checkDisk(config),
  ];
}

function settingsOf(env: Terminal['env']): { ok: true; config: Config } | { ok: false; findings: Finding[] } {
  try {
    return { ok: true, config: readConfig(env) };
  } catch (error) {
    if (!(error instanceof BadConfiguration)) throw error;
    return { ok: false, findings: error.problems.map((problem) => failure('settings', `${problem}.`)) };
  }
}

/** `isUsed` is true if a server has already recorded audit events in the database; null if it can't be read. */
async function databaseOf(config: Config): Promise<{ findings: Finding[]; isUsed: boolean | null }> {
  try {
    return await withInstallation(config, async (client) => ({
      findings: await checkDatabase(client, config),
      isUsed: await hasTrails(client),
    }));
  } catch (error) {
    if (!(error instanceof CommandProblem || error instanceof EmbeddedPostgresProblem)) throw error;
    return { findings: [failure('database', error.message)], isUsed: null };
  }
}

const HOUR_MS = 3_600_000;
/** The maximum age of the last backup. A nightly backup may take some hours and start late. */
const RECENT_MS = 36 * HOUR_MS;

/**
 * Reports if the last backup failed, is old or was not verified, or if there is none.
 * @param now milliseconds since 1970
 */
function backupFinding({ success, failure }: LastBackup, now: number): Finding {
  if (failure) return warning('backup', `The last backup (${failure.at}) failed: ${failure.problem.split('\n', 1)[0]}`);
  if (!success) return warning('backup', 'No backup has been made yet. Run: stet backup FOLDER --verify');
  const hours = Math.floor((now - Date.parse(success.at)) / HOUR_MS);
  const last = `The last backup was made ${hours < 48 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${Math.floor(hours / 24)} days`} ago`;
  if (now - Date.parse(success.at) > RECENT_MS) return warning('backup', `${last}. Is the timer still running?`);
  if (!success.verified) return warning('backup', `${last} and was not verified. Add --verify.`);
  return fine('backup', `${last} and was verified: ${success.file}.`);
}
