import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Deps } from '../../kernel/deps.ts';

/** Maximum number of rows that one statement deletes. A row can be a chunk of a file with 256 KiB. */
const PIECE = 200;

/**
 * Records the end dates that have passed. Removes those that are in the future again because the clock was set back.
 */
const notePassedEnds = statement({
  name: 'note_passed_ends',
  params: [],
  text: `select from note_passed_ends()`,
});

const listEnded = statement({
  name: 'list_ended_organizations',
  params: [],
  row: z.object({ org_id: z.uuid(), name: z.string() }),
  text: `select org_id, name from ended_organizations()`,
});

/**
 * The tables with a column for the organization (except `ending_organizations`), each with those that it references.
 */
const listTables = statement({
  name: 'list_tables_with_organization',
  params: [],
  row: z.object({ name: z.string(), references: z.custom<string[]>() }),
  text: `select c.relname::text as name,
                array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
                      where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid) as references
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
         where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'ending_organizations'
         order by 1`,
});

const deleteRows = statement({
  name: 'delete_ended_rows',
  params: ['orgId', 'table', 'most'],
  row: z.object({ deleted: z.number().int() }),
  text: `select delete_ended_rows($1, $2, $3) as deleted`,
});

const deleteOrganization = statement({
  name: 'delete_ended_organization',
  params: ['orgId'],
  row: z.object({ deleted: z.boolean() }),
  text: `select delete_ended_organization($1) as deleted`,
});

// These tables come first. Without tasks, a membership that ends creates no tasks for others. Without members, nobody
// can work in the organization. Without its head, the trail isn't sealed or verified while its events are being
// deleted.
const FIRST = ['run_tasks', 'memberships', 'audit_heads', 'audit_verifications'];

/**
 * Deletes all data of the organizations whose end has passed, each statement in a separate transaction. If the job is
 * interrupted, the next run continues. Concurrent runs don't disturb each other. The deletion begins a day after the
 * job first saw that the date had passed, so that someone can set the clock back if it jumped ahead.
 */
export async function endOrganizations({ db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>): Promise<void> {
  await db.query(notePassedEnds, {});
  for (const { org_id: orgId, name } of await db.query(listEnded, {})) {
    const tables = [...FIRST, ...referencingFirst(await db.query(listTables, {}))];
    let rows = 0;
    // Deleting rows can make triggers write others, so this ends with a pass that finds nothing.
    for (let before = -1; before < rows;) {
      before = rows;
      for (const table of tables) rows += await deleteAll(db, orgId, table);
    }
    const [deleted] = await db.query(deleteOrganization, { orgId });
    if (deleted?.deleted !== true) continue;
    for (const file of [`${orgId}.txt`, `${orgId}.set-aside.txt`])
      await rm(join(config.dataDir, 'checkpoints', file), { force: true });
    log.info({ orgId, name, rows }, 'an organization was deleted');
  }
}

async function deleteAll(db: Deps['db'], orgId: string, table: string): Promise<number> {
  for (let rows = 0; ;) {
    const [piece] = await db.query(deleteRows, { orgId, table, most: PIECE });
    if (!piece || piece.deleted === 0) return rows;
    rows += piece.deleted;
  }
}

/** Sorts table names so that each table comes before those that it references. */
export function referencingFirst(tables: readonly { name: string; references: readonly string[] }[]): string[] {
  const ordered: string[] = [];
  let rest = [...tables];
  while (rest.length > 0) {
    const free = rest.filter(({ name }) => !rest.some((other) => other.references.includes(name)));
    if (free.length === 0) throw new Error(`tables reference each other: ${rest.map(({ name }) => name).join(', ')}`);
    ordered.push(...free.map(({ name }) => name));
    rest = rest.filter((table) => !free.includes(table));
  }
  return ordered;
}
