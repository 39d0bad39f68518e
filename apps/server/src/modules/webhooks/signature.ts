import { createHmac } from 'node:crypto';
import type { Derive } from '../../kernel/derive.ts';

/** The signing secret of a webhook. It isn't stored, because it can be derived again for each delivery. */
export const secretOf = (derive: Derive, webhookId: string, generation: number): string =>
  `stet_whsec_${derive('webhook secret', webhookId, generation).toString('base64url')}`;

/**
 * The value of `Stet-Signature`: the time in seconds, and for each secret the HMAC-SHA256 of `<time>.<body>` in hex. It
 * is enough for a receiver if one of them matches.
 */
export function signatureOf(secrets: readonly string[], atSeconds: number, body: string): string {
  const signed = secrets.map((secret) => createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex'));
  return [`t=${atSeconds}`, ...signed.map((hex) => `v1=${hex}`)].join(',');
}
