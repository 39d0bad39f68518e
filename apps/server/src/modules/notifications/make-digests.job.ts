import { DIGEST_ZONE, lastDigest } from '@stet/domain/notifications';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import {
  dropUndeliverableItems,
  findDigestClock,
  listOrganizationsWithDigestItems,
  makeDigests as make,
} from './digest.sql.ts';
import { digestJob } from './send-digest.job.ts';

/**
 * Collects each person's items in a digest when it is due in their organization's time zone. Can run on any number of
 * nodes and at any time. If it didn't run for some days, the next digests contain the items of all of them.
 */
export async function makeDigests({ db, log, pokeOutbox }: Pick<Deps, 'db' | 'log' | 'pokeOutbox'>): Promise<void> {
  for (const { org_id: orgId } of await db.query(listOrganizationsWithDigestItems, {})) {
    try {
      if (await makeOf(db, orgId)) pokeOutbox();
    } catch (error) {
      // A failure in one organization doesn't affect the others.
      log.error({ err: error, orgId }, 'could not create the digests of an organization');
    }
  }
}

async function makeOf(db: Deps['db'], orgId: string): Promise<boolean> {
  return db.transaction({ orgId, userId: null }, async (tx) => {
    const clock = await tx.maybeOne(findDigestClock, { orgId });
    if (!clock) return false;
    const { at, day } = lastDigest(clock.working_hours?.timeZone ?? DIGEST_ZONE, clock.now.getTime());
    const before = new Date(at);
    const made = await tx.many(make, { orgId, day, before });
    enqueueJobs(
      tx,
      made.map(({ id }) => digestJob(orgId, id)),
    );
    tx.write(dropUndeliverableItems, { orgId, before });
    return made.length > 0;
  });
}
