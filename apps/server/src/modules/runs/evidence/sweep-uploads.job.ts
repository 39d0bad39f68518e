import type { Deps } from '../../../kernel/deps.ts';
import { deleteStaleUploads, listOrganizationsWithStaleUploads } from './files.sql.ts';

/** Long enough to continue an upload the next day, and to submit a form a week after its files were uploaded. */
const STALE = { unfinishedHours: 48, unusedDays: 14 };

/** Deletes uploads that weren't finished, or attached to a step or note, within these times. Releases their space. */
export async function sweepUploads({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (const { org_id: orgId } of await db.query(listOrganizationsWithStaleUploads, STALE))
    await db.transaction({ orgId, userId: null }, async (tx) => tx.write(deleteStaleUploads, { orgId, ...STALE }));
}
