import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SYSTEM_ACTOR, signNote, writeNoteKey } from '@stet/domain/audit';
import { openLog } from '../../kernel/log.ts';
import { assertKeys } from '../../modules/audit/assert-keys.ts';
import { openAuditMac } from '../../modules/audit/audit-mac.ts';
import { openAuditSigner } from '../../modules/audit/audit-signer.ts';
import { wholeTrail } from '../../modules/audit/export-bundle.ts';
import { appendAudit, verifyForExport } from '../../modules/audit/index.ts';
import { findAuditHead } from '../../modules/audit/proof.sql.ts';
import { sealOrAlarm } from '../../modules/audit/seal-trails.job.ts';
import { version, versionInWords } from '../../version.ts';
import { type Administration, administer, findOrganizationOrRefuse } from '../admin/administration.ts';
import { counted, json, shown } from '../client/shown.ts';
import { type Command, CommandProblem } from '../command.ts';
import {
  type ArchivedWorkflow,
  type Snapshot,
  bytesOfFile,
  completeFiles,
  eventsCsv,
  filesCsv,
  groupsCsv,
  notesCsv,
  peopleCsv,
  readPeople,
  readWorkflows,
  runsCsv,
  stepsCsv,
  tableLines,
  versionFiles,
  versionsCsv,
} from './archive-content.ts';
import { type Facts, indexPage, readme } from './archive-pages.ts';
import { findArchivedOrganization, listLiveVersions } from './archive.sql.ts';
import { EXPORTED_TABLES } from './exported-tables.ts';
import {
  ARCHIVE_FORMAT,
  MANIFEST,
  SIGNATURE,
  SUMS,
  type Summed,
  TRAIL,
  signedText,
  sumLine,
} from './organization-archive.ts';
import { type Content, type TarWriter, openTarWriter } from './tar-writer.ts';

const HELP = `Usage: stet organization export PREFIX FILE|FOLDER [--force] [--json]

Writes the data of the organization with this URL prefix (or id) to one tar archive: workflows with all versions and
drafts, runs with steps, outputs and notes, members and groups, attached files, and the audit trail with its proofs. All
parts show the same moment, and people can continue to work. If you give a folder, the name of the archive contains the
prefix and the time.

You don't need Stet to read the archive: README.txt explains it, index.html and the .csv files are for people. It contains
no passwords, tokens or other secrets, and can't be restored; use stet backup for that. It contains personal data, so its
permissions let only you read it. The organization's audit trail records the export.

stet organization verify checks an archive without a server or a database.

Options:
  --force     replace an existing file
  --json      print the result as JSON
  -h, --help  show this help

Exit codes:
  0  done; the complete archive is on disk
  1  failed; the reason is on standard error, and no file was created
  2  invalid arguments

Example: stet organization export acme /exports/
`;

export const organizationExport: Command = {
  name: 'organization export',
  summary: 'Export one organization’s data to an archive that people can read without Stet',
  help: HELP,
  options: { force: { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: { min: 2, max: 2 },
  run: async ({ positionals: [prefix = '', target = ''], options }, terminal) => {
    const exported = await administer(terminal.env, async (admin) => {
      const organization = await findOrganizationOrRefuse(admin.client, prefix);
      const file = fileAt(target, organization.slug ?? organization.id);
      const replace = options['force'] === true;
      if (existsSync(file) && !replace) throw new CommandProblem(`${file} already exists. Use --force to replace it.`);
      return exportOrganization(admin, organization.id, { file, replace });
    });
    const { file, bytes, files, counts } = exported;
    if (options['json'] === true) await terminal.out(json(exported));
    else
      terminal.say(
        shown(
          `${file}: ${counted(files, 'file')}, ${counted(bytes, 'byte')}; ${counted(counts['workflows'] ?? 0, 'workflow')}, ${counted(counts['runs'] ?? 0, 'run')}, ${counted(counts['attachedFiles'] ?? 0, 'attached file')}, ${counted(counts['events'] ?? 0, 'event')}.`,
        ),
      );
    return 0;
  },
};

function fileAt(target: string, name: string): string {
  const isFolder = target.endsWith('/') || (existsSync(target) && statSync(target).isDirectory());
  const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  return isFolder ? join(target, `stet-organization-${name}-${time}.tar`) : target;
}

export type ExportedOrganization = { file: string; bytes: number; files: number; counts: Record<string, number> };

/**
 * Writes the archive of an organization. Before the snapshot begins, the export is recorded, and the trail is verified
 * and sealed. If writing fails, no file remains.
 */
export async function exportOrganization(
  { config, client, db }: Pick<Administration, 'config' | 'client' | 'db'>,
  orgId: string,
  { file, replace }: { file: string; replace: boolean },
): Promise<ExportedOrganization> {
  const log = openLog('silent');
  await assertKeys(client, config, log).catch((error: Error) => {
    throw new CommandProblem(error.message);
  });
  const auditSigner = openAuditSigner(config.dataDir);
  const auditMac = openAuditMac(config.dataDir, auditSigner);
  const deps = { db, config, auditSigner, auditMac, log };
  const now = new Date();
  const archive = await openTarWriter(file, { replace, at: Math.floor(now.getTime() / 1000) });
  try {
    const last = await recordExport(db, orgId);
    const verification = await verifyForExport(deps, orgId, { first: 1, last, runId: null });
    await sealOrAlarm(deps, orgId);
    return await db.snapshot({ orgId, userId: null }, async (tx) => {
      const exportedBy = { id: SYSTEM_ACTOR.id, name: 'an administrator of the installation', email: '' };
      const trail = await wholeTrail(tx, deps, { orgId, exportedBy, verification });
      const key = auditSigner.keyOf(orgId);
      const written = openSummedArchive(archive);
      const counts = await writeContent({ tx, orgId }, written.add, {
        trail,
        exportedAt: now.toISOString(),
        key: writeNoteKey(key),
      });
      const sums = await archive.add(SUMS, written.sums.map(sumLine));
      const note = signNote(signedText(orgId, sums.sha256), key, auditSigner.sign);
      await archive.add(SIGNATURE, [note]);
      return { file, bytes: await archive.finish(), files: written.sums.length + 2, counts };
    });
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

/** Records the export in the trail. Returns the event's number if no other event is appended at the same time. */
function recordExport(db: Administration['db'], orgId: string): Promise<number> {
  return db.transaction({ orgId, userId: null }, async (tx) => {
    const head = await tx.maybeOne(findAuditHead, { orgId });
    const [seq, hash] = head ? [head.seq, head.hash.toString('hex')] : [0, null];
    const data = { format: 'archive', events: seq, headSeq: seq, headHash: hash, by: 'administrator' };
    appendAudit(tx, [{ actor: SYSTEM_ACTOR, action: 'audit.exported', subject: { type: 'audit', id: orgId }, data }]);
    return seq + 1;
  });
}

/** Adds files and records their digests. */
function openSummedArchive(archive: TarWriter): {
  add: (path: string, content: Content) => Promise<void>;
  sums: Summed[];
} {
  const sums: Summed[] = [];
  return {
    sums,
    add: async (path, content) => {
      const { sha256 } = await archive.add(path, content);
      sums.push({ path, sha256 });
    },
  };
}

type Given = { trail: Awaited<ReturnType<typeof wholeTrail>>; exportedAt: string; key: string };

/**
 * Writes everything except the digests and their signature. Returns the number of rows by table, and the numbers of
 * people, files and events.
 */
async function writeContent(
  snapshot: Snapshot,
  add: (path: string, content: Content) => Promise<void>,
  { trail, exportedAt, key }: Given,
): Promise<Record<string, number>> {
  const { tx, orgId } = snapshot;
  const found = await tx.maybeOne(findArchivedOrganization, { orgId });
  if (!found) throw new CommandProblem('The organization no longer exists.');
  const { events } = trail;
  const counts: Record<string, number> = { events };
  const about = {
    organization: { id: orgId, name: found.name, slug: found.slug },
    exportedAt,
    stet: versionInWords(version),
  };
  await add('README.txt', [readme(about)]);

  const [people, workflows] = [await readPeople(snapshot), await readWorkflows(snapshot)];
  await add('people.csv', peopleCsv(people));
  await add('groups.csv', groupsCsv(snapshot, people));
  await add('versions.csv', versionsCsv(snapshot, workflows, people));
  for await (const { path, text } of versionFiles(snapshot, workflows)) await add(path, [text]);
  await add('runs.csv', runsCsv(snapshot, people));
  await add('steps.csv', stepsCsv(snapshot));
  await add('notes.csv', notesCsv(snapshot, events));
  await add('files.csv', filesCsv(snapshot, people));
  let attachedFiles = 0;
  for await (const { id, path } of completeFiles(snapshot)) {
    await add(path, bytesOfFile(snapshot, id));
    attachedFiles += 1;
  }
  await add('events.csv', eventsCsv(snapshot, events));
  await add(TRAIL, trail.lines);
  await add('audit/key.txt', [`${key}\n`]);
  await add('audit/checkpoints.txt', textsOf(trail.checkpoints));
  await add('data/organizations.ndjson', [`${found.text}\n`]);
  for (const table of Object.keys(EXPORTED_TABLES)) {
    counts[table] = 0;
    const lines = tableLines(snapshot, table, (rows) => (counts[table] = (counts[table] ?? 0) + rows));
    await add(`data/${table}.ndjson`, lines);
  }
  Object.assign(counts, { people: people.size, attachedFiles });
  await add(
    'index.html',
    indexPage({ ...about, counts } satisfies Facts, people, await withLiveFiles(snapshot, workflows)),
  );
  await add(MANIFEST, [`${JSON.stringify({ format: ARCHIVE_FORMAT, ...about, counts }, null, 2)}\n`]);
  return counts;
}

/** The notes as text, with an empty line after each. */
async function* textsOf(checkpoints: AsyncGenerator<string[]>): AsyncGenerator<string> {
  for await (const notes of checkpoints) yield notes.map((note) => `${note}\n`).join('');
}

async function withLiveFiles(
  { tx, orgId }: Snapshot,
  workflows: readonly ArchivedWorkflow[],
): Promise<(ArchivedWorkflow & { file: string | null })[]> {
  const live = new Map((await tx.many(listLiveVersions, { orgId })).map(({ id, version: n }) => [id, n]));
  return workflows.map((workflow) => {
    const number = workflow.liveVersionId === null ? undefined : live.get(workflow.liveVersionId);
    return { ...workflow, file: number === undefined ? null : `${workflow.folder}/v${number}.yaml` };
  });
}
