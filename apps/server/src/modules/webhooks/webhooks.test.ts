import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { publish, stepsNamed } from '../../testing/organization.ts';
import { startTestServer, startTestServerOn } from '../../testing/server.ts';
import { type Added, SOON, signs, startWebhookScene } from '../../testing/webhook-scene.ts';

const scene = await startWebhookScene();
const { server, owner, orgId, listener, add, startRun, callsOf } = scene;

describe('webhooks', () => {
  afterEach(() => scene.reset());
  afterAll(() => scene.stop());

  it('receive the events that they subscribe to as recorded in the audit trail, but no earlier events', async () => {
    await startRun();
    await add(['run.started', 'step.completed']);
    const run = await startRun();
    await owner.post(`/api/runs/${run.id}/steps/step-1/complete`, { output: { text: 'Done' } });
    await expect.poll(() => listener.received.length, SOON).toBe(2);
    const events = await server.sql<{ seq: string; hash: string; action: string; payload: string }>(
      `select seq, encode(hash, 'hex') as hash, action, payload from audit_events
       where run_id = $1 and action in ('run.started', 'step.completed') order by seq`,
      [run.id],
    );
    expect(listener.received.map(({ json }) => ({ ...json, id: null, at: null }))).toEqual(
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
    expect(JSON.stringify(listener.received)).not.toContain('sessionId');
  });

  it("receive deliveries whose signature requires the secret and covers the body, and the secret isn't stored", async () => {
    const { secret, webhook } = await add();
    expect(secret).toMatch(/^stet_whsec_[\w-]{43}$/);
    await owner.post(`/api/webhooks/${webhook.id}/test`);
    await expect.poll(() => callsOf('webhook.test').length, SOON).toBe(1);
    const [received] = callsOf('webhook.test');
    expect(signs(received, secret)).toBe(true);
    expect(signs(received, `${secret}x`)).toBe(false);
    expect(signs(received && { ...received, body: `${received.body} ` }, secret)).toBe(false);
    expect(received?.headers['stet-delivery']).toBe(received?.json['id']);
    const savedRows = await server.sql<{ row: string }>(
      'select w::text as row from webhooks w union all select payload from audit_events union all select k::text from idempotency_keys k',
    );
    for (const { row } of savedRows) expect(row ?? '').not.toContain(secret.slice(11));
  });

  it('receive correctly signed deliveries after SECRET_KEY changes, as long as the server still has the earlier one', async () => {
    const [before, after] = ['the earlier secret of an installation', 'the later secret of an installation'];
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
    await expect.poll(() => callsOf('webhook.test').length, SOON).toBe(1);
    const rotated = await manager.post<Added>(`/api/webhooks/${webhook.id}/rotate`);
    await manager.post(`/api/webhooks/${webhook.id}/test`);
    await expect.poll(() => callsOf('webhook.test').length, SOON).toBe(2);
    const [first, second] = callsOf('webhook.test');
    expect([signs(first, secret), signs(second, secret), signs(second, rotated.secret)]).toEqual([true, true, true]);
    await now.server.stop();
    await old.stop();
  });

  it('receive deliveries that are also signed with the old secret for a day after its replacement', async () => {
    const { secret, webhook } = await add(['run.paused']);
    const path = `/api/webhooks/${webhook.id}`;
    const rotated = await owner.post<Added>(`${path}/rotate`);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.webhook.oldSecretUntil).not.toBeNull();
    await owner.post(`${path}/test`);
    await expect.poll(() => callsOf('webhook.test').length, SOON).toBe(1);
    expect([secret, rotated.secret].map((each) => signs(callsOf('webhook.test')[0], each))).toEqual([true, true]);
    await server.sql(`update webhooks set rotated_at = now() - interval '25 hours' where id = $1`, [webhook.id]);
    await owner.post(`${path}/test`);
    await expect.poll(() => callsOf('webhook.test').length, SOON).toBe(2);
    expect([secret, rotated.secret].map((each) => signs(callsOf('webhook.test')[1], each))).toEqual([false, true]);
  });

  it('don’t receive another organization’s events', async () => {
    await add();
    const stranger = await server.signUp({ team: 'Elsewhere' });
    await publish(stranger, stranger, 'flow', stepsNamed('First'));
    await expect.poll(() => callsOf('webhook.created').length, SOON).toBe(1);
    for (const { json } of listener.received) expect(json['organizationId']).toBe(orgId);
  });

  it('are refused if their address is not on the internet, both when added and when changed', async () => {
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

  it('have each change recorded in the trail, without the path of their address', async () => {
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
