import { z } from 'zod';
import { statement } from '../db/statement.ts';
import type { Answer } from '../kernel/answer.ts';
import type { Once } from '../kernel/database.ts';
import type { Deps } from '../kernel/deps.ts';
import { Refused } from '../kernel/refused.ts';

const findKept = statement({
  name: 'find_person_key',
  params: ['userId', 'key'],
  row: z.object({ request_digest: z.string(), answer: z.string() }),
  text: `select request_digest, answer from person_keys where user_id = $1 and key = $2`,
});

const keep = statement({
  name: 'keep_person_key',
  params: ['userId', 'key', 'digest', 'answer'],
  text: `insert into person_keys (user_id, key, request_digest, answer) values ($1, $2, $3, $4) on conflict do nothing`,
});

/**
 * The answer that was kept under the person's key, else that of `work`, kept. For calls of the account, which have no
 * organization to keep it with: what they change is guarded by the use case itself, and the key spares whoever lost the
 * answer from being told that it failed (rulings, section 6).
 */
export async function oncePerPerson(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { key, digest }: Once,
  work: () => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  const [kept] = await db.query(findKept, { userId, key });
  if (kept && kept.request_digest !== digest) throw new Refused({ code: 'idempotency_key_reused' });
  if (kept) return JSON.parse(kept.answer) as Answer<unknown>;
  const given = await work();
  await db.query(keep, { userId, key, digest, answer: JSON.stringify(given) });
  return given;
}
