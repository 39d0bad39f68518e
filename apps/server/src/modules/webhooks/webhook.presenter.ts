import type { Webhook, WebhookDelivery } from '@stet/contract';
import type { DeliveryRow } from './deliveries.sql.ts';
import type { WebhookRow } from './webhooks.sql.ts';

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export const presentWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  name: row.name,
  url: row.url,
  actions: row.actions,
  isActive: row.is_active,
  createdAt: row.created_at.toISOString(),
  oldSecretUntil: iso(row.old_secret_until),
  waiting: row.waiting,
  dead: row.dead,
  failuresInRow: row.failures_in_row,
});

export const presentDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  seq: row.seq,
  action: row.action,
  state: row.state,
  attempts: row.attempts,
  status: row.last_status,
  problem: row.last_problem,
  tookMs: row.last_took_ms,
  createdAt: row.created_at.toISOString(),
  nextAttemptAt: row.state === 'waiting' ? row.next_attempt_at.toISOString() : null,
  endedAt: iso(row.ended_at),
});
