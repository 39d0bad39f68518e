import { leaveJobs } from '../../db/outbox.ts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';

/**
 * Asks for a link that sets a new password. Whether there is such an account is looked up by the job alone, so that neither
 * the answer nor its time tells it (rulings, section 2).
 */
export const requestPasswordReset: Handler<'POST /api/auth/reset-request'> = async ({ db }, { body }) => {
  await db.transaction(null, async (tx) => {
    leaveJobs(tx, [{ task: 'send_password_reset', payload: { requestId: newId(), email: body.email } }]);
  });
  // Not poked: the job waits for the dispatcher's next look, so that its work doesn't slow down the very next request, which
  // would tell as well.
  return answer({ message: 'If the email exists, we sent reset instructions.' });
};
