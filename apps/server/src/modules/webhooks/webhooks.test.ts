import { createHmac } from 'node:crypto';
import type { Run, Webhook, WebhookDelivery } from '@stet/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer, startTestServerOn } from '../../testing/server.ts';
import { type Heard, type Listener, startListener } from '../../testing/webhook-listener.ts';
import { sweepWebhooks } from './deliver-webhook.job.ts';
import { feedWebhooks } from './feed-webhooks.ts';

type Added = { secret: string; webhook: Webhook };
const SOON = { timeout: 15_000, interval: 50 };

describe('webhooks', () => {
  let server: TestServer;
  let owner: Person;
  let orgId: string;
  let listener: Listener;
  const added: string[] = [];

  beforeAll(async () => {
    listener = await startListener();
    server = await startTestServer({ WEBHOOK_ALLOW: '127.0.0.1' });
    const team = await teamOf(server, ['admin', 'editor']);
    ({ owner, orgId } = team);
    await publish(team.editor, owner, 'flow', stepsNamed('First', 'Second', 'Third'));
  });
  afterAll(async () => {
    await server.stop();
    await listener.stop();
  });
  afterEach(async () => {
    for (const id of added.splice(0)) await owner.call('DELETE', `/api/webhooks/${id}`);
    listener.answer(200);
    listener.heard.length = 0;
  });

  async function add(actions: string[] = [], url = listener.url): Promise<Added> {
    const made = await owner.post<Added>('/api/webhooks', { name: 'Listener', url, actions });
    added.push(made.webhook.id);
    return made;
  }
  const startRun = async (): Promise<Run> => owner.post<Run>('/api/runs', { key: 'flow', name: 'A run' });
  const log = (id: string, query = ''): Promise<WebhookDelivery[]> =>
    owner.get(`/api/webhooks/${id}/deliveries${query}`);
  const heardOf = (...actions: string[]): Heard[] =>
    listener.heard.filter(({ headers }) => actions.includes(String(headers['stet-event'])));
  /** What a webhook waits for until its next try, it need not wait for any longer. */
  const hurry = (): Promise<unknown> =>
    Promise.all([
      server.sql(`update webhook_deliveries set next_attempt_at = now() where state = 'waiting'`),
      server.sql('update webhooks set hold_until = null'),
      server.sql(`update outbox set run_at = now() where task = 'deliver_webhook'`),
    ]);

  it('hear of what they asked for, as the audit trail has it, and of nothing from before', async () => {
    await startRun();
    await add(['run.started', 'step.completed']);
    const run = await startRun();
    await owner.post(`/api/runs/${run.id}/steps/step-1/complete`, { output: { text: 'Done' } });
    await expect.poll(() => listener.heard.length, SOON).toBe(2);
    const events = await server.sql<{ seq: string; hash: string; action: string; payload: string }>(
      `select seq, encode(hash, 'hex') as hash, action, payload from audit_events
       where run_id = $1 and action in ('run.started', 'step.completed') order by seq`,
      [run.id],
    );
    expect(listener.heard.map(({ json }) => ({ ...json, id: null, at: null }))).toEqual(
      events.map(({ seq, hash, action, payload }) => {
        const { actor, data, subject } = JSON.parse(payload) as Record<string, unknown>;
        return {
          id: null,
          at: null,
          type: action,
          organizationId: orgId,
          seq: Number(seq),
          actor,
          subject,
          runId: run.id,
          data,
          hash,
        };
      }),
    );
    expect(JSON.stringify(listener.heard)).not.toContain('sessionId');
  });

  it('are signed, so that nobody else can say it, and so that it can’t be said again later', async () => {
    const { secret, webhook } = await add();
    expect(secret).toMatch(/^stet_whsec_[\w-]{43}$/);
    await owner.post(`/api/webhooks/${webhook.id}/test`);
    await expect.poll(() => heardOf('webhook.test').length, SOON).toBe(1);
    const [heard] = heardOf('webhook.test');
    expect(signs(heard, secret)).toBe(true);
    expect(signs(heard, `${secret}x`)).toBe(false);
    expect(signs(heard && { ...heard, body: `${heard.body} ` }, secret)).toBe(false);
    expect(heard?.headers['stet-delivery']).toBe(heard?.json['id']);
    const kept = await server.sql<{ row: string }>(
      'select w::text as row from webhooks w union all select payload from audit_events union all select k::text from idempotency_keys k',
    );
    for (const { row } of kept) expect(row ?? '').not.toContain(secret.slice(11));
  });

  it('are signed as before while the installation still names its earlier secret', async () => {
    const [before, after] = ['the secret of an installation before', 'the secret of an installation afterwards'];
    const old = await startTestServer({ WEBHOOK_ALLOW: '127.0.0.1', SECRET_KEY: before });
    const { user, post } = await old.signUp({ team: 'Rotating' });
    const { secret, webhook } = await post<Added>('/api/webhooks', {
      name: 'Listener',
      url: listener.url,
      actions: ['run.paused'],
    });
    await old.server.stop();
    const environment = { WEBHOOK_ALLOW: '127.0.0.1', SECRET_KEY: after, SECRET_KEY_PREVIOUS: before };
    const now = await startTestServerOn(old.database, environment);
    const body = { email: user.email, password: 'a long enough one' };
    const manager = now.as((await now.anyone.post<{ token: string }>('/api/auth/login', body)).token);
    await manager.post(`/api/webhooks/${webhook.id}/test`);
    await expect.poll(() => heardOf('webhook.test').length, SOON).toBe(1);
    const rotated = await manager.post<Added>(`/api/webhooks/${webhook.id}/rotate`);
    await manager.post(`/api/webhooks/${webhook.id}/test`);
    await expect.poll(() => heardOf('webhook.test').length, SOON).toBe(2);
    const [first, second] = heardOf('webhook.test');
    expect([signs(first, secret), signs(second, secret), signs(second, rotated.secret)]).toEqual([true, true, true]);
    await now.server.stop();
    await old.stop();
  });

  it('are signed with the old secret as well for a day after a new one was made', async () => {
    const { secret, webhook } = await add(['run.paused']);
    const path = `/api/webhooks/${webhook.id}`;
    const rotated = await owner.post<Added>(`${path}/rotate`);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.webhook.oldSecretUntil).not.toBeNull();
    await owner.post(`${path}/test`);
    await expect.poll(() => heardOf('webhook.test').length, SOON).toBe(1);
    expect([secret, rotated.secret].map((each) => signs(heardOf('webhook.test')[0], each))).toEqual([true, true]);
    await server.sql(`update webhooks set rotated_at = now() - interval '25 hours' where id = $1`, [webhook.id]);
    await owner.post(`${path}/test`);
    await expect.poll(() => heardOf('webhook.test').length, SOON).toBe(2);
    expect([secret, rotated.secret].map((each) => signs(heardOf('webhook.test')[1], each))).toEqual([false, true]);
  });

  it('hear of each subject in order, and lose nothing while they don’t answer', async () => {
    const { webhook } = await add(['run.started', 'run.paused', 'run.resumed', 'run.cancelled']);
    listener.answer(503);
    const runs = [await startRun(), await startRun()];
    for (const { id } of runs) {
      await owner.post(`/api/runs/${id}/pause`);
      await owner.post(`/api/runs/${id}/resume`);
      await owner.post(`/api/runs/${id}/cancel`, { reason: 'Over' });
    }
    await expect.poll(async () => (await owner.get<Webhook[]>('/api/webhooks'))[0]?.waiting, SOON).toBe(8);
    await expect.poll(async () => (await log(webhook.id)).filter(({ attempts }) => attempts > 0).length, SOON).toBe(2);
    expect(new Set(listener.heard.map(({ headers }) => headers['stet-event']))).toEqual(new Set(['run.started']));
    const [failed] = await log(webhook.id, '?state=waiting');
    expect(failed?.state).toBe('waiting');

    listener.heard.length = 0;
    listener.answer(204);
    await expect
      .poll(async () => {
        await hurry();
        return (await log(webhook.id)).filter(({ state }) => state === 'delivered').length;
      }, SOON)
      .toBe(8);
    for (const { id } of runs) {
      const story = listener.heard.filter(({ json }) => json['runId'] === id).map(({ json }) => json['type']);
      expect(story).toEqual(['run.started', 'run.paused', 'run.resumed', 'run.cancelled']);
    }
    expect((await owner.get<Webhook[]>('/api/webhooks'))[0]).toMatchObject({ waiting: 0, failuresInRow: 0 });
  });

  it('are given up after the last try, and sent again under the same id when someone asks', async () => {
    const { webhook } = await add(['run.started']);
    listener.answer(500);
    await startRun();
    await expect.poll(async () => (await log(webhook.id))[0]?.status, SOON).toBe(500);
    await server.sql(`update webhook_deliveries set attempts = 50`);
    await expect
      .poll(async () => {
        await hurry();
        return (await log(webhook.id, '?state=dead')).length;
      }, SOON)
      .toBe(1);
    const [dead] = await log(webhook.id, '?state=dead');
    expect(dead).toMatchObject({ status: 500, problem: 'It answered 500', nextAttemptAt: null });

    listener.answer(200);
    listener.heard.length = 0;
    const path = `/api/webhooks/${webhook.id}`;
    expect(await owner.post(`${path}/redeliver`)).toEqual({ redelivered: 1 });
    await expect.poll(() => listener.heard.length, SOON).toBe(1);
    expect(listener.heard[0]?.json['id']).toBe(dead?.id);
    await expect.poll(async () => (await log(webhook.id))[0]?.state, SOON).toBe('delivered');
    await owner.post(`${path}/deliveries/${dead?.id}/redeliver`);
    await expect.poll(() => listener.heard.length, SOON).toBe(2);
    expect(await owner.post(`${path}/redeliver`)).toEqual({ redelivered: 0 });
  });

  it('hear at once of what waits, when someone asks, after a test that arrives, and at a new address', async () => {
    const { webhook } = await add(['run.started']);
    const path = `/api/webhooks/${webhook.id}`;
    const ways: Record<string, (id: string) => Promise<unknown>> = {
      asked: (id) => owner.post(`${path}/deliveries/${id}/redeliver`),
      tested: () => owner.post(`${path}/test`),
      moved: () => owner.patch(path, { url: `${listener.url}?moved` }),
    };
    for (const [way, go] of Object.entries(ways)) {
      listener.answer(503);
      await startRun();
      await expect.poll(async () => (await log(webhook.id, '?state=waiting'))[0]?.status, SOON).toBe(503);
      const [waiting] = await log(webhook.id, '?state=waiting');
      await server.sql(
        `update webhook_deliveries set next_attempt_at = now() + interval '1 day' where state = 'waiting'`,
      );
      await server.sql(`update outbox set run_at = now() + interval '1 day' where task = 'deliver_webhook'`);
      listener.answer(200);
      await go(waiting?.id ?? '');
      await expect
        .poll(async () => (await log(webhook.id, '?state=waiting')).length, { ...SOON, message: way })
        .toBe(0);
    }
  });

  it('are fed by every node at once without a delivery more', async () => {
    const { webhook } = await add(['run.started']);
    const runs = await Promise.all(Array.from({ length: 8 }, () => startRun()));
    await Promise.all(Array.from({ length: 6 }, () => feedWebhooks(server.server.deps)));
    await expect
      .poll(async () => (await log(webhook.id)).filter(({ state }) => state === 'delivered').length, SOON)
      .toBe(8);
    expect(listener.heard.map(({ json }) => String(json['runId'])).toSorted()).toEqual(
      runs.map(({ id }) => id).toSorted(),
    );
  });

  it('hear of what lost its job, and what ended a month ago is forgotten', async () => {
    const { webhook } = await add(['run.started']);
    listener.answer(503);
    await startRun();
    await expect.poll(async () => (await log(webhook.id))[0]?.status, SOON).toBe(503);
    await server.sql(`delete from outbox where task = 'deliver_webhook'`);
    await server.sql(`update webhook_deliveries set next_attempt_at = now() - interval '3 minutes'`);
    await server.sql(
      `insert into webhook_deliveries (org_id, id, webhook_id, action, subject, state, ended_at)
       values ($1, gen_random_uuid(), $2, 'webhook.test', 'old', 'dead', now() - interval '31 days')`,
      [orgId, webhook.id],
    );
    listener.answer(200);
    await sweepWebhooks(server.server.deps);
    await expect.poll(async () => (await log(webhook.id)).map(({ state }) => state), SOON).toEqual(['delivered']);
  });

  it('hear nothing while they are paused, nor of it later', async () => {
    const { webhook } = await add(['run.started']);
    await owner.patch(`/api/webhooks/${webhook.id}`, { isActive: false });
    await startRun();
    await feedWebhooks(server.server.deps);
    await owner.patch(`/api/webhooks/${webhook.id}`, { isActive: true });
    const { id } = await startRun();
    await expect.poll(() => listener.heard.length, SOON).toBe(1);
    expect(listener.heard[0]?.json['runId']).toBe(id);
  });

  it('don’t follow an event of another organization', async () => {
    await add();
    const stranger = await server.signUp({ team: 'Elsewhere' });
    await publish(stranger, stranger, 'flow', stepsNamed('First'));
    await expect.poll(() => heardOf('webhook.created').length, SOON).toBe(1);
    for (const { json } of listener.heard) expect(json['organizationId']).toBe(orgId);
  });

  it('are refused for addresses that are not on the internet, when they are added and when they are changed', async () => {
    const { webhook } = await add();
    for (const url of [
      'https://10.0.0.1/',
      'https://[::1]/',
      'http://169.254.169.254/latest/meta-data',
      'https://2130706434/',
    ]) {
      const refused = { status: 400, body: { code: 'invalid', error: 'This address is not on the public internet' } };
      expect(await owner.call('POST', '/api/webhooks', { name: 'n', url, actions: [] })).toMatchObject(refused);
      expect(await owner.call('PATCH', `/api/webhooks/${webhook.id}`, { url })).toMatchObject(refused);
    }
  });

  it('are kept by owners and admins alone, and each change of them is in the trail without the address’s path', async () => {
    const { webhook } = await add([], `${listener.url}/very-secret`);
    const path = `/api/webhooks/${webhook.id}`;
    await owner.patch(path, { name: 'Renamed' });
    await owner.post(`${path}/rotate`);
    await owner.call('DELETE', path);
    const events = await server.sql<{ action: string; payload: string }>(
      `select action, payload from audit_events where subject_type = 'webhook' and subject_id = $1 order by seq`,
      [webhook.id],
    );
    expect(events.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.changed',
      'webhook.secret_rotated',
      'webhook.removed',
    ]);
    expect(JSON.stringify(events)).not.toContain('very-secret');
  });
});

/** Checks a signature as whoever listens does it. */
function signs(heard: Heard | undefined, secret: string): boolean {
  const parts = String(heard?.headers['stet-signature'])
    .split(',')
    .map((part) => part.split('='));
  const at = parts.find(([name]) => name === 't')?.[1] ?? '';
  const wanted = createHmac('sha256', secret).update(`${at}.${heard?.body}`).digest('hex');
  const isFresh = Math.abs(Date.now() / 1000 - Number(at)) < 300;
  return isFresh && parts.some(([name, value]) => name === 'v1' && value === wanted);
}
