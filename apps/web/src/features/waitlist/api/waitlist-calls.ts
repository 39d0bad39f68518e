import { api } from '../../../lib/api/api.ts';
import type { ApplicationBody } from '../model/answers.ts';

type Options = { body?: object; idempotencyKey?: string; signal?: AbortSignal; anonymous: true };
// The routes are not part of the contract's index yet.
const call = api as unknown as (key: string, options: Options) => Promise<unknown>;

/** Puts an address on the waitlist; throws `ApiError`. */
export async function joinWaitlist(
  email: string,
  { idempotencyKey, signal }: { idempotencyKey: string; signal: AbortSignal },
): Promise<void> {
  await call('POST /api/waitlist/signup', { body: { email }, idempotencyKey, signal, anonymous: true });
}

/** How many are on the waitlist; throws `ApiError`. */
export async function countWaitlist(signal: AbortSignal): Promise<number> {
  const { count } = (await call('GET /api/waitlist/count', { signal, anonymous: true })) as { count: number };
  return count;
}

/** Sends a priority application; throws `ApiError`. */
export async function applyForPriority(body: ApplicationBody, idempotencyKey: string): Promise<void> {
  await call('POST /api/waitlist/priority-application', { body, idempotencyKey, anonymous: true });
}
