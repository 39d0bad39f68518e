import { api } from '../../../lib/api/api.ts';

/** Asks for a mail with a link that sets a new password; the answer is the same with and without an account. */
export async function requestReset(email: string): Promise<void> {
  await api('POST /api/auth/reset-request', { body: { email }, anonymous: true });
}

/** Sets the password by the mailed token; every session of the account ends. Throws `ApiError`. */
export async function resetPassword(token: string, password: string): Promise<void> {
  await api('POST /api/auth/reset', { body: { token, password }, anonymous: true });
}
