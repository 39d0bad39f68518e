import { z } from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import { appendAudit } from '../audit/index.ts';
import { findPerson, revokeEndedTokens } from './api-tokens.sql.ts';

const job = z.object({ orgId: z.uuid(), userId: z.uuid(), because: z.string() });

/**
 * Marks the personal tokens that ended when their owner's account was secured, for example by a new password, as
 * revoked, and records this in the organization's trail. Does nothing once the organization is being deleted, because
 * nothing can be recorded in it.
 */
export async function revokePersonalTokens({ db }: Pick<Deps, 'db'>, payload: unknown): Promise<void> {
  const { orgId, userId, because } = job.parse(payload);
  await db.transaction({ orgId, userId: null }, async (tx) => {
    const [person, revoked] = await Promise.all([
      tx.maybeOne(findPerson, { userId }),
      tx.many(revokeEndedTokens, { orgId, userId }),
    ]);
    if (!person || revoked.length === 0) return;
    const actor = { ...person, kind: 'user' as const };
    appendAudit(
      tx,
      revoked.map(({ id, ...token }) => ({
        actor,
        action: 'token.revoked' as const,
        subject: { type: 'token' as const, id },
        data: { ...token, because },
      })),
    );
  });
}
