import type { RunState, StepState } from '@stet/domain/runs';
import type { WorkflowContent } from '@stet/domain/workflows';
import { csvLine } from '@stet/presentation/csv';
import type { Tx } from '../../kernel/database.ts';
import { writeWorkflowFile } from '../../modules/files/write-workflow-file.ts';
import { SCHEMA_PATH } from '../../modules/files/file-schema.ts';
import { listStoredEvents } from '../../modules/audit/proof.sql.ts';
import { exportedName } from '../evidence-files.ts';
import {
  type ArchivedRow,
  listArchivedChunks,
  listArchivedPeople,
  listArchivedSteps,
  listColumns,
  rowsStatement,
} from './archive.sql.ts';
import { EXPORTED_TABLES } from './exported-tables.ts';

/** A transaction on one snapshot of the database, and the organization whose rows are read in it. */
export type Snapshot = { tx: Pick<Tx, 'many' | 'maybeOne'>; orgId: string };

const PAGE_BYTES = 4 * 1024 * 1024;
const MAX_ROWS = 2000;
const EVENTS = 500;
/** Number of chunks of a file that are read at once, 256 KiB each. */
const CHUNKS = 4;

type Json = Record<string, unknown>;

/** The rows of a table in pages of about 4 MiB and at most `MAX_ROWS` rows. */
export async function* pagesOf({ tx, orgId }: Snapshot, table: string): AsyncGenerator<ArchivedRow[]> {
  const columns = await tx.many(listColumns, { table });
  const omitted = EXPORTED_TABLES[table] ?? [];
  let after: string[] | null = null;
  // The first page is small, because a row can have several megabytes.
  for (let limit = 16; ;) {
    const page: ArchivedRow[] = await tx.many(rowsStatement(table, columns, { omitted, isFirst: after === null }), {
      orgId,
      after,
      limit,
    });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    if (page.length < limit || last.at.length === 0) return;
    const average = page.reduce((sum, { text }) => sum + text.length, 0) / page.length;
    limit = Math.max(1, Math.min(MAX_ROWS, Math.floor(PAGE_BYTES / Math.max(average, 1))));
    after = last.at;
  }
}

async function* rowsOf(snapshot: Snapshot, table: string): AsyncGenerator<Json> {
  for await (const page of pagesOf(snapshot, table)) for (const { text } of page) yield JSON.parse(text) as Json;
}

/** The rows of a table as JSON lines. `counted` is called with the number of rows of each page. */
export async function* tableLines(
  snapshot: Snapshot,
  table: string,
  counted: (rows: number) => void,
): AsyncGenerator<string> {
  for await (const page of pagesOf(snapshot, table)) {
    counted(page.length);
    yield page.map(({ text }) => `${text}\n`).join('');
  }
}

export type People = ReadonlyMap<string, { name: string; email: string; role: string | null; joinedAt: Date | null }>;

export async function readPeople({ tx, orgId }: Snapshot): Promise<People> {
  const rows = await tx.many(listArchivedPeople, { orgId });
  return new Map(rows.map(({ id, name, email, role, joined_at: joinedAt }) => [id, { name, email, role, joinedAt }]));
}

/**
 * A workflow with the folder of its files in the archive. `liveVersionId` is its live version or, if it was archived or
 * deleted, its last live version. Null if it never had one.
 */
export type ArchivedWorkflow = {
  id: string;
  key: string;
  title: string;
  folder: string;
  liveVersionId: string | null;
  state: 'live' | 'archived' | 'deleted' | 'not live';
};

/** All workflows, including deleted ones. Their folders have different names even on file systems that ignore case. */
export async function readWorkflows(snapshot: Snapshot): Promise<ArchivedWorkflow[]> {
  const used = new Set<string>();
  const workflows: ArchivedWorkflow[] = [];
  for await (const row of rowsOf(snapshot, 'workflows')) {
    const { id, key, title } = row as { id: string; key: string; title: string };
    const name = used.has(key.toLowerCase()) ? `${key}-${id.slice(-12)}` : key;
    used.add(name.toLowerCase());
    const liveVersionId = row['live_version_id'] as string | null;
    const state =
      row['deleted_at'] !== null
        ? 'deleted'
        : row['archived_at'] !== null
          ? 'archived'
          : liveVersionId === null
            ? 'not live'
            : 'live';
    workflows.push({ id, key, title, folder: `workflows/${name}`, liveVersionId, state });
  }
  return workflows.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/** The path of a version's or draft's file in the archive. */
const versionPath = (folder: string, id: string, version: unknown): string =>
  typeof version === 'number' ? `${folder}/v${version}.yaml` : `${folder}/draft-${id.slice(-12)}.yaml`;

/** Every version and draft as a workflow file. */
export async function* versionFiles(
  snapshot: Snapshot,
  workflows: readonly ArchivedWorkflow[],
): AsyncGenerator<{ path: string; text: string }> {
  const byId = new Map(workflows.map((workflow) => [workflow.id, workflow]));
  for await (const row of rowsOf(snapshot, 'workflow_versions')) {
    const workflow = byId.get(String(row['workflow_id']));
    if (!workflow) throw new Error(`version ${String(row['id'])} has no workflow`);
    const content = { metadata: row['metadata'], steps: row['steps'] } as WorkflowContent;
    yield {
      path: versionPath(workflow.folder, String(row['id']), row['version']),
      text: writeWorkflowFile(workflow.key, content, 'yaml', SCHEMA_PATH),
    };
  }
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
/** Converts milliseconds since 1970 to ISO 8601. */
const moment = (at: unknown): string => (typeof at === 'number' ? new Date(at).toISOString() : '');
const nameIn = (people: People, id: unknown): string => people.get(String(id))?.name ?? textOf(id);

export function* peopleCsv(people: People): Generator<string> {
  yield csvLine(['Id', 'Name', 'Email', 'Role', 'Joined At']);
  for (const [id, { name, email, role, joinedAt }] of people)
    yield csvLine([id, name, email, role ?? 'left', joinedAt?.toISOString() ?? '']);
}

export async function* groupsCsv(snapshot: Snapshot, people: People): AsyncGenerator<string> {
  const names = new Map<string, string>();
  for await (const { id, name } of rowsOf(snapshot, 'groups')) names.set(String(id), String(name));
  yield csvLine(['Group', 'Member', 'Email', 'Added At']);
  const isEmpty = new Set(names.keys());
  for await (const row of rowsOf(snapshot, 'group_members')) {
    const member = people.get(String(row['user_id']));
    isEmpty.delete(String(row['group_id']));
    yield csvLine([
      names.get(String(row['group_id'])) ?? '',
      member?.name ?? '',
      member?.email ?? '',
      textOf(row['added_at']),
    ]);
  }
  for (const id of isEmpty) yield csvLine([names.get(id) ?? '', '', '', '']);
}

export async function* versionsCsv(
  snapshot: Snapshot,
  workflows: readonly ArchivedWorkflow[],
  people: People,
): AsyncGenerator<string> {
  const byId = new Map(workflows.map((workflow) => [workflow.id, workflow]));
  yield csvLine([
    'Workflow Key',
    'Workflow',
    'Version',
    'Status',
    'Created By',
    'Merged By',
    'Merged At',
    'Content Hash',
    'File',
  ]);
  for await (const row of rowsOf(snapshot, 'workflow_versions')) {
    const { key = '', title = '', folder = '' } = byId.get(String(row['workflow_id'])) ?? {};
    yield csvLine([
      key,
      title,
      textOf(row['version']),
      textOf(row['status']),
      nameIn(people, row['created_by']),
      row['merged_by'] === null ? '' : nameIn(people, row['merged_by']),
      textOf(row['merged_at']),
      textOf(row['content_hash']),
      versionPath(folder, String(row['id']), row['version']),
    ]);
  }
}

export async function* runsCsv(snapshot: Snapshot, people: People): AsyncGenerator<string> {
  yield csvLine([
    'Run',
    'Run Name',
    'Workflow',
    'Workflow Key',
    'Version',
    'Status',
    'SLA',
    'Steps Completed',
    'Steps',
    'Started By',
    'Started At',
    'Ended At',
  ]);
  for await (const row of rowsOf(snapshot, 'runs'))
    yield csvLine([
      ...['id', 'name', 'workflow_title', 'workflow_key', 'version', 'status', 'sla_state'].map((name) =>
        textOf(row[name]),
      ),
      textOf(row['steps_completed']),
      textOf(row['steps_total']),
      nameIn(people, row['started_by']),
      textOf(row['created_at']),
      textOf(row['ended_at']),
    ]);
}

export async function* stepsCsv(snapshot: Snapshot): AsyncGenerator<string> {
  const { tx, orgId } = snapshot;
  yield csvLine([
    'Run',
    'Run Name',
    'Step',
    'Title',
    'Type',
    'Assignee',
    'State',
    'Active Since',
    'Ended At',
    'By',
    'Reason',
    'Output',
  ]);
  for await (const page of pagesOf(snapshot, 'runs')) {
    const runs = new Map(
      page.map(({ text }) => {
        const run = JSON.parse(text) as { id: string; name: string; state: RunState };
        return [run.id, run] as const;
      }),
    );
    const lines: string[] = [];
    for (const step of await tx.many(listArchivedSteps, { orgId, runIds: [...runs.keys()] })) {
      const { name = '', state } = runs.get(step.run_id) ?? {};
      lines.push(
        csvLine([
          step.run_id,
          name,
          step.step_id,
          step.title,
          step.type,
          step.assignee ?? '',
          ...stepCells(state?.steps[step.step_id]),
        ]),
      );
    }
    yield lines.join('');
  }
}

/** The cells of a step: state, active since, ended at, by, reason, output. */
function stepCells(step: StepState | undefined): string[] {
  switch (step?.state) {
    case undefined:
      return ['', '', '', '', '', ''];
    case 'waiting':
      return [step.state, '', '', '', '', ''];
    case 'active':
      return [step.state, moment(step.activatedAt), '', '', '', ''];
    case 'completed':
      return [step.state, moment(step.activatedAt), moment(step.completedAt), step.by.name, '', textOf(step.output)];
    case 'skipped':
      return [step.state, moment(step.clock?.activatedAt), moment(step.skippedAt), step.by.name, step.reason ?? '', ''];
    case 'failed':
      return [step.state, moment(step.activatedAt), moment(step.failedAt), '', step.reason, ''];
  }
}

export async function* filesCsv(snapshot: Snapshot, people: People): AsyncGenerator<string> {
  yield csvLine(['File', 'Name', 'Type', 'Size (bytes)', 'SHA-256', 'Run', 'Step', 'Uploaded By', 'Uploaded At']);
  for await (const row of completeFiles(snapshot))
    yield csvLine([
      row.path,
      row.name,
      row.mediaType,
      String(row.size),
      row.sha256,
      row.runId,
      row.stepId ?? '',
      nameIn(people, row.uploadedBy),
      row.createdAt,
    ]);
}

type ArchivedFile = {
  id: string;
  path: string;
  name: string;
  mediaType: string;
  size: number;
  sha256: string;
  runId: string;
  stepId: string | null;
  uploadedBy: string;
  createdAt: string;
};

/** The completely uploaded files, with the same names as in `stet audit files`. */
export async function* completeFiles(snapshot: Snapshot): AsyncGenerator<ArchivedFile> {
  for await (const row of rowsOf(snapshot, 'files')) {
    if (row['media_type'] === null) continue;
    const file = {
      id: String(row['id']),
      name: String(row['name']),
      mediaType: textOf(row['media_type']),
      size: Number(row['size']),
      sha256: String(row['sha256']).replace(/^\\x/, ''),
      runId: String(row['run_id']),
      stepId: row['step_id'] as string | null,
      uploadedBy: String(row['uploaded_by']),
      createdAt: String(row['created_at']),
    };
    yield { ...file, path: `files/${exportedName({ ...file, seq: 0, fileId: file.id })}` };
  }
}

export async function* bytesOfFile({ tx, orgId }: Snapshot, fileId: string): AsyncGenerator<Buffer> {
  for (let after = -1; ;) {
    const chunks = await tx.many(listArchivedChunks, { orgId, fileId, after, limit: CHUNKS });
    for (const { bytes } of chunks) yield bytes;
    const last = chunks.at(-1);
    if (!last || chunks.length < CHUNKS) return;
    after = last.n;
  }
}

type StoredRecord = { actor?: { name?: string }; data?: Json };

async function* recordsOf(
  { tx, orgId }: Snapshot,
  events: number,
): AsyncGenerator<{
  seq: number;
  at: number;
  action: string;
  subject: string;
  runId: string | null;
  record: StoredRecord;
}> {
  for (let from = 1; from <= events; from += EVENTS) {
    const rows = await tx.many(listStoredEvents, { orgId, from, to: Math.min(from + EVENTS - 1, events), runId: null });
    for (const { seq, at, action, subject_type, subject_id, run_id: runId, payload } of rows) {
      const record = payload === null ? {} : (JSON.parse(payload) as StoredRecord);
      yield { seq, at, action, subject: `${subject_type} ${subject_id}`, runId, record };
    }
  }
}

/** Converts microseconds since 1970 to ISO 8601 with milliseconds. */
const microMoment = (at: number): string => new Date(Math.floor(at / 1000)).toISOString();

export async function* eventsCsv(snapshot: Snapshot, events: number): AsyncGenerator<string> {
  yield csvLine(['Event', 'At', 'By', 'Action', 'Subject', 'Run', 'Data']);
  for await (const { seq, at, action, subject, runId, record } of recordsOf(snapshot, events))
    yield csvLine([
      String(seq),
      microMoment(at),
      record.actor?.name ?? '',
      action,
      subject,
      runId ?? '',
      textOf(record.data),
    ]);
}

export async function* notesCsv(snapshot: Snapshot, events: number): AsyncGenerator<string> {
  yield csvLine(['Event', 'At', 'By', 'Run', 'Step', 'Text', 'Files']);
  for await (const { seq, at, action, runId, record } of recordsOf(snapshot, events)) {
    if (action !== 'note.added') continue;
    // An erased note has no data.
    const {
      stepId,
      text,
      files = [],
    } = (record.data ?? {}) as { stepId?: string | null; text?: string; files?: { fileId: string; name: string }[] };
    const named = files.map(({ fileId, name }) => `${name} (${fileId})`).join('; ');
    yield csvLine([
      String(seq),
      microMoment(at),
      record.actor?.name ?? '',
      runId ?? '',
      stepId ?? '',
      text ?? '',
      named,
    ]);
  }
}
