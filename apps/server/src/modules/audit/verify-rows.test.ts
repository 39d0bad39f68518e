import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditedScene, startAuditedScene } from '../../testing/audited-scene.ts';
import { CHANGES, changing } from '../../testing/changes.ts';
import { addressOf } from '../../testing/routes.ts';
import { differences } from './derived-rows.ts';
import { rowsByEvents, storedRows } from './governing-rows.ts';
import { continueRows } from './verify-rows.ts';

describe('rows and the events that produce them', () => {
  let at: AuditedScene;
  beforeAll(async () => {
    at = await startAuditedScene();
  });
  afterAll(() => at.server.stop());

  /**
   * The names of the rows that differ from their events. Scenarios that change rows with SQL also cause differences.
   */
  const differing = (orgId: string): Promise<Set<string>> =>
    at.server.server.deps.db.snapshot({ orgId, userId: null }, async (tx) => {
      const [derived, stored] = await Promise.all([rowsByEvents(tx, orgId, 0), storedRows(tx, orgId)]);
      return new Set(differences(derived, stored).map((sentence) => sentence.split(' is ', 1)[0] ?? ''));
    });

  it.each(changing)('still agree after %s', async (key) => {
    const [, prepare] = CHANGES[key] ?? [];
    const prepared = await prepare?.(at);
    const { method, path } = addressOf(key, prepared);
    const orgs = await at.server.sql<{ id: string }>('select id from organizations');
    const before = await Promise.all(orgs.map(({ id }) => differing(id)));
    const reply = await (prepared?.by ?? at.owner).call(method, path, prepared?.body, prepared?.headers);
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    for (const [n, { id }] of orgs.entries())
      expect([...(await differing(id))].filter((row) => !before[n]?.has(row))).toEqual([]);
  });

  it('agree for every run, and for all rows in organizations that were not changed with SQL', async () => {
    for (const { id } of await at.server.sql<{ id: string }>('select id from organizations')) {
      if (id !== at.orgId) expect([...(await differing(id))]).toEqual([]);
      const rows = { step: 'runs', after: '00000000-0000-0000-0000-000000000000' } as const;
      const { deps } = at.server.server;
      expect(await continueRows(deps, id, { total: 1, rows }, Number.POSITIVE_INFINITY)).toEqual({
        found: null,
        rows: null,
      });
    }
  });
});
