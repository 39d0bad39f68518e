import { randomUUID } from 'node:crypto';
import type { Notification } from '@stet/contract';
import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit } from './append-audit.ts';
import { linkIn, mailsIn } from '../../testing/mailbox.ts';
import { joinOrganization } from '../../testing/organization.ts';
import { type ProofScene, orgOf, startProofScene, statusOf, verified } from '../../testing/proof-scene.ts';
import type { Person } from '../../testing/server.ts';
import { sealOrAlarm } from './seal-trails.job.ts';
import { beginProgress, continueVerification, readProgress, readWhole, signProgress } from './verification.ts';
import { beginVerification, findNextUnverified } from './verification.sql.ts';
import { verifyAllTrails } from './verify-trail.job.ts';

describe('the verification of whole trails', () => {
  let scene: ProofScene;
  beforeAll(async () => {
    scene = await startProofScene();
  });
  afterAll(() => scene.stop());

  const record = {
    actor: SYSTEM_ACTOR,
    action: 'session.signed_in',
    subject: { type: 'user', id: 'u' },
  } as const;
  const appendMany = (person: Person, length: number): Promise<void> =>
    scene.server.server.deps.db.transaction({ orgId: orgOf(person), userId: null }, async (tx) =>
      appendAudit(
        tx,
        Array.from({ length }, () => record),
      ),
    );
  const header = async (person: Person): Promise<Record<string, unknown>> => {
    const response = await fetch(`${scene.server.server.url}/api/audit/export.ndjson`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    return JSON.parse((await response.text()).split('\n', 1)[0] ?? '') as Record<string, unknown>;
  };

  /**
   * Verifies all trails, as the nightly job does. Each call of `verifyAllTrails` verifies as many as it has time for.
   */
  const verifyNight = async (): Promise<void> => {
    const { deps } = scene.server.server;
    const since = new Date().toISOString();
    do await verifyAllTrails(deps, { since });
    while ((await deps.db.query(findNextUnverified, { since })).length > 0);
  };

  it('resumes from its last progress, and trusts only fresh progress that was signed for the same organization', async () => {
    const [person, other] = [await scene.aPerson(), await scene.aPerson()];
    await appendMany(person, 600);
    await scene.seal(person);
    const { deps } = scene.server.server;
    const orgId = orgOf(person);
    const first = await continueVerification(deps, orgId, await beginProgress(deps, orgId), 0);
    expect(first).toMatchObject({ is: 'under_way', progress: { walked: { seq: 250 } } });
    const note = signProgress(deps, orgId, first.progress);
    const resumed = readProgress(deps, orgId, note, new Date());
    expect(resumed && signProgress(deps, orgId, resumed)).toBe(note);
    expect(readProgress(deps, orgId, note.replace('"total":6', '"total":5'), new Date())).toBeNull();
    expect(readProgress(deps, orgOf(other), note, new Date())).toBeNull();
    expect(readProgress(deps, orgId, note, new Date(Date.now() + 86_400_000))).toBeNull();
    // Events that have already been verified aren't read again, but later ones are.
    await scene.tamper(`update audit_events set actor = 'x' where org_id = $org and seq = 10`, orgId);
    expect(resumed && (await continueVerification(deps, orgId, resumed, 60_000))).toMatchObject({
      is: 'ended',
      found: null,
    });
    await scene.tamper(`update audit_events set actor = 'x' where org_id = $org and seq = 300`, orgId);
    expect(resumed && (await continueVerification(deps, orgId, resumed, 60_000))).toMatchObject({
      is: 'ended',
      found: { firstBadSeq: 300, problem: 'derived' },
    });
  });

  it('covers every organization in the nightly job, and exports contain its result', async () => {
    const person = await scene.aPerson();
    const { deps } = scene.server.server;
    expect(await header(person)).toMatchObject({ verified: null, finding: null });
    await verifyNight();
    const { verification } = await statusOf(person);
    expect(verification).toMatchObject({ state: 'ok', done: verification?.total });
    const [row] = await scene.server.sql<{ whole: string }>('select whole from audit_verifications where org_id = $1', [
      orgOf(person),
    ]);
    const whole = readWhole(deps, orgOf(person), row?.whole ?? null);
    expect(await header(person)).toMatchObject({
      verified: { at: whole?.endedAt, size: verification?.total },
      finding: null,
    });
    expect(await scene.server.sql('select from audit_verifications where ended_at is null')).toEqual([]);
  });

  it('marks a broken trail until it is intact: it gets no checkpoint, and its exports report the problem', async () => {
    const person = await scene.aPerson();
    const orgId = orgOf(person);
    const sealed = await scene.seal(person);
    expect(await verified(person)).toMatchObject({ state: 'ok' });
    await scene.tamper(`update audit_events set actor = 'x' where org_id = $org and seq = 2`, orgId);
    // An export also verifies the events that it contains again.
    expect(await header(person)).toMatchObject({ finding: { seq: 2, problem: 'derived' } });
    await expect(scene.seal(person)).rejects.toMatchObject({ problem: 'derived', firstBadSeq: 2 });
    expect((await statusOf(person)).checkpoint?.size).toBe(sealed);
    expect((await scene.server.server.deps.gauges()).database?.brokenTrails).toBeGreaterThan(0);
    await scene.tamper(
      `update audit_events set actor = payload::jsonb #>> '{actor,id}' where org_id = $org and seq = 2`,
      orgId,
    );
    expect(await verified(person)).toMatchObject({ state: 'ok' });
    expect(await scene.seal(person)).toBeGreaterThan(sealed);
  });

  it('stores a detailed finding, which sealing doesn’t replace', async () => {
    const owner = await scene.server.signUp({ team: 'Detailed' });
    const orgId = orgOf(owner);
    await scene.server.sql('update organizations set required_approvals = 0 where id = $1', [orgId]);
    const sentence = 'The stored policy requiredApprovals is 0, but should be 1 according to its events';
    const found = await verified(owner);
    expect(found).toMatchObject({ state: 'broken', problem: 'row', sentence });
    expect(await sealOrAlarm(scene.server.server.deps, orgId)).toBeNull();
    expect((await statusOf(owner)).verification).toEqual(found);
  });

  it('stores its result even if a concurrent sealing has read an earlier one', async () => {
    const { deps } = scene.server.server;
    /** Seals a trail, and calls `meanwhile` once the sealing has read the stored verification. */
    const sealWhile = async (orgId: string, meanwhile: () => Promise<unknown>): Promise<number | null> => {
      let isFirst = true;
      const transaction: typeof deps.db.transaction = async (...args) => {
        const result = await deps.db.transaction(...args);
        if (isFirst) {
          isFirst = false;
          await meanwhile();
        }
        return result;
      };
      return sealOrAlarm({ ...deps, db: { ...deps.db, transaction } }, orgId);
    };
    const alarmsOf = async (person: Person): Promise<number> =>
      (await person.get<Notification[]>('/api/notifications')).filter(({ kind }) => kind === 'trail_broken').length;

    const repaired = await scene.server.signUp({ team: 'Repaired' });
    const setApprovals = (person: Person, count: number) =>
      scene.server.sql('update organizations set required_approvals = $2 where id = $1', [orgOf(person), count]);
    await setApprovals(repaired, 0);
    expect(await verified(repaired)).toMatchObject({ state: 'broken' });
    await sealWhile(orgOf(repaired), async () => {
      await setApprovals(repaired, 1);
      expect(await verified(repaired)).toMatchObject({ state: 'ok' });
    });
    expect((await statusOf(repaired)).verification).toMatchObject({ state: 'ok' });
    expect(await alarmsOf(repaired)).toBe(1);

    // The sealing finds a changed event, while a verification finds a changed row after the event is repaired.
    const other = await scene.server.signUp({ team: 'Other' });
    await scene.tamper(`update audit_events set actor = 'x' where org_id = $org and seq = 1`, orgOf(other));
    const actor = `payload::jsonb #>> '{actor,id}'`;
    await sealWhile(orgOf(other), async () => {
      await scene.tamper(`update audit_events set actor = ${actor} where org_id = $org and seq = 1`, orgOf(other));
      await setApprovals(other, 0);
      expect(await verified(other)).toMatchObject({ problem: 'row' });
      await scene.tamper(`update audit_events set actor = 'x' where org_id = $org and seq = 1`, orgOf(other));
    });
    expect((await statusOf(other)).verification).toMatchObject({
      problem: 'row',
      sentence: 'The stored policy requiredApprovals is 0, but should be 1 according to its events',
    });
  });

  it('reports a trail as broken in exports while the next verification runs', async () => {
    const owner = await scene.server.signUp({ team: 'Again' });
    const orgId = orgOf(owner);
    expect(await verified(owner)).toMatchObject({ state: 'ok' });
    await scene.server.sql('update organizations set required_approvals = 0 where id = $1', [orgId]);
    expect(await verified(owner)).toMatchObject({ state: 'broken', problem: 'row' });
    const { db } = scene.server.server.deps;
    await db.transaction({ orgId, userId: null }, (tx) => tx.maybeOne(beginVerification, { orgId, id: randomUUID() }));
    expect((await statusOf(owner)).verification).toMatchObject({ state: 'running', problem: null, sentence: null });
    expect(await header(owner)).toMatchObject({ finding: { problem: 'row' } });
    // After a minute without progress, the verification counts as interrupted, so the next one starts.
    await scene.server.sql(
      `update audit_verifications set updated_at = updated_at - interval '2 minutes' where org_id = $1`,
      [orgId],
    );
    expect(await verified(owner)).toMatchObject({ state: 'broken', problem: 'row' });
  });

  it('notifies owners and admins once per finding, and again if it recurs after a repair', async () => {
    const owner = await scene.aPerson();
    const orgId = orgOf(owner);
    const { server } = scene;
    const [admin, reviewer] = [await server.signUp(), await server.signUp()];
    const bodies = async (person: Person): Promise<string[]> =>
      (await person.get<Notification[]>('/api/notifications')).flatMap(({ kind, body }) =>
        kind === 'trail_broken' ? [body] : [],
      );
    const change = async (seq: number): Promise<void> =>
      scene.tamper(`update audit_events set actor = 'x' where org_id = $org and seq = ${seq}`, orgId);
    const repair = async (): Promise<void> =>
      scene.tamper(
        `update audit_events set actor = payload::jsonb #>> '{actor,id}' where org_id = $org and seq in (2, 3)`,
        orgId,
      );
    const first = expect.stringMatching(
      /^Event 3 is indexed under values that differ from its content\. .+ Open Audit/,
    ) as string;

    expect(await verified(owner)).toMatchObject({ state: 'ok' });
    await joinOrganization(server, admin, orgId, 'admin');
    await joinOrganization(server, reviewer, orgId, 'reviewer');
    await change(3);
    await verifyNight();
    await verifyNight();
    expect(await verified(owner)).toMatchObject({ state: 'broken', firstBadSeq: 3 });
    await sealOrAlarm(server.server.deps, orgId);
    expect(await bodies(owner)).toEqual([first]);
    expect(await bodies(admin)).toEqual([first]);
    expect(await bodies(reviewer)).toEqual([]);
    const addresses = new Set([owner, admin, reviewer].map(({ user }) => user.email));
    const mails = async () =>
      (await mailsIn(server.dataDir)).filter(
        ({ headers, to }) =>
          headers.get('subject')?.endsWith('Audit trail is broken') && to.some((address) => addresses.has(address)),
      );
    await expect
      .poll(async () => (await mails()).flatMap(({ to }) => to).toSorted(), { timeout: 15_000 })
      .toEqual([owner.user.email, admin.user.email].toSorted());
    const [mail] = await mails();
    expect(mail && new URL(linkIn(mail, '/app/audit')).pathname).toBe('/app/audit');

    await change(2);
    await verifyNight();
    expect(await bodies(owner)).toEqual([expect.stringMatching(/^Event 2 /), first]);
    // The memberships that were inserted with SQL have no events, so the test removes them.
    await server.sql('delete from memberships where org_id = $1 and user_id <> $2', [orgId, owner.user.id]);
    await repair();
    expect(await verified(owner)).toMatchObject({ state: 'ok' });
    await change(3);
    expect(await verified(owner)).toMatchObject({ state: 'broken' });
    expect(await bodies(owner)).toEqual([first, expect.stringMatching(/^Event 2 /), first]);
  });

  it('finds no problem after a regular change to the password minimum, but detects one made with SQL', async () => {
    const owner = await scene.server.signUp({ team: 'Policies' });
    const orgId = orgOf(owner);
    await owner.patch(`/api/organizations/${orgId}`, { passwordMinimum: 12 });
    expect(await verified(owner)).toMatchObject({ state: 'ok' });
    await scene.server.sql('update organizations set password_minimum = 6 where id = $1', [orgId]);
    expect(await verified(owner)).toMatchObject({
      state: 'broken',
      problem: 'row',
      sentence: 'The stored policy passwordMinimum is 6, but should be 12 according to its events',
    });
  });

  it('notifies people once if an export is the first to detect a change', async () => {
    const owner = await scene.aPerson();
    await scene.tamper(`update audit_events set actor = 'x' where org_id = $org and seq = 2`, orgOf(owner));
    await header(owner);
    await header(owner);
    const kinds = (await owner.get<Notification[]>('/api/notifications')).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'trail_broken')).toHaveLength(1);
  });
});
