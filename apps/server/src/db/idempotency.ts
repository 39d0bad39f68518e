import { z } from 'zod';
import type { Tenant } from '../kernel/actor.ts';
import type { Answer } from '../kernel/answer.ts';
import type { Once, Statement } from '../kernel/database.ts';
import { Refused } from '../kernel/refused.ts';
import { statement } from './statement.ts';

type Send = (s: Statement<string, unknown>, values: Record<string, unknown>) => Promise<unknown[]>;

/** Thrown to leave a transaction whose answer is known already. */
export class Replayed extends Error {
  constructor(readonly answer: Answer<unknown>) {
    super('answered before');
  }
}

// Waits for another transaction that holds the same key; the second statement then sees what that one kept.
const claim = statement({
  name: 'claim_idempotency_key',
  params: ['orgId', 'userId', 'key', 'digest'],
  row: z.object({ claimed: z.boolean() }),
  text: `insert into idempotency_keys (org_id, user_id, key, request_digest) values ($1, $2, $3, $4)
         on conflict do nothing returning true as claimed`,
});

const findAnswer = statement({
  name: 'find_idempotent_answer',
  params: ['orgId', 'userId', 'key'],
  row: z.object({ request_digest: z.string(), answer: z.string().nullable() }),
  text: `select request_digest, answer from idempotency_keys where org_id = $1 and user_id = $2 and key = $3`,
});

const keep = statement({
  name: 'keep_idempotent_answer',
  params: ['orgId', 'userId', 'key', 'answer'],
  text: `update idempotency_keys set answer = $4 where org_id = $1 and user_id = $2 and key = $3`,
});

/**
 * Takes the key for this transaction. Throws `Replayed` where an answer is kept under it, and refuses the same key with
 * another request (rulings, section 6).
 */
export async function claimKey(send: Send, tenant: Tenant, once: Once): Promise<void> {
  const values = { orgId: tenant.orgId, userId: tenant.userId, key: once.key };
  const claimed = send(claim, { ...values, digest: once.digest });
  const found = send(findAnswer, values);
  const [mine, [kept]] = await Promise.all([
    claimed,
    found as Promise<{ request_digest: string; answer: string | null }[]>,
  ]);
  if (mine.length > 0 || !kept) return;
  if (kept.request_digest !== once.digest) throw new Refused({ code: 'idempotency_key_reused' });
  if (kept.answer !== null) throw new Replayed(JSON.parse(kept.answer) as Answer<unknown>);
}

export const keepAnswer = (send: Send, tenant: Tenant, once: Once, answer: Answer<unknown>): Promise<unknown[]> =>
  send(keep, { orgId: tenant.orgId, userId: tenant.userId, key: once.key, answer: JSON.stringify(answer) });
