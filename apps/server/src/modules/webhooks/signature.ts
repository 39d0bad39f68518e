import { createHmac } from 'node:crypto';
import type { Derive } from '../../kernel/derive.ts';

/** A webhook's signing secret. It isn't stored, because each delivery can derive it. */
export const secretOf = (derive: Derive, webhookId: string, generation: number): string =>
  `stet_whsec_${derive('webhook secret', webhookId, generation).toString('base64url')}`;

/**
 * The value of `Stet-Signature`: the time in seconds, and for each secret the HMAC-SHA256 of `<time>.<body>` in hex.
 * Receivers accept a delivery if one of them matches.
 */
export function signatureOf(secrets: readonly string[], atSeconds: number, body: string): string {
  const signed = secrets.map((secret) => createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex'));
  return [`t=${atSeconds}`, ...signed.map((hex) => `v1=${hex}`)].join(',');
}
