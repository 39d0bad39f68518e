import { afterAll, describe, expect, it } from 'vitest';
import { Refused } from '../kernel/refused.ts';
import { publish } from '../testing/organization.ts';
import type { Person } from '../testing/server.ts';
import { nameOf, renameUser, startTransactionScene } from '../testing/transaction-scene.ts';

const scene = await startTransactionScene();
const { server, person, tenant, startRun, complete } = scene;

describe('idempotency', () => {
  afterAll(() => scene.stop());

  describe('a request with an Idempotency-Key', () => {
    const start = (key: string, name = 'Once'): ReturnType<Person['call']> =>
      person.call('POST', '/api/runs', { key: 'two-steps', name }, { 'idempotency-key': key });
    const countOf = async (name: string): Promise<number> =>
      (await person.get<unknown[]>(`/api/runs?q=${name}`)).length;

    it('is executed only once if it is sent twice, with the same response', async () => {
      const [first, second] = [await start('twice', 'Twice'), await start('twice', 'Twice')];
      expect(second).toMatchObject({ status: 201, body: first.body as object });
      expect(await countOf('Twice')).toBe(1);
    });

    it('is executed once if twenty copies arrive together', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => start('crowd', 'Crowd')));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(await countOf('Crowd')).toBe(1);
    });

    it('completes a step once if twenty copies arrive together, and all get the same response', async () => {
      const { id } = await startRun();
      const answers = await Promise.all(Array.from({ length: 20 }, () => complete(id, { 'idempotency-key': 'step' })));
      expect(new Set(answers.map(({ status, body }) => JSON.stringify({ status, body }))).size).toBe(1);
      const { history } = await person.get<{ history: { action: string }[] }>(`/api/runs/${id}`);
      expect(history.filter(({ action }) => action === 'completed')).toHaveLength(1);
    });

    it('is refused if the key was used with a different body or path', async () => {
      const { body } = await start('reused');
      expect(await start('reused', 'Another')).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
      const { id } = body as { id: string };
      expect(await complete(id, { 'idempotency-key': 'reused' })).toMatchObject({
        status: 409,
        body: { code: 'idempotency_key_reused' },
      });
    });

    it('can be sent again after a refusal, because refusals aren’t saved', async () => {
      const { id } = await startRun();
      await person.post(`/api/runs/${id}/pause`);
      expect(await complete(id, { 'idempotency-key': 'later' })).toMatchObject({
        status: 409,
        body: { code: 'run_paused' },
      });
      await person.post(`/api/runs/${id}/resume`);
      expect((await complete(id, { 'idempotency-key': 'later' })).status).toBe(200);
    });

    it("is independent of another person's request with the same key", async () => {
      const other = await server.signUp();
      await publish(other, other, 'two-steps');
      const own = await start('shared');
      const theirs = await other.call(
        'POST',
        '/api/runs',
        { key: 'two-steps', name: 'Once' },
        { 'idempotency-key': 'shared' },
      );
      expect(theirs.status).toBe(201);
      expect((theirs.body as { id: string }).id).not.toBe((own.body as { id: string }).id);
    });

    it('writes only once, even if the request reads nothing', async () => {
      const { db } = server.server.deps;
      const once = { key: 'blind', digest: 'same' };
      const write = (name: string) =>
        db.changeOnce(tenant(), once, async (tx) => {
          tx.write(renameUser, { id: person.user.id, name });
          return { body: name };
        });
      expect(await write('Renamed')).toEqual({ body: 'Renamed' });
      expect(await write('Renamed again')).toEqual({ body: 'Renamed' });
      expect(await db.query(nameOf, { id: person.user.id })).toEqual([{ name: 'Renamed' }]);
      await expect(db.changeOnce(tenant(), { ...once, digest: 'other' }, async () => ({ body: null }))).rejects.toEqual(
        new Refused({ code: 'idempotency_key_reused' }),
      );
    });
  });
});
