import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { z } from 'zod';
import { type Derive, hashOfToken } from '../../kernel/derive.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { Mailer } from '../../kernel/mail.ts';
import { appendAudit } from '../audit/index.ts';
import { findOpenReset, findSelectedOrganization, insertReset } from './accounts.sql.ts';
import { emailChangeLetter } from './email-change.mail.ts';
import { findAccount } from './find-account.ts';
import { passwordResetLetter } from './password-reset.mail.ts';

/**
 * `by` is set if an administrator requested the link. With `newEmail`, the link is mailed to that address, and using it
 * changes the account's address.
 */
const request = z.object({
  requestId: z.uuid(),
  email: z.string(),
  newEmail: z.string().optional(),
  by: z.literal('administrator').optional(),
  /** The administrator who requested it in the browser. */
  administrator: z.object({ kind: z.literal('user'), id: z.uuid(), name: z.string(), email: z.string() }).optional(),
});

/**
 * Computes the token of a reset link, which only this installation can do. The token is the same each time the job
 * runs.
 */
export const resetToken = (derive: Derive, requestId: string): string =>
  derive('password reset', requestId).toString('base64url');

/**
 * If the address has an account, mails a link for setting a new password. The link works once, within an hour. If there
 * is no account, or it is disabled, the job does almost the same work but sends no email. Otherwise the server's load
 * would reveal whether the account exists.
 */
export async function sendPasswordReset(
  { db, derive, publicUrl }: Pick<Deps, 'db' | 'derive' | 'publicUrl'>,
  mailer: Mailer,
  payload: unknown,
): Promise<void> {
  const { requestId, email, newEmail, by, administrator } = request.parse(payload);
  const found = await findAccount(db, email);
  const user = found?.is_disabled ? undefined : found;
  const userId = user?.id ?? null;
  const [selected] = await db.query(findSelectedOrganization, { userId });
  const orgId = selected?.org_id ?? null;
  const token = resetToken(derive, requestId);
  const tokenHash = hashOfToken(token);
  await db.transaction(orgId ? { orgId, userId: null } : null, async (tx) => {
    const isNew = await tx.maybeOne(insertReset, { id: requestId, userId, tokenHash, newEmail: newEmail ?? null });
    if (!isNew || !orgId || !userId) return;
    // It is unknown who made a request from the sign-in page.
    const subject = { type: 'user' as const, id: userId };
    const data = { ...(newEmail !== undefined && { newEmail }), ...(by !== undefined && { by }) };
    const action = newEmail === undefined ? 'account.password_reset_requested' : 'account.email_change_requested';
    appendAudit(tx, [{ actor: administrator ?? SYSTEM_ACTOR, action, subject, data }]);
  });
  const [open] = await db.query(findOpenReset, { tokenHash });
  const link = `${publicUrl}/reset-password?token=${token}`;
  const account = { name: user?.name ?? email, email: user?.email ?? email, link };
  const letter = newEmail === undefined ? passwordResetLetter(account) : emailChangeLetter({ ...account, newEmail });
  await (open ? mailer.send(letter) : mailer.rehearse(letter));
}
