import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { appendAudit } from './append-audit.ts';
import type { Deps } from '../../kernel/deps.ts';
import { storedRows } from './governing-rows.ts';
import { listTrailSizes } from './proof.sql.ts';
import { sealOrAlarm } from './seal-trails.job.ts';
import { runRows } from './verify-rows.ts';

const ROWS_AN_EVENT = 500;

/**
 * The first start with MACs signs a checkpoint over each trail, records the existing rows, and saves the number of
 * events without a MAC outside the database. Later starts do nothing here.
 */
export async function saveMacBoundary(deps: Deps): Promise<void> {
  if (deps.auditMac.hasBoundary()) return;
  const sizes = new Map<string, number>();
  for (const { org_id, size } of await deps.db.query(listTrailSizes, {})) {
    await sealOrAlarm(deps, org_id);
    await recordRows(deps, org_id);
    sizes.set(org_id, size);
  }
  deps.auditMac.saveBoundary(sizes);
}

/** Records the existing rows in the trail, because older events lack some of the data that comparisons need. */
export async function recordRows({ db }: Deps, orgId: string): Promise<void> {
  const tenant = { orgId, userId: null };
  let part = 0;
  let rows: [string, unknown][] = [...(await db.snapshot(tenant, (tx) => storedRows(tx, orgId)))];
  const append = (): Promise<void> =>
    db.transaction(tenant, async (tx) => {
      part += 1;
      const data = { part, rows: Object.fromEntries(rows.splice(0, ROWS_AN_EVENT)) };
      const subject = { type: 'organization', id: orgId } as const;
      appendAudit(tx, [{ actor: SYSTEM_ACTOR, action: 'installation.upgraded', subject, data }]);
    });
  for (let after: string | undefined; ;) {
    const page = await db.snapshot(tenant, (tx) => runRows(tx, orgId, after));
    rows = [...rows, ...page.map(([id, digest]): [string, unknown] => [`run:${id}`, digest])];
    after = page.at(-1)?.[0];
    while (rows.length >= ROWS_AN_EVENT) await append();
    if (after === undefined) break;
  }
  if (rows.length > 0 || part === 0) await append();
}
