import { z } from 'zod';
import { statement } from '../db/statement.ts';
import type { Tenant } from '../kernel/actor.ts';
import { type Answer, textOf } from '../kernel/answer.ts';
import type { Database, Once, Send, Write } from '../kernel/database.ts';
import { Refused } from '../kernel/refused.ts';

/**
 * Finds the digest of the request and the response that were saved under a key. Users and keys are also compared in
 * separate conditions. Otherwise PostgreSQL, which assumes that the table is small until it has statistics, reads all
 * keys of the organization.
 */
export const findAnswer = statement({
  name: 'find_idempotent_answer',
  params: ['orgId', 'userId', 'key'],
  each: ['userId', 'key'],
  row: z.object({ nth: z.number(), request_digest: z.string(), answer: z.string().nullable() }),
  text: `select asked.nth, k.request_digest, k.answer
         from unnest($2::uuid[], $3::text[]) with ordinality asked (user_id, key, nth)
         join idempotency_keys k on k.org_id = $1 and k.user_id = asked.user_id and k.key = asked.key
           and k.user_id = any($2::uuid[]) and k.key = any($3::text[])`,
});

const save = statement({
  name: 'insert_idempotent_answers',
  params: ['orgId', 'answers', 'texts'],
  list: 'answers',
  long: { column: 'answer', param: 'texts' },
  text: `insert into idempotency_keys (org_id, user_id, key, request_digest, answer)
         select $1, a.user_id, a.key, a.digest, convert_from(substring($3::bytea from a."from" for a.size), 'UTF8')
         from jsonb_to_recordset($2::jsonb) as a (user_id uuid, key text, digest text, "from" int, size int)`,
});

type Saved = { request_digest: string; answer: string | null };

/**
 * Returns the saved response, or null if the request was saved without one. Refuses a different request with the same
 * key (decision 99).
 */
export function savedAnswer<T>(saved: Saved, { digest }: Once): Answer<T> | null {
  if (saved.request_digest !== digest) throw new Refused({ code: 'idempotency_key_reused' });
  return saved.answer === null ? null : (JSON.parse(saved.answer) as Answer<T>);
}

export async function findSavedAnswer(send: Send, tenant: Tenant, once: Once): Promise<Answer<unknown> | null> {
  const found = send(findAnswer, { orgId: tenant.orgId, userId: tenant.userId, key: once.key });
  const [saved] = (await found) as Saved[];
  return saved ? savedAnswer<unknown>(saved, once) : null;
}

/**
 * Returns the write that saves a response. If a copy of the request saves its response at the same time, that write
 * waits for this one and then fails.
 */
export const answerToSave = (tenant: Tenant, { key, digest }: Once, answer: Answer<unknown>): Write => [
  save,
  { orgId: tenant.orgId, answers: [{ user_id: tenant.userId, key, digest, answer: textOf(answer) }] },
];

/**
 * Like `changeOnce`, for requests about the account. Their `work` uses separate transactions, often in an organization
 * that it creates or joins. The response is saved under the account's id after the commit. The use case itself prevents
 * a second change. The key only lets a client that lost the first response get it again.
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
