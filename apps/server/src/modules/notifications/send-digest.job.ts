import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Attempt } from '../../db/job-lane.ts';
import { type Job, enqueueJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { Mailer } from '../../kernel/mail.ts';
import { slackJob } from './deliver-slack.job.ts';
import { digestLetter } from './digest.mail.ts';
import { claimDigest, failUndeliverableDigest, findDigestState, listDigestItems, finishDigest } from './digest.sql.ts';
import { notificationPage } from './wording.ts';

const payloadOf = z.object({ orgId: z.uuid(), id: z.uuid() });

/**
 * After this time, the process that made a claim must have died, because the mail adapter gives up long before that.
 */
const SILENT_SECONDS = 120;

export const digestJob = (orgId: string, id: string, delayMs = 0): Job => ({
  task: 'send_digest',
  payload: { orgId, id },
  key: `digest:${id}`,
  turnOf: orgId,
  delayMs,
});

type SendDeps = Pick<Deps, 'db' | 'publicUrl' | 'pokeOutbox'>;

/**
 * Sends a person's digest: the items for email in one email, and the items for Slack in one Slack message. The digest
 * is claimed before it is sent, and its outcome is saved afterwards, so that nobody gets it twice. There are two
 * exceptions: the process dies after the email was accepted and before the outcome is saved, or the response of the
 * mail server is lost. The second email then has the same Message-ID. If the digest has failed permanently, running its
 * job again sends it.
 */
export async function sendDigest(deps: SendDeps, mailer: Mailer, payload: unknown, { isLast }: Attempt): Promise<void> {
  const { orgId, id } = payloadOf.parse(payload);
  const claim = randomUUID();
  const tenant = { orgId, userId: null };
  const taken = await deps.db.transaction(tenant, async (tx) => {
    const [person, items] = await Promise.all([
      tx.maybeOne(claimDigest, { orgId, id, claim, silentSeconds: SILENT_SECONDS }),
      tx.many(listDigestItems, { orgId, id }),
    ]);
    if (!person) {
      const digest = await tx.maybeOne(findDigestState, { orgId, id });
      if (digest?.state === 'sending') enqueueJobs(tx, [digestJob(orgId, id, SILENT_SECONDS * 1000)]);
      if (digest?.state === 'waiting') tx.write(failUndeliverableDigest, { orgId, id });
      return null;
    }
    // Even if this job is enqueued repeatedly, the message is sent only once.
    if (items.some(({ slack }) => slack === 'daily'))
      enqueueJobs(tx, [slackJob(orgId, { kind: 'digest', userId: person.user_id, id })]);
    return { person, items: items.filter(({ email }) => email === 'daily') };
  });
  if (!taken) return;
  const finish = (state: 'sent' | 'waiting' | 'given_up'): Promise<void> =>
    deps.db.transaction(tenant, async (tx) => tx.write(finishDigest, { orgId, id, claim, state }));
  try {
    if (taken.items.length > 0) await mailer.send(letterOf(deps, id, taken));
  } catch (error) {
    await finish(isLast ? 'given_up' : 'waiting');
    throw error;
  }
  await finish('sent');
  deps.pokeOutbox();
}

type Taken = {
  person: { name: string; email: string; organization: string };
  items: readonly ({ title: string; body: string } & Parameters<typeof notificationPage>[1])[];
};

const letterOf = ({ publicUrl }: SendDeps, id: string, { person, items }: Taken) =>
  digestLetter({
    id,
    ...person,
    publicUrl,
    items: items.map(({ title, body, ...about }) => ({ title, body, url: notificationPage(publicUrl, about).url })),
  });
