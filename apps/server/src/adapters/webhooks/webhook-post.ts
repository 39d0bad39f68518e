import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import type { PostOutcome, WebhookPost } from '../../kernel/webhook-post.ts';
import { type Resolve, type Target, checkTarget } from './checked-target.ts';

const PATIENCE_MS = 10_000;
const LOOKUP_MS = 5000;

const byNameService: Resolve = async (hostname) => {
  const answers = lookup(hostname, { all: true, verbatim: true });
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('late')), LOOKUP_MS).unref());
  return (await Promise.race([answers, late])).map(({ address }) => address);
};

/** Opens the webhook client. Tests replace the name lookup, `resolve`. */
export function openWebhookPost(allow: readonly string[], resolve: Resolve = byNameService): WebhookPost {
  return {
    problemOf: async (url) => {
      const checked = await checkTarget(url, allow, resolve);
      return checked.ok ? null : checked.problem;
    },
    send: async ({ url, headers, body }) => {
      const began = performance.now();
      const tookMs = (): number => Math.round(performance.now() - began);
      const checked = await checkTarget(url, allow, resolve);
      if (!checked.ok) return { ok: false, status: null, problem: `The address ${checked.problem}`, tookMs: tookMs() };
      try {
        return outcomeOf(await post(checked.target, headers, body), tookMs());
      } catch (error) {
        return { ok: false, status: null, problem: problemOf(error), tookMs: tookMs() };
      }
    },
  };
}

function outcomeOf(status: number, tookMs: number): PostOutcome {
  if (status >= 200 && status < 300) return { ok: true, status, tookMs };
  const problem =
    status >= 300 && status < 400
      ? "The server responded with a redirect, which Stet doesn't follow"
      : `The server responded with ${status}`;
  return { ok: false, status, problem, tookMs };
}

/**
 * Sends to the checked address, even if the name now resolves to a different one. Returns the status without reading
 * the body of the response.
 */
function post({ url, hostname, address }: Target, headers: Record<string, string>, body: string): Promise<number> {
  const family = isIPv6(address) ? 6 : 4;
  const pinned: LookupFunction = (_hostname, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request({
      method: 'POST',
      hostname,
      port: url.port,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: pinned,
      // Each request uses a new connection, because a pooled one could belong to a different host name.
      agent: false,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.on('error', () => undefined);
      response.destroy();
    });
    request.on('error', reject);
    request.end(body);
  });
}

function problemOf(error: unknown): string {
  const { code = '', name } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT')
    return `No response within ${PATIENCE_MS / 1000} seconds`;
  if (code === 'ECONNREFUSED') return 'The connection was refused';
  if (/CERT|SSL|TLS|SIGNATURE|ISSUER/.test(code)) return 'The certificate could not be verified';
  return 'The connection failed';
}
