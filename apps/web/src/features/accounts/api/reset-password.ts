import { api } from '../../../lib/api/api.ts';

export const requestSchema = async () =>
  (await import('@stet/contract/profile')).profileRoutes['POST /api/auth/reset-request'].body;

export const resetSchema = async () =>
  (await import('@stet/contract/profile')).profileRoutes['POST /api/auth/reset'].body;

/** Requests an email with a link to reset the password. The response doesn't reveal whether the account exists. */
export async function requestReset(email: string): Promise<void> {
  await api('POST /api/auth/reset-request', { body: { email }, anonymous: true });
}

/**
 * Sets the password with the emailed token, ends every session of the account and revokes its personal API tokens. If
 * the link was mailed to a new address, the account gets this address. Returns the server's message.
 */
export async function resetPassword(token: string, password: string): Promise<string> {
  const { message } = await api('POST /api/auth/reset', { body: { token, password }, anonymous: true });
  return message;
}
