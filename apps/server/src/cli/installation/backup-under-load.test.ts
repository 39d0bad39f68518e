import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../db/embedded/start-embedded-postgres.ts';
import { sealTrails } from '../../modules/audit/seal-trails.job.ts';
import { content } from '../../testing/drafts.ts';
import { type Client, type Person, type TestServer, startTestServerOn } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';

type Event = { seq: string; hash: string };

/** Backs up an installation with an embedded PostgreSQL, as created by `npm start`, while it is under load. */
describe('a backup of a running installation under load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stet-backup-load-'));
  const dataDir = join(folder, 'data');
  const log = { info() {}, warn() {}, error() {} };
  const closing: (() => Promise<void>)[] = [];
  const open = async (directory: string): Promise<TestServer> => {
    const postgres = await startEmbeddedPostgres({ dataDir: directory, log, settings: { fsync: 'off' } });
    const { connection } = postgres;
    const url = `postgres://${connection.user}@${encodeURIComponent(connection.host)}:${connection.port}/${connection.database}`;
    const server = await startTestServerOn({ connection, url, drop: async () => {} }, { DATA_DIR: directory });
    closing.unshift(postgres.stop);
    closing.unshift(server.stop);
    return server;
  };
  let server: TestServer;
  let left: Person;
  let right: Person;
  beforeAll(async () => {
    server = await open(dataDir);
    left = await server.signUp({ team: 'Left' });
    right = await server.signUp({ team: 'Right' });
  });
  afterAll(async () => {
    for (const close of closing) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  const trailOf = ({ sql }: TestServer, { user }: Person): Promise<Event[]> =>
    sql<Event>(
      `select seq::text, encode(hash, 'hex') as hash from audit_events where org_id = $1 order by audit_events.seq`,
      [user.currentOrgId],
    );
  /** The number of workflows created by the alternating load in this person's organization. */
  const swings = async ({ sql }: TestServer, { user }: Person): Promise<number> =>
    (
      await sql<{ n: number }>(`select count(*)::int as n from workflows where org_id = $1 and key like 'swing-%'`, [
        user.currentOrgId,
      ])
    )[0]?.n ?? 0;

  it('is a consistent snapshot with intact trails', async () => {
    let writing = true;
    const written = { swings: 0, saves: 0, seals: 0 };
    // The load alternates between the organizations, so the left one has as many workflows as the right one, or one
    // more.
    const pendulum = async (): Promise<void> => {
      for (let n = 1; writing; n += 1) {
        await left.post(`/api/workflows/swing-${n}/drafts`, content(`Swing ${n}`));
        await right.post(`/api/workflows/swing-${n}/drafts`, content(`Swing ${n}`));
        written.swings = n;
      }
    };
    const saver = async (who: Person, key: string): Promise<void> => {
      const { draftId } = await who.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, content('Saved'));
      for (let n = 1; writing; n += 1) {
        await who.patch(`/api/workflows/${key}/drafts/${draftId}`, content(`Saved ${n}`));
        written.saves += 1;
      }
    };
    const sealer = async (): Promise<void> => {
      while (writing) {
        await sealTrails(server.server.deps);
        written.seals += 1;
      }
    };
    const writers = Promise.all([
      pendulum(),
      sealer(),
      saver(left, 'a'),
      saver(left, 'b'),
      saver(right, 'c'),
      saver(right, 'd'),
    ]);

    const backups: string[] = [];
    const counts: number[] = [];
    for (let n = 1; n <= 3; n += 1) {
      while (written.swings < n * 8 || written.seals < n) await new Promise((resolve) => setTimeout(resolve, 20));
      const before = written.swings;
      const file = join(folder, `backup-${n}.gz`);
      expect(await stet(['backup', file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
      counts.push(before, written.swings);
      backups.push(file);
    }
    writing = false;
    await writers;
    expect(written.saves).toBeGreaterThan(10);

    for (const [n, file] of backups.entries()) {
      const copyDir = join(folder, `copy-${n}`);
      expect(await stet(['restore', file], { DATA_DIR: copyDir })).toMatchObject({ code: 0, out: '' });
      const copy = await open(copyDir);
      const [leftSwings, rightSwings] = [await swings(copy, left), await swings(copy, right)];
      expect(leftSwings - rightSwings === 0 || leftSwings - rightSwings === 1, `${leftSwings} and ${rightSwings}`).toBe(
        true,
      );
      expect(leftSwings).toBeGreaterThanOrEqual(counts[2 * n] ?? 0);
      expect(rightSwings).toBeLessThanOrEqual((counts[2 * n + 1] ?? 0) + 1);

      for (const who of [left, right]) {
        // The copy's trail is a prefix of the original's, followed by the restore event.
        const trail = await trailOf(copy, who);
        expect(trail.map(({ seq }) => seq)).toEqual(trail.map((_, index) => String(index + 1)));
        const restored = await copy.sql<{ seq: string }>(
          `select seq::text from audit_events where org_id = $1 and action = 'installation.restored'`,
          [who.user.currentOrgId],
        );
        expect(restored).toHaveLength(1);
        const restoredTrail = trail.slice(0, Number(restored[0]?.seq) - 1);
        expect((await trailOf(server, who)).slice(0, restoredTrail.length)).toEqual(restoredTrail);
        const [odd] = await copy.sql<{ n: number }>(
          `select count(*)::int as n from workflow_versions v where org_id = $1 and revision <> 1 + (
             select count(*) from audit_events e where e.org_id = v.org_id and e.subject_id = v.id::text and e.action = 'draft.saved')`,
          [who.user.currentOrgId],
        );
        expect(odd).toEqual({ n: 0 });
        await verify(copy, copy.as(who.token), who.user.currentOrgId ?? '', copyDir);
      }
    }
  }, 180_000);

  async function verify(
    { server: { deps } }: TestServer,
    client: Client,
    orgId: string,
    copyDir: string,
  ): Promise<void> {
    await sealTrails(deps); // Continues from the copy's checkpoints, or reports that they don't match.
    const bundle = join(folder, `${orgId}.ndjson`);
    writeFileSync(bundle, (await client.call<string>('GET', '/api/audit/export.ndjson')).body);
    const options = [
      '--checkpoints',
      join(copyDir, 'checkpoints', `${orgId}.txt`),
      '--key',
      join(copyDir, 'keys', 'audit-signing.pub'),
    ];
    const verdict = await stet(['audit', 'verify', bundle, ...options]);
    expect(verdict.out).toContain('Intact');
    expect(verdict.code).toBe(0);
  }
});
