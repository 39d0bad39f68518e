import { Readable } from 'node:stream';
import type { QueryOf } from '@stet/contract';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { csvLine } from '@stet/presentation/csv';
import type { Tx } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import { appendAudit, verifyForExport } from '../audit/index.ts';
import { type RunCursor, findRuns } from './find-runs.ts';
import { listRunsByIds } from './list-runs.sql.ts';
import { presentListedRun } from './run.presenter.ts';
import { readClock } from './runs.sql.ts';
import { type RunRecord, csvHead, csvRow } from './runs.csv.ts';

const PAGE = 500;
/** An empty range, because the file contains no audit events. */
const NO_EVENTS = { first: 1, last: 0, runId: null };

/**
 * Exports the listed runs as a CSV file, page by page, because a million runs don't fit into memory. Before the first
 * byte, it records the export and verifies the part of the trail that was added after the last complete verification.
 * If the trail is broken, a header and the first line of the file say so.
 */
export const exportRuns: Handler<'GET /api/runs/export.csv'> = async (deps, { actor, query }) => {
  const { db } = deps;
  const pages = recordsOf(db, actor, query);
  // Reads the first page now, because a refusal has to be sent before the first byte.
  const first = await pages.next();
  // A search term can be a person's name, so the event only says whether there was one.
  const { q, ids, ...filter } = query;
  const chosen = ids && !first.done ? { ids: first.value.map(({ id }) => id) } : {};
  await db.transaction(actor, async (tx) =>
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'organization.runs_exported',
        subject: { type: 'organization', id: actor.orgId },
        data: { format: 'csv', filter: { ...filter, ...chosen }, searched: q !== undefined },
      },
    ]),
  );
  const { verified, sentence } = await verifyForExport(deps, actor.orgId, NO_EVENTS);
  const lines = async function* (): AsyncGenerator<string> {
    // The byte order mark makes spreadsheets read the file as UTF-8.
    yield '\u{feff}';
    // A saved file has no HTTP headers, so its first line contains the warning too.
    if (sentence !== null) yield csvLine([`BROKEN: this is not what was recorded. ${sentence}`]);
    yield csvHead();
    if (!first.done) yield first.value.map(csvRow).join('');
    for await (const page of pages) yield page.map(csvRow).join('');
  };
  return answer(Readable.from(lines()), {
    'content-disposition': 'attachment; filename="runs.csv"',
    'x-stet-verified': sentence === null ? (verified?.at ?? 'never') : 'broken',
  });
};

async function* recordsOf(
  db: Deps['db'],
  tenant: OrgActor,
  { ids, ...filter }: QueryOf<'GET /api/runs/export.csv'>,
): AsyncGenerator<RunRecord[]> {
  let after: RunCursor | null = null;
  do {
    const page: Page = await readPage(db, tenant, (tx) =>
      ids ? findByIds(tx, tenant.orgId, ids) : findRuns(tx, tenant.orgId, filter, { limit: PAGE, after }),
    );
    yield page.records;
    after = page.next;
  } while (after);
}

const findByIds = async (tx: Tx, orgId: string, runIds: readonly string[]) => ({
  rows: await tx.many(listRunsByIds, { orgId, runIds }),
  next: null,
});

type Page = { records: RunRecord[]; next: RunCursor | null };

async function readPage(
  db: Deps['db'],
  tenant: OrgActor,
  find: (tx: Tx) => ReturnType<typeof findRuns>,
): Promise<Page> {
  const [{ rows, next }, clock] = await db.transaction(tenant, (tx) =>
    Promise.all([find(tx), tx.maybeOne(readClock, {})]),
  );
  return { records: rows.map((row) => presentListedRun(row, clock?.now ?? 0)), next };
}
