import { createHmac } from 'node:crypto';
import type { Run, Webhook, WebhookDelivery } from '@stet/contract';
import { publish, stepsNamed, teamOf } from './organization.ts';
import { startTestServer } from './server.ts';
import { type Received, startListener } from './webhook-listener.ts';

export type Added = { secret: string; webhook: Webhook };
export const SOON = { timeout: 15_000, interval: 50 };

/** A server with a team, a live workflow whose runs cause webhook events, and a receiver of webhooks. */
export async function startWebhookScene() {
  const listener = await startListener();
  const server = await startTestServer({ WEBHOOK_ALLOW: '127.0.0.1' });
  const { owner, editor, orgId } = await teamOf(server, ['admin', 'editor']);
  await publish(editor, owner, 'flow', stepsNamed('First', 'Second', 'Third'));
  const added: string[] = [];

  async function add(actions: string[] = [], url = listener.url): Promise<Added> {
    const made = await owner.post<Added>('/api/webhooks', { name: 'Listener', url, actions });
    added.push(made.webhook.id);
    return made;
  }
  const startRun = async (): Promise<Run> => owner.post<Run>('/api/runs', { key: 'flow', name: 'A run' });
  const log = (id: string, query = ''): Promise<WebhookDelivery[]> =>
    owner.get(`/api/webhooks/${id}/deliveries${query}`);
  const callsOf = (...actions: string[]): Received[] =>
    listener.received.filter(({ headers }) => actions.includes(String(headers['stet-event'])));
  /** Makes all pending deliveries due immediately. */
  const hurry = (): Promise<unknown> =>
    Promise.all([
      server.sql(`update webhook_deliveries set next_attempt_at = now() where state = 'waiting'`),
      server.sql('update webhooks set hold_until = null'),
      server.sql(`update outbox set run_at = now() where task = 'deliver_webhook'`),
    ]);

  return {
    server,
    owner,
    orgId,
    listener,
    add,
    startRun,
    log,
    callsOf,
    hurry,
    /** Deletes the webhooks of a test and the calls that were received, and makes the listener respond again. */
    reset: async (): Promise<void> => {
      for (const id of added.splice(0)) await owner.call('DELETE', `/api/webhooks/${id}`);
      listener.answer(200);
      listener.received.length = 0;
    },
    stop: async (): Promise<void> => {
      await server.stop();
      await listener.stop();
    },
  };
}

/** Checks a signature as a receiver would. */
export function signs(received: Received | undefined, secret: string): boolean {
  const parts = String(received?.headers['stet-signature'])
    .split(',')
    .map((part) => part.split('='));
  const at = parts.find(([name]) => name === 't')?.[1] ?? '';
  const wanted = createHmac('sha256', secret).update(`${at}.${received?.body}`).digest('hex');
  const isFresh = Math.abs(Date.now() / 1000 - Number(at)) < 300;
  return isFresh && parts.some(([name, value]) => name === 'v1' && value === wanted);
}
