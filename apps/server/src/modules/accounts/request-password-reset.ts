import { enqueueJobs } from '../../db/outbox.ts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';

/**
 * Requests a link for setting a new password. Only the job looks up the account, so neither the response nor its timing
 * reveals whether there is one (decision 17).
 */
export const requestPasswordReset: Handler<'POST /api/auth/reset-request'> = async ({ db }, { body }) => {
  await db.transaction(null, async (tx) => {
    enqueueJobs(tx, [{ task: 'send_password_reset', payload: { requestId: newId(), email: body.email } }]);
  });
  // The queue isn't notified, so the job waits for the dispatcher's next poll. Otherwise the job would slow down the
  // next request, and this would reveal whether the account exists.
  return answer({ message: 'If the email exists, we sent reset instructions.' });
};
