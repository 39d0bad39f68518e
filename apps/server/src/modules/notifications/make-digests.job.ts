import { DIGEST_ZONE, lastDigest } from '@stet/domain/notifications';
import { leaveJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import {
  dropHeldOfStrangers,
  findDigestClock,
  listOrganizationsWithHeldNews,
  makeDigests as make,
} from './digest.sql.ts';
import { digestJob } from './send-digest.job.ts';

/**
 * Gathers what was held back for people, once it is due on their organization's clock, into one digest each. Any number of
 * nodes may look, at any time: a day that nobody was there for is made up for by the next look.
 */
export async function makeDigests({ db, log, pokeOutbox }: Pick<Deps, 'db' | 'log' | 'pokeOutbox'>): Promise<void> {
  for (const { org_id: orgId } of await db.query(listOrganizationsWithHeldNews, {})) {
    try {
      if (await makeOf(db, orgId)) pokeOutbox();
    } catch (error) {
      // The others' day goes on.
      log.error({ err: error, orgId }, 'the digests of an organization could not be made');
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
    leaveJobs(
      tx,
      made.map(({ id }) => digestJob(orgId, id)),
    );
    tx.write(dropHeldOfStrangers, { orgId, before });
    return made.length > 0;
  });
}
