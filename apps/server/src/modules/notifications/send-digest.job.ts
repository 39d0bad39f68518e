import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Attempt } from '../../db/job-lane.ts';
import { type Job, leaveJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { Mailer } from '../../kernel/mail.ts';
import { noticeLink } from '../../kernel/notice-link.ts';
import { tellInSlackJob } from '../integrations/reads.ts';
import { digestLetter } from './digest.mail.ts';
import { claimDigest, dropDigestOfStranger, findDigestState, listDigestItems, settleDigest } from './digest.sql.ts';

const payloadOf = z.object({ orgId: z.uuid(), id: z.uuid() });

/** After this a claim is that of a process that died: the mail adapter gives up long before. */
const SILENT_SECONDS = 120;

/** The job that sends a digest. */
export const digestJob = (orgId: string, id: string, delayMs = 0): Job => ({
  task: 'send_digest',
  payload: { orgId, id },
  key: `digest:${id}`,
  turnOf: orgId,
  delayMs,
});

type SendDeps = Pick<Deps, 'db' | 'publicUrl' | 'pokeOutbox'>;

/**
 * Sends one person's digest: what was held back of mails by mail, what was held back of Slack there. It is claimed before and
 * settled after, so that nobody gets a day's digest twice, unless a process died after the mail was taken and before it
 * could say so; the mail then has the same Message-ID. One that was given up is sent when its job is run again.
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
      if (digest?.state === 'sending') leaveJobs(tx, [digestJob(orgId, id, SILENT_SECONDS * 1000)]);
      if (digest?.state === 'waiting') tx.write(dropDigestOfStranger, { orgId, id });
      return null;
    }
    // Sent once, however often it is asked for.
    if (items.some(({ slack }) => slack === 'daily'))
      leaveJobs(tx, [tellInSlackJob(orgId, { kind: 'digest', userId: person.user_id, id })]);
    return { person, items: items.filter(({ email }) => email === 'daily') };
  });
  if (!taken) return;
  const settle = (state: 'sent' | 'waiting' | 'given_up'): Promise<void> =>
    deps.db.transaction(tenant, async (tx) => tx.write(settleDigest, { orgId, id, claim, state }));
  try {
    if (taken.items.length > 0) await mailer.send(letterOf(deps, id, taken));
  } catch (error) {
    await settle(isLast ? 'given_up' : 'waiting');
    throw error;
  }
  await settle('sent');
  deps.pokeOutbox();
}

type Taken = {
  person: { name: string; email: string; organization: string };
  items: readonly ({ title: string; body: string } & Parameters<typeof noticeLink>[1])[];
};

const letterOf = ({ publicUrl }: SendDeps, id: string, { person, items }: Taken) =>
  digestLetter({
    id,
    ...person,
    publicUrl,
    items: items.map(({ title, body, ...about }) => ({ title, body, url: noticeLink(publicUrl, about) })),
  });
