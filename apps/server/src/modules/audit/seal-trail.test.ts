import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEventView, AuditStatus } from '@stet/contract';
import { SYSTEM_ACTOR, readCheckpoint, openNote, readNoteKey, splitNotes } from '@stet/domain/audit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit } from './append-audit.ts';
import { openAuditMac } from './audit-mac.ts';
import { openAuditSigner, verifyEd25519 } from './audit-signer.ts';
import { eventually } from '../../testing/mailbox.ts';
import { type ProofScene, orgOf, statusOf, verified, startProofScene } from '../../testing/proof-scene.ts';
import { start } from '../../testing/runs.ts';
import { type TestServer, startTestServer, startTestServerOn } from '../../testing/server.ts';
import { BrokenTrail } from './seal-trail.ts';
import { sealTrails } from './seal-trails.job.ts';

describe('the audit trail', () => {
  let scene: ProofScene;
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    scene = await startProofScene();
    ({ server, folder } = scene);
  });
  afterAll(() => scene.stop());

  describe('checkpoints', () => {
    it('are signed over all new events, in the database and in a file outside it', async () => {
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
        const sealed = opened.ok ? readCheckpoint(opened.text) : null;
        expect(sealed).toMatchObject({ orgId: orgOf(person) });
        return sealed?.size;
      });
      // The job that runs every minute may have created a checkpoint in the meantime.
      expect(sizes).toEqual(expect.arrayContaining([first, second]));
      expect(sizes).toEqual([...new Set(sizes)]);
      expect(statSync(scene.checkpointFile(person)).mode & 0o777).toBe(0o600);
    });

    it('extend the subtrees stored with the last checkpoint, with the same result as a tree built from scratch', async () => {
      const person = await scene.aPerson();
      for (let n = 0; n < 6; n += 1) {
        await start(person, 'flow');
        await scene.seal(person);
      }
      expect(await verified(person)).toMatchObject({ state: 'ok', firstBadSeq: null });
    });

    it('are created by the job for every organization with new events, even if it runs several times concurrently on two servers', async () => {
      const [one, other] = [await scene.aPerson(), await scene.aPerson()];
      const { deps } = server.server;
      const second = await startTestServerOn(server.database, {}, { sealEveryMs: 3_600_000 });
      try {
        const jobs = [deps, second.server.deps].flatMap((each) => [sealTrails(each), sealTrails(each)]);
        await Promise.all([...jobs, scene.seal(one), scene.seal(other)]);
        // Each server has saved only its own checkpoints outside the database.
        await Promise.all([sealTrails(deps), sealTrails(second.server.deps)]);
      } finally {
        await second.server.stop();
      }
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

    it('are created after every thousand events, without waiting for the next minute', async () => {
      const person = await scene.aPerson();
      const record = {
        actor: SYSTEM_ACTOR,
        action: 'session.signed_in',
        subject: { type: 'user', id: 'u' },
      } as const;
      for (let n = 0; n < 3; n += 1)
        await server.server.deps.db.transaction({ orgId: orgOf(person), userId: null }, async (tx) =>
          appendAudit(
            tx,
            Array.from({ length: 1000 }, () => record),
          ),
        );
      await eventually(async () => ((await statusOf(person)).checkpoint?.size ?? 0) >= 3000 || undefined);
      await eventually(async () => (await server.sql('select from outbox')).length === 0 || undefined);
      expect(await verified(person)).toMatchObject({ state: 'ok' });
    });

    it('are never signed over a broken trail or one already sealed with different contents', async () => {
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
      // New events have taken the numbers of the removed ones, so only the root differs.
      await start(cut, 'flow');
      await expect(scene.seal(cut)).rejects.toMatchObject({ problem: 'rewrite', firstBadSeq: size });
      await sealTrails(server.server.deps);
      expect((await statusOf(cut)).verification).toMatchObject({
        state: 'broken',
        firstBadSeq: size,
        problem: 'rewrite',
      });
    });

    it("can't be changed or deleted by any role while the triggers exist", async () => {
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

  describe('starting on a database that is older than its checkpoints', () => {
    it('records the last missing checkpoint in the trail, and continues', async () => {
      const [person, other] = [await scene.aPerson(), await scene.aPerson()];
      const was = await scene.seal(person);
      await server.anyone.post('/api/auth/login', { email: person.user.email, password: 'a long enough one' });
      const size = await scene.seal(person);
      await scene.seal(other);
      await scene.tamper(
        `delete from audit_checkpoints where org_id = $org and size > ${was}; delete from audit_events where org_id = $org and seq > ${was};
         update audit_heads h set seq = e.seq, hash = e.hash, at = e.at from audit_events e
         where h.org_id = $org and e.org_id = $org and e.seq = ${was}`,
        orgOf(person),
      );
      const restarted = await startTestServerOn(server.database, { DATA_DIR: server.dataDir });
      try {
        const [event] = await person.get<AuditEventView[]>('/api/audit/events?action=installation.restored');
        expect(event).toMatchObject({ seq: was + 1, data: { backupAt: null, lastEvent: was, lacks: { size } } });
        expect(await verified(person)).toMatchObject({ state: 'ok' });
        expect(await scene.seal(person)).toBe(was + 1);
        const aside = scene.checkpointFile(person).replace('.txt', '.set-aside.txt');
        expect(readFileSync(aside, 'utf8')).toContain(`\n${size}\n`);
        expect(await other.get('/api/audit/events?action=installation.restored')).toEqual([]);
      } finally {
        await restarted.server.stop();
      }
    });
  });

  describe('a governance event', () => {
    it('is sealed automatically within two seconds', async () => {
      const sealing = await startTestServer();
      try {
        const owner = await sealing.signUp({ team: 'Sealed' });
        const changedAt = Date.now();
        await owner.patch(`/api/organizations/${orgOf(owner)}`, { requiredApprovals: 2 });
        const { checkpoint } = await eventually(async () => {
          const status = await statusOf(owner);
          return status.checkpoint?.size === status.events ? status : undefined;
        });
        expect(new Date(checkpoint?.at ?? 0).getTime() - changedAt).toBeLessThan(2000);
      } finally {
        await sealing.stop();
      }
    });
  });

  describe('the signing key', () => {
    it('is created only the first time it is opened, and is readable only by its owner', () => {
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

    it('is trusted, as are other keys whose public halves are stored next to it', () => {
      const [own, theirs] = [mkdtempSync(join(folder, 'keys-')), mkdtempSync(join(folder, 'keys-'))];
      openAuditSigner(own);
      const other = openAuditSigner(theirs);
      writeFileSync(join(own, 'keys', 'audit-old.pub'), readFileSync(join(theirs, 'keys', 'audit-signing.pub')));
      expect(openAuditSigner(own).trustedKeysOf('a')).toEqual([openAuditSigner(own).keyOf('a'), other.keyOf('a')]);
    });
  });

  describe('the MAC key', () => {
    it('is derived from the signing key and is readable only by its owner', () => {
      const [own, theirs] = [mkdtempSync(join(folder, 'keys-')), mkdtempSync(join(folder, 'keys-'))];
      const [one, other] = [openAuditMac(own, openAuditSigner(own)), openAuditMac(own, openAuditSigner(own))];
      const message = new TextEncoder().encode('message');
      expect(other.checkOf('a').isMac(message, one.macOf(message))).toBe(true);
      expect(openAuditMac(theirs, openAuditSigner(theirs)).checkOf('a').isMac(message, one.macOf(message))).toBe(false);
      expect(statSync(join(own, 'keys', 'audit-mac.key')).mode & 0o777).toBe(0o600);
    });

    it('has a signed file next to it that counts the events without a MAC in older trails', () => {
      const own = mkdtempSync(join(folder, 'keys-'));
      const signer = openAuditSigner(own);
      const mac = openAuditMac(own, signer);
      expect(mac.hasBoundary()).toBe(false);
      mac.saveBoundary(new Map([['a', 7]]));
      mac.saveBoundary(new Map([['a', 9]]));
      expect([mac, openAuditMac(own, signer)].map((opened) => opened.checkOf('a').none)).toEqual([7, 7]);
      expect(mac.checkOf('b').none).toBe(0);
      const file = join(own, 'keys', 'audit-mac-boundary.txt');
      writeFileSync(file, readFileSync(file, 'utf8').replace('a 7', 'a 9'));
      expect(openAuditMac(own, signer).checkOf('a').none).toBe(0);
    });
  });

  describe('an event that was not appended by a server', () => {
    it.each([
      ['that of another event', 'e.mac, e.made_at'],
      ['missing', 'null::bytea as mac, null::timestamptz as made_at'],
    ])('is detected and not sealed if its MAC is %s, even if all its hashes match', async (_, mac) => {
      const person = await scene.aPerson();
      const size = await scene.seal(person);
      await scene.tamper(
        `insert into audit_events
         select f.org_id, f.seq, f.at, f.actor, f.action, f.subject_type, f.subject_id, f.run_id, f.payload, f.salt, f.digest, f.prev,
                sha256('\\x00'::bytea || '\\x01'::bytea || uuid_send(f.org_id) || int8send(f.seq)
                       || int8send((extract(epoch from f.at) * 1000000)::bigint) || f.prev || f.digest), f.mac, f.made_at
         from (
           select e.org_id, h.seq + 1 as seq, h.at + interval '1 second' as at, e.actor, e.action, e.subject_type, e.subject_id, e.run_id,
                  replace(e.payload, '"name":"', '"name":"Not ') as payload, e.salt,
                  sha256(e.salt || convert_to(replace(e.payload, '"name":"', '"name":"Not '), 'UTF8')) as digest, h.hash as prev,
                  ${mac}
           from audit_events e join audit_heads h on h.org_id = e.org_id where e.org_id = $org and e.seq = 3
         ) f;
         update audit_heads h set seq = e.seq, hash = e.hash, at = e.at from audit_events e
         where h.org_id = $org and e.org_id = $org and e.seq = h.seq + 1`,
        orgOf(person),
      );
      await expect(scene.seal(person)).rejects.toMatchObject({ problem: 'mac', firstBadSeq: size + 1 });
      expect(await verified(person)).toMatchObject({ state: 'broken', firstBadSeq: size + 1, problem: 'mac' });
    });
  });

  describe('verification by the server', () => {
    it('detects changes made with full rights to the database, and returns the number of the first bad event', async () => {
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

    it('detects a truncated or rewritten trail through the checkpoints outside the database', async () => {
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

    it('runs at most once at a time, and can be started again if its process has died', async () => {
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
