import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { z } from 'zod';
import { appendAudit } from '../../db/append-audit.ts';
import { type Derive, hashOfToken } from '../../kernel/derive.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { Mailer } from '../../kernel/mail.ts';
import { findLogin, findOpenReset, insertReset } from './accounts.sql.ts';
import { passwordResetLetter } from './password-reset.mail.ts';

const request = z.object({ requestId: z.uuid(), email: z.string() });

/** The token of a reset link, which only this installation can compute. It is the same each time the job is done. */
const resetToken = (derive: Derive, requestId: string): string => derive('password reset', requestId).toString('base64url');

/** Mails a link that sets a new password, where the address has an account; it opens once, within the hour. */
export async function sendPasswordReset({ db, derive, publicUrl }: Pick<Deps, 'db' | 'derive' | 'publicUrl'>, mailer: Mailer, payload: unknown): Promise<void> {
  const { requestId, email } = request.parse(payload);
  const [user] = await db.query(findLogin, { email });
  if (!user) return;
  const token = resetToken(derive, requestId);
  const tokenHash = hashOfToken(token);
  const orgId = user.org_id;
  await db.transaction(orgId ? { orgId, userId: null } : null, async (tx) => {
    const isNew = await tx.maybeOne(insertReset, { id: requestId, userId: user.id, tokenHash });
    if (!isNew || !orgId) return;
    // Nobody has shown yet who asked.
    appendAudit(tx, [{ actor: SYSTEM_ACTOR, action: 'account.password_reset_requested', subject: { type: 'user', id: user.id }, data: {} }]);
  });
  const [open] = await db.query(findOpenReset, { tokenHash });
  if (!open) return;
  await mailer.send(passwordResetLetter({ name: user.name, email: user.email, link: `${publicUrl}/reset-password?token=${token}` }));
}
