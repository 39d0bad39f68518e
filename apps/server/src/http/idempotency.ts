import { z } from 'zod';
import { statement } from '../db/statement.ts';
import type { Tenant } from '../kernel/actor.ts';
import type { Answer } from '../kernel/answer.ts';
import type { Database, Once, Send } from '../kernel/database.ts';
import { Refused } from '../kernel/refused.ts';

// Waits while another transaction has claimed the same key. The second statement then sees its saved response.
const claim = statement({
  name: 'claim_idempotency_key',
  params: ['orgId', 'userId', 'key', 'digest'],
  row: z.object({ claimed: z.boolean() }),
  text: `insert into idempotency_keys (org_id, user_id, key, request_digest) values ($1, $2, $3, $4)
         on conflict do nothing returning true as claimed`,
});

/**
 * The request and the response saved under a key. The response is null while the transaction that claimed the key is
 * open.
 */
export const findAnswer = statement({
  name: 'find_idempotent_answer',
  params: ['orgId', 'userId', 'key'],
  row: z.object({ request_digest: z.string(), answer: z.string().nullable() }),
  text: `select request_digest, answer from idempotency_keys where org_id = $1 and user_id = $2 and key = $3`,
});

const save = statement({
  name: 'save_idempotent_answer',
  params: ['orgId', 'userId', 'key', 'answer'],
  text: `update idempotency_keys set answer = $4 where org_id = $1 and user_id = $2 and key = $3`,
});

type Saved = { request_digest: string; answer: string | null };

/** The saved response, or null if there is none. Refuses a different request with the same key (rulings, section 6). */
export function savedAnswer<T>(saved: Saved, { digest }: Once): Answer<T> | null {
  if (saved.request_digest !== digest) throw new Refused({ code: 'idempotency_key_reused' });
  return saved.answer === null ? null : (JSON.parse(saved.answer) as Answer<T>);
}

/** Claims the key for this transaction. Returns the saved response if there is one, and null otherwise. */
export async function claimKey(send: Send, tenant: Tenant, once: Once): Promise<Answer<unknown> | null> {
  const values = { orgId: tenant.orgId, userId: tenant.userId, key: once.key };
  const claimed = send(claim, { ...values, digest: once.digest });
  const found = send(findAnswer, values);
  const [mine, [saved]] = await Promise.all([claimed, found as Promise<Saved[]>]);
  return mine.length > 0 || !saved ? null : savedAnswer<unknown>(saved, once);
}

export const saveAnswer = (send: Send, tenant: Tenant, once: Once, answer: Answer<unknown>): Promise<unknown[]> =>
  send(save, { orgId: tenant.orgId, userId: tenant.userId, key: once.key, answer: JSON.stringify(answer) });

/**
 * Like `changeOnce`, for requests about the account. Their `work` uses separate transactions, often in an organization
 * that it founds or joins. The response is saved under the account's id after the commit. The use case itself prevents
 * a second change; the key only returns the first response to a client that lost it.
 */
export async function answerOnce(
  db: Database,
  userId: string,
  once: Once,
  work: () => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  const account: Tenant = { orgId: userId, userId, asks: 'session' };
  const saved = await db.transaction(account, (tx) =>
    tx.maybeOne(findAnswer, { orgId: userId, userId, key: once.key }),
  );
  const known = saved && savedAnswer<unknown>(saved, once);
  if (known) return known;
  const given = await work();
  return db.changeOnce(account, once, async () => given);
}
