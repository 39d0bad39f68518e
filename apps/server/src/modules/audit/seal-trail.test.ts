import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditStatus } from '@stet/contract';
import { readCheckpoint, openNote, readNoteKey, splitNotes } from '@stet/domain/audit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAuditSigner, verifyEd25519 } from '../../kernel/audit-signer.ts';
import { eventually } from '../../testing/mailbox.ts';
import { type ProofScene, orgOf, statusOf, verified, startProofScene } from '../../testing/proof-scene.ts';
import { start } from '../../testing/runs.ts';
import type { TestServer } from '../../testing/server.ts';
import { BrokenTrail } from './seal-trail.ts';
import { sealTrails } from './seal-trails.job.ts';

describe('the proof of the audit trail', () => {
  let scene: ProofScene;
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    scene = await startProofScene();
    ({ server, folder } = scene);
  });
  afterAll(() => scene.stop());

  describe('checkpoints', () => {
    it('are signed over all that is new, in the database and in a file outside it', async () => {
      const person = await scene.aPerson();
      const first = await scene.seal(person);
      expect(await scene.seal(person)).toBe(first);
      await start(person, 'flow');
      const second = await scene.seal(person);
      expect(second).toBeGreaterThan(first);

      const { checkpoint, events, key } = await statusOf(person);
      expect(checkpoint?.size).toBe(events);
      const notes = splitNotes(readFileSync(scene.checkpointFile(person), 'utf8'));
      expect(notes.at(-1)).toBe(checkpoint?.note);
      const known = readNoteKey(key);
      const sizes = notes.map((note) => {
        const opened = openNote(note, known ? [known] : [], verifyEd25519);
        const said = opened.ok ? readCheckpoint(opened.text) : null;
        expect(said).toMatchObject({ orgId: orgOf(person) });
        return said?.size;
      });
      // The job that runs by the minute may have made one of its own between the two.
      expect(sizes).toEqual(expect.arrayContaining([first, second]));
      expect(sizes).toEqual([...new Set(sizes)]);
      expect(statSync(scene.checkpointFile(person)).mode & 0o777).toBe(0o600);
    });

    it('grow from what the last one kept, and hold against the tree grown from the start', async () => {
      const person = await scene.aPerson();
      for (let n = 0; n < 6; n += 1) {
        await start(person, 'flow');
        await scene.seal(person);
      }
      expect(await verified(person)).toMatchObject({ state: 'ok', firstBadSeq: null });
    });

    it('come by the job, of every organization that has something new, and by any number of servers at once', async () => {
      const [one, other] = [await scene.aPerson(), await scene.aPerson()];
      const { deps } = server.server;
      await Promise.all([sealTrails(deps), sealTrails(deps), scene.seal(one), scene.seal(other)]);
      for (const person of [one, other]) {
        const { checkpoint, events } = await statusOf(person);
        expect(checkpoint?.size).toBe(events);
        const sizes = await server.sql<{ size: string }>('select size from audit_checkpoints where org_id = $1', [
          orgOf(person),
        ]);
        expect(new Set(sizes.map(({ size }) => size)).size).toBe(sizes.length);
        expect(await verified(person)).toMatchObject({ state: 'ok' });
      }
    });

    it('come with each thousandth event, without waiting for the minute, and keep no other job from its turn', async () => {
      const person = await scene.aPerson();
      const payload =
        '{"action":"sla.at_risk","actor":{"id":"system","kind":"system","name":"system"},"subject":{"id":"r","type":"run"}}';
      const columns = { actor: 'system', action: 'sla.at_risk', subject_type: 'run', subject_id: 'r', run_id: null };
      const events = Array.from({ length: 1000 }, () => ({ ...columns, payload, salt: '00'.repeat(16) }));
      for (let n = 0; n < 3; n += 1) {
        await server.sql(
          `with tenant as materialized (select set_config('stet.org_id', $1, true) as set)
           select audit_append($2::jsonb) from tenant where set is not null`,
          [orgOf(person), JSON.stringify(events)],
        );
      }
      await eventually(async () => ((await statusOf(person)).checkpoint?.size ?? 0) >= 3000 || undefined);
      await eventually(async () => (await server.sql('select from outbox')).length === 0 || undefined);
      expect(await verified(person)).toMatchObject({ state: 'ok' });
    });

    it('are never signed over a trail that is broken, nor over one that was sealed otherwise before', async () => {
      const edited = await scene.aPerson();
      await scene.tamper(
        `update audit_events set payload = replace(payload, 'flow', 'flaw') where org_id = $org and seq = 3`,
        orgOf(edited),
      );
      await expect(scene.seal(edited)).rejects.toThrow(BrokenTrail);

      const cut = await scene.aPerson();
      const size = await scene.seal(cut);
      await scene.tamper(
        `delete from audit_checkpoints where org_id = $org; delete from audit_events where org_id = $org and seq = ${size};
         update audit_heads h set seq = e.seq, hash = e.hash, at = e.at from audit_events e
         where h.org_id = $org and e.org_id = $org and e.seq = ${size - 1}`,
        orgOf(cut),
      );
      await expect(scene.seal(cut)).rejects.toMatchObject({ problem: 'truncation', firstBadSeq: size });
      // Once new events took the place of those that were removed, the numbers are as before and the root is not.
      await start(cut, 'flow');
      await expect(scene.seal(cut)).rejects.toMatchObject({ problem: 'rewrite', firstBadSeq: size });
      await sealTrails(server.server.deps);
      expect((await statusOf(cut)).verification).toMatchObject({
        state: 'broken',
        firstBadSeq: size,
        problem: 'rewrite',
      });
    });

    it('can be added by the server’s role and neither changed nor removed, by nobody while the triggers are there', async () => {
      const person = await scene.aPerson();
      await scene.seal(person);
      const role = new pg.Client({ ...server.database.connection, options: '-c role=stet_app' });
      await role.connect();
      for (const text of [
        'update audit_checkpoints set size = 1',
        'delete from audit_checkpoints',
        'truncate audit_checkpoints',
      ]) {
        await expect(server.sql(text), text).rejects.toThrow('append only');
        await expect(role.query(text), text).rejects.toMatchObject({ code: '42501' });
      }
      await role.end();
    });
  });

  describe('the signing key', () => {
    it('is made once, whoever comes first, and only its owner can read it', () => {
      const own = mkdtempSync(join(folder, 'keys-'));
      const [one, other] = [openAuditSigner(own), openAuditSigner(own)];
      expect(other.keyOf('a')).toEqual(one.keyOf('a'));
      expect(statSync(join(own, 'keys', 'audit-signing.key')).mode & 0o777).toBe(0o600);
      const message = new TextEncoder().encode('message');
      const { publicKey } = one.keyOf('a');
      const signature = new Uint8Array(one.sign(message));
      expect(verifyEd25519({ publicKey, message, signature })).toBe(true);
      expect(verifyEd25519({ publicKey, message, signature: signature.with(0, (signature[0] ?? 0) ^ 1) })).toBe(false);
      expect(verifyEd25519({ publicKey: new Uint8Array(3), message, signature })).toBe(false);
    });

    it('is trusted beside those whose public halves were put next to it', () => {
      const [own, theirs] = [mkdtempSync(join(folder, 'keys-')), mkdtempSync(join(folder, 'keys-'))];
      openAuditSigner(own);
      const other = openAuditSigner(theirs);
      writeFileSync(join(own, 'keys', 'audit-old.pub'), readFileSync(join(theirs, 'keys', 'audit-signing.pub')));
      expect(openAuditSigner(own).trustedKeysOf('a')).toEqual([openAuditSigner(own).keyOf('a'), other.keyOf('a')]);
    });
  });

  describe('verification by the server', () => {
    it('finds what someone with all rights on the database did, and names the first bad event', async () => {
      for (const [change, firstBadSeq, problem] of [
        [
          `update audit_events set payload = replace(payload, 'flow', 'flaw') where org_id = $org and seq = 3`,
          3,
          'digest',
        ],
        [`update audit_events set actor = 'other' where org_id = $org and seq = 2`, 2, 'derived'],
        [`delete from audit_events where org_id = $org and seq = 2`, 2, 'gap'],
        [
          `update audit_checkpoints set note = replace(note, 'signed 2', 'signed 3') where org_id = $org`,
          null,
          'signature',
        ],
      ] as const) {
        const person = await scene.aPerson();
        await scene.seal(person);
        expect(await verified(person)).toMatchObject({ state: 'ok' });
        await scene.tamper(change, orgOf(person));
        const { events } = await statusOf(person);
        expect(await verified(person), change).toMatchObject({
          state: 'broken',
          firstBadSeq: firstBadSeq ?? events,
          problem,
        });
      }
    });

    it('finds a trail that was cut short or written anew, by the checkpoints outside the database', async () => {
      const person = await scene.aPerson();
      const size = await scene.seal(person);
      await scene.tamper(
        `delete from audit_checkpoints where org_id = $org; delete from audit_events where org_id = $org and seq > 4;
         update audit_heads h set seq = e.seq, hash = e.hash, at = e.at from audit_events e
         where h.org_id = $org and e.org_id = $org and e.seq = 4`,
        orgOf(person),
      );
      expect(await verified(person)).toMatchObject({ state: 'broken', firstBadSeq: 5, problem: 'truncation' });
      for (let n = 0; n < size; n += 1) await start(person, 'flow');
      expect(await verified(person)).toMatchObject({ state: 'broken', firstBadSeq: size, problem: 'rewrite' });
    });

    it('is one at a time, and can be begun again where its process was lost', async () => {
      const person = await scene.aPerson();
      const state = (at: string): Promise<unknown> =>
        server.sql(
          `insert into audit_verifications (org_id, id, state, updated_at) values ($1, gen_random_uuid(), 'running', ${at})
           on conflict (org_id) do update set state = 'running', problem = null, updated_at = excluded.updated_at`,
          [orgOf(person)],
        );
      await state('clock_timestamp()');
      expect((await person.post<AuditStatus>('/api/audit/verify')).verification).toMatchObject({
        state: 'running',
        total: 0,
      });
      await state(`clock_timestamp() - interval '2 minutes'`);
      expect((await statusOf(person)).verification).toMatchObject({ state: 'interrupted' });
      expect(await verified(person)).toMatchObject({ state: 'ok' });
    });
  });
});
