import { Readable } from 'node:stream';
import type { Handler } from '../../http/handler.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { type RunCursor, type RunFilter, findRuns } from './find-runs.ts';
import { presentListedRun } from './run.presenter.ts';
import { readClock } from './runs.sql.ts';
import { type RunRecord, csvHead, csvRow } from './runs.csv.ts';

const PAGE = 500;

/** The listed runs as a CSV file, page by page: a million of them fit no memory, and nobody waits for the last. */
export const exportRuns: Handler<'GET /api/runs/export.csv'> = async ({ db }, { actor, query }) => {
  const pages = recordsOf(db, actor, query);
  // What is refused has to be refused before the first byte.
  const first = await pages.next();
  const lines = async function* (): AsyncGenerator<string> {
    // The mark tells spreadsheets that what follows is UTF-8.
    yield `\u{feff}${csvHead()}`;
    if (!first.done) yield first.value.map(csvRow).join('');
    for await (const page of pages) yield page.map(csvRow).join('');
  };
  return answer(Readable.from(lines()), { 'content-disposition': 'attachment; filename="runs.csv"' });
};

async function* recordsOf(db: Deps['db'], tenant: OrgActor, filter: RunFilter): AsyncGenerator<RunRecord[]> {
  let after: RunCursor | null = null;
  for (;;) {
    const page = await readPage(db, tenant, filter, after);
    yield page.records;
    if (!page.next) return;
    after = page.next;
  }
}

async function readPage(
  db: Deps['db'],
  tenant: OrgActor,
  filter: RunFilter,
  after: RunCursor | null,
): Promise<{ records: RunRecord[]; next: RunCursor | null }> {
  const [rows, clock] = await db.transaction(tenant, (tx) =>
    Promise.all([findRuns(tx, tenant.orgId, filter, { limit: PAGE, after }), tx.maybeOne(readClock, {})]),
  );
  const last = rows.length === PAGE ? rows.at(-1) : undefined;
  return {
    records: rows.map((row) => presentListedRun(row, clock?.now ?? 0)),
    next: last ? { at: last.created_at.toISOString(), id: last.id } : null,
  };
}
