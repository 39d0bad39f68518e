import type { Webhook } from '@stet/contract';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { SOON, startWebhookScene } from '../../testing/webhook-scene.ts';
import { doHousekeeping } from '../housekeeping/housekeeping.job.ts';
import { sweepWebhooks } from './deliver-webhook.job.ts';
import { feedWebhooks } from './feed-webhooks.ts';

const scene = await startWebhookScene();
const { server, owner, orgId, listener, add, startRun, log, hurry } = scene;

describe('webhooks', () => {
  afterEach(() => scene.reset());
  afterAll(() => scene.stop());

  it("receive each subject’s events in order, and lose none while they don't respond", async () => {
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
    await expect
      .poll(() => new Set(listener.received.map(({ headers }) => headers['stet-event'])), SOON)
      .toEqual(new Set(['run.started']));
    const [failed] = await log(webhook.id, '?state=waiting');
    expect(failed?.state).toBe('waiting');

    listener.received.length = 0;
    listener.answer(204);
    await expect
      .poll(async () => {
        await hurry();
        return (await log(webhook.id)).filter(({ state }) => state === 'delivered').length;
      }, SOON)
      .toBe(8);
    for (const { id } of runs) {
      const story = listener.received.filter(({ json }) => json['runId'] === id).map(({ json }) => json['type']);
      expect(story).toEqual(['run.started', 'run.paused', 'run.resumed', 'run.cancelled']);
    }
    expect((await owner.get<Webhook[]>('/api/webhooks'))[0]).toMatchObject({ waiting: 0, failuresInRow: 0 });
  });

  it('are sent each delivery a limited number of times, and again with the same id on request', async () => {
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
    expect(dead).toMatchObject({ status: 500, problem: 'The server responded with 500', nextAttemptAt: null });

    listener.answer(200);
    listener.received.length = 0;
    const path = `/api/webhooks/${webhook.id}`;
    expect(await owner.post(`${path}/redeliver`)).toEqual({ redelivered: 1 });
    await expect.poll(() => listener.received.length, SOON).toBe(1);
    expect(listener.received[0]?.json['id']).toBe(dead?.id);
    await expect.poll(async () => (await log(webhook.id))[0]?.state, SOON).toBe('delivered');
    await owner.post(`${path}/deliveries/${dead?.id}/redeliver`);
    await expect.poll(() => listener.received.length, SOON).toBe(2);
    expect(await owner.post(`${path}/redeliver`)).toEqual({ redelivered: 0 });
  });

  it('receive pending deliveries immediately on request, after a successful test, and after a change of address', async () => {
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

  it('receive each event once, even if several nodes read the trail concurrently', async () => {
    const { webhook } = await add(['run.started']);
    const runs = await Promise.all(Array.from({ length: 8 }, () => startRun()));
    await Promise.all(Array.from({ length: 6 }, () => feedWebhooks(server.server.deps)));
    await expect
      .poll(async () => (await log(webhook.id)).filter(({ state }) => state === 'delivered').length, SOON)
      .toBe(8);
    expect(listener.received.map(({ json }) => String(json['runId'])).toSorted()).toEqual(
      runs.map(({ id }) => id).toSorted(),
    );
  });

  it('get deliveries whose jobs were lost, and list finished ones until housekeeping deletes them', async () => {
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
    const states = async () => (await log(webhook.id)).map(({ state }) => state);
    await expect.poll(states, SOON).toEqual(['dead', 'delivered']);
    await doHousekeeping(server.server.deps);
    expect(await states()).toEqual(['delivered']);
  });

  it("get nothing while paused, and don't get those events later", async () => {
    const { webhook } = await add(['run.started']);
    await owner.patch(`/api/webhooks/${webhook.id}`, { isActive: false });
    await startRun();
    await feedWebhooks(server.server.deps);
    await owner.patch(`/api/webhooks/${webhook.id}`, { isActive: true });
    const { id } = await startRun();
    await expect.poll(() => listener.received.length, SOON).toBe(1);
    expect(listener.received[0]?.json['runId']).toBe(id);
  });
});
