import { contract } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGoverned } from '../../kernel/actor.ts';
import { trailOf, verdictOf } from '../../testing/audit.ts';
import { changeBefore } from '../../testing/delayed-change.ts';
import { contentTitled, publish } from '../../testing/organization.ts';
import { addressOf } from '../../testing/routes.ts';
import { complete, runOf, start } from '../../testing/runs.ts';
import { type AuditedScene, startAuditedScene } from '../../testing/audited-scene.ts';
import { CHANGES, changing } from '../../testing/changes.ts';

describe('the audit trail', () => {
  let at: AuditedScene;
  beforeAll(async () => {
    at = await startAuditedScene();
  });
  afterAll(() => at.server.stop());

  it('is tested for every route that changes something', () => {
    expect(changing.filter((key) => !CHANGES[key])).toEqual([]);
  });

  it.each(changing)('records the expected events for %s, and none if the request has no session', async (key) => {
    const [events = [], prepare] = CHANGES[key] ?? [];
    const prepared = await prepare?.(at);
    const { method, path } = addressOf(key, prepared);
    const before = await at.head();
    const reply = await (prepared?.by ?? at.owner).call(method, path, prepared?.body, prepared?.headers);
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    expect(await at.actionsSince(before)).toEqual(events);
    expect(await at.unclearSince(before)).toEqual([]);
    if (contract[key].access === 'public') return;
    const refused = await at.server.anyone.call(method, path, prepared?.body, prepared?.headers);
    expect(refused.status).toBe(401);
    expect(await at.head()).toBe(before + events.length);
  });

  /**
   * The routes whose permission is always rechecked at commit: those that need more than the daily permissions to read
   * workflows and to work on runs (`isGoverned`).
   */
  const governing = changing.filter((key) => {
    const { access } = contract[key];
    return access !== 'installation' && isGoverned(access);
  });

  const oneApproval = async (): Promise<void> => {
    await at.server.sql('update organizations set required_approvals = 1 where id = $1', [at.orgId]);
    await at.server.sql('delete from confirmations where org_id = $1', [at.orgId]);
  };

  it.each(governing)('records nothing for %s if the person loses the role during the request', async (key) => {
    await oneApproval();
    const prepared = await CHANGES[key]?.[1](at);
    const { method, path } = addressOf(key, prepared);
    const who = prepared?.by ?? at.owner;
    const before = await at.head();
    const of = [at.orgId, who.user.id];
    const [membership] = await at.server.sql<{ role: string }>(
      'select role from memberships where org_id = $1 and user_id = $2',
      of,
    );
    try {
      const change = `update memberships set role = 'viewer' where org_id = $1 and user_id = $2`;
      const reply = await changeBefore(at.server, at.orgId, { text: change, values: of, alone: true }, () =>
        who.call(method, path, prepared?.body, prepared?.headers),
      );
      expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(await at.head()).toBe(before);
    } finally {
      await at.server.sql('update memberships set role = $3 where org_id = $1 and user_id = $2', [
        ...of,
        membership?.role,
      ]);
      await oneApproval();
    }
  });

  it('stays valid under a mixed concurrent workload', async () => {
    const key = await at.live();
    const runs = await Promise.all(Array.from({ length: 12 }, () => start(at.owner, key)));
    const answers = await Promise.all(
      runs.flatMap(({ id }, n) => [
        complete(at.owner, id, 'step-1', `Input “${n}” 世界`),
        complete(at.editor, id, 'step-1'),
        at.owner.call('POST', `/api/runs/${id}/pause`),
        at.editor.call('POST', `/api/workflows/${at.newKey()}/drafts`, contentTitled(`Draft ${n}`)),
        n % 3 === 0
          ? at.reviewer.call('POST', `/api/runs/${id}/cancel`, { reason: 'Enough' })
          : start(at.owner, key).then(() => ({ status: 201 })),
      ]),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const events = await trailOf(at.server, at.orgId);
    expect(await verdictOf(at.server, at.orgId)).toMatchObject({ ok: true, count: events.length });
    for (const { id } of runs) {
      const { history } = await runOf(at.owner, id);
      expect(history.map(({ action }) => action)).toEqual(
        events
          .filter(({ runId }) => runId === id)
          .map(({ action }) => (action.startsWith('run') ? action.replace('.', '_') : action.slice(5))),
      );
    }
  });

  it('has a separate chain for each organization', async () => {
    const other = await at.server.signUp({ team: 'Apart' });
    await publish(other, other, 'apart');
    expect(await verdictOf(at.server, other.user.currentOrgId ?? '')).toMatchObject({ ok: true });
    expect(await verdictOf(at.server, at.orgId)).toMatchObject({ ok: true });
  });

  it('contains the person, session and subject of each event', async () => {
    const before = await at.head();
    const { id } = await start(at.owner, await at.live());
    const started = (await trailOf(at.server, at.orgId)).find(
      ({ seq, action }) => seq > before && action === 'run.started',
    );
    const { sid } = JSON.parse(Buffer.from(at.owner.token.split('.')[1] ?? '', 'base64url').toString()) as {
      sid: string;
    };
    expect(started).toMatchObject({ actor: at.owner.user.id, subjectType: 'run', subjectId: id, runId: id });
    expect(JSON.parse(started?.payload ?? '{}')).toMatchObject({
      actor: { id: at.owner.user.id, email: at.owner.user.email, kind: 'user' },
      sessionId: sid,
      subject: { type: 'run', id },
    });
  });

  it('reveals changed and removed rows', async () => {
    const victim = await at.server.signUp();
    const victimOrg = victim.user.currentOrgId ?? '';
    await publish(victim, victim, 'victim');
    const tamper = async (change: string): Promise<unknown> => {
      await at.server.sql(
        'create table kept as select * from audit_events where org_id = $1'.replace('$1', `'${victimOrg}'`),
      );
      await at.server.sql('alter table audit_events disable trigger user');
      await at.server.sql(change.replaceAll('$org', `'${victimOrg}'`));
      const verdict = await verdictOf(at.server, victimOrg);
      await at.server.sql(`delete from audit_events where org_id = '${victimOrg}'`);
      await at.server.sql('insert into audit_events select * from kept');
      await at.server.sql('drop table kept');
      await at.server.sql('alter table audit_events enable trigger user');
      return verdict;
    };
    expect(
      await tamper(
        `update audit_events set payload = replace(payload, 'victim', 'culprit') where org_id = $org and seq = 3`,
      ),
    ).toMatchObject({ ok: false, firstBadSeq: 3, problem: 'digest' });
    expect(
      await tamper(`update audit_events set actor = gen_random_uuid() where org_id = $org and seq = 2`),
    ).toMatchObject({ ok: false, firstBadSeq: 2, problem: 'derived' });
    expect(
      await tamper(`update audit_events set at = at + interval '1 microsecond' where org_id = $org and seq = 2`),
    ).toMatchObject({ ok: false, firstBadSeq: 2, problem: 'hash' });
    expect(await tamper(`delete from audit_events where org_id = $org and seq = 2`)).toMatchObject({
      ok: false,
      firstBadSeq: 2,
      problem: 'gap',
    });
    expect(await verdictOf(at.server, victimOrg)).toMatchObject({ ok: true });
  });
});
