import { api } from '../../../lib/api/api.ts';
import type { ApplicationBody } from '../model/answers.ts';

const routes = async () => (await import('@stet/contract/waitlist')).waitlistRoutes;

export const signupSchema = async () => (await routes())['POST /api/waitlist/signup'].body;
export const applicationSchema = async () => (await routes())['POST /api/waitlist/priority-application'].body;

export async function joinWaitlist(
  email: string,
  { idempotencyKey, signal }: { idempotencyKey: string; signal: AbortSignal },
): Promise<void> {
  await api('POST /api/waitlist/signup', { body: { email }, idempotencyKey, signal, anonymous: true });
}

export async function countWaitlist(signal: AbortSignal): Promise<number> {
  const { count } = await api('GET /api/waitlist/count', { signal, anonymous: true });
  return count;
}

export async function applyForPriority(body: ApplicationBody, idempotencyKey: string): Promise<void> {
  await api('POST /api/waitlist/priority-application', { body, idempotencyKey, anonymous: true });
}
