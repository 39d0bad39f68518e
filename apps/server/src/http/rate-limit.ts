import { isIPv6 } from 'node:net';
import { canonicalEmail } from '@stet/domain/access';
import type { RateLimit } from '@stet/contract';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { statement } from '../db/statement.ts';
import type { Deps } from '../kernel/deps.ts';
import { Refused } from '../kernel/refused.ts';

// There is one row per key. A window begins with the first call after the end of the previous window. Keys are locked
// in a fixed order, addresses before accounts, so that two calls never deadlock.
const limitCalls = statement({
  name: 'limit_calls',
  params: ['keys', 'windowSeconds'],
  row: z.object({ key: z.string(), count: z.number(), seconds_left: z.number() }),
  text: `insert into rate_limits as l (key, window_start, count)
         select key, now(), 1 from unnest($1::text[]) key order by key
         on conflict (key) do update set
           window_start = case when l.window_start > now() - make_interval(secs => $2) then l.window_start else now() end,
           count = case when l.window_start > now() - make_interval(secs => $2) then l.count + 1 else 1 end
         returning key, count, ceil(extract(epoch from window_start + make_interval(secs => $2) - now()))::int as seconds_left`,
});

/**
 * Counts a call for its address and, if the route declares a limit per account, for its account, on all nodes together.
 * Refuses a call over the limit, and the refusal contains the number of seconds until a retry. Addresses and accounts
 * are stored only as keyed hashes.
 */
export async function limitRate(
  { config, db, derive }: Pick<Deps, 'config' | 'db' | 'derive'>,
  limit: RateLimit,
  request: FastifyRequest,
): Promise<void> {
  if (!config.rateLimits) return;
  const keyOf = (kind: string, value: string): string =>
    `${kind}:${limit.name}:${derive('rate limit', value).toString('base64url', 0, 18)}`;
  const limits = new Map([[keyOf('address', networkOf(request.ip)), limit.perAddress]]);
  const account = limit.perAccount === undefined ? null : accountOf(request);
  if (account !== null) limits.set(keyOf('who', account), limit.perAccount ?? 0);

  const counts = await db.query(limitCalls, { keys: [...limits.keys()], windowSeconds: limit.windowSeconds });
  const waits = counts
    .filter(({ key, count }) => count > (limits.get(key) ?? 0))
    .map(({ seconds_left }) => seconds_left);
  if (waits.length > 0) throw new Refused({ code: 'too_many_requests', retryAfterSeconds: Math.max(1, ...waits) });
}

/**
 * Identifies the account for which a call is counted: the signed-in person, the address in the body, or the link that
 * was used. Null if there is none of these.
 */
function accountOf({ actor, body, params }: FastifyRequest): string | null {
  if (actor) return actor.userId;
  const inputs = { ...(params as Record<string, unknown> | null), ...(body as Record<string, unknown> | null) };
  if (typeof inputs['email'] === 'string')
    return canonicalEmail(inputs['email']) ?? inputs['email'].trim().toLowerCase();
  return typeof inputs['token'] === 'string' ? inputs['token'] : null;
}

/**
 * Returns an IPv4 address, or the /64 network of an IPv6 address, because one client can use all addresses of such a
 * network.
 */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.replace(/%.*$/, '').toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail ? tail.split(':') : [];
  const gap =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - groups.length - behind.length) }, () => '0');
  const whole = [...groups, ...gap, ...behind].map((group) => group.replace(/^0+(?=.)/, ''));
  return `${whole.slice(0, 4).join(':')}::/64`;
}
