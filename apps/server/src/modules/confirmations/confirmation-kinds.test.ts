import { randomUUID } from 'node:crypto';
import type {
  Confirmation,
  Escalation,
  Group,
  OkOf,
  SentInvitation,
  VersionRecord,
  WorkflowPeople,
} from '@stet/contract';
import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { organizationToken } from '../../testing/api-tokens.ts';
import { addressCodeTo } from '../../testing/mailbox.ts';
import { contentTitled } from '../../testing/organization.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, type Reply, startTestServer } from '../../testing/server.ts';

// No mail server is configured, so each mail is written to a file in the data directory.
const server = await startTestServer();
const { logIn, found, add, prove, setRole, remove, draft, pass } = secondPersonBench(server);
afterAll(() => server.stop());

type Hours = OkOf<'GET /api/organizations/{id}/working-hours'>;
type Problem = { code?: string; error?: string; details?: { missing: string; from: string | null }[] };
type Scene = { owner: Person; key: string; groupId: string };

const OFFICE = [{ from: 540, to: 1020 }];
const HOURS = { timeZone: 'UTC', week: [OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, [], []], holidays: [] };
const orgOf = ({ user }: Person): string => user.currentOrgId ?? '';

/** For each kind of change that people propose: how they do it, and how to check whether it is in effect. */
const CHANGES = {
  policy: {
    propose: (by: Person) => by.call<Problem>('PATCH', `/api/organizations/${orgOf(by)}`, { requiredApprovals: 0 }),
    holds: async ({ owner }: Scene) =>
      (await owner.get<OkOf<'GET /api/organizations/{id}'>>(`/api/organizations/${orgOf(owner)}`)).requiredApprovals ===
      0,
  },
  working_hours: {
    propose: (by: Person) =>
      by.call<Problem>('PATCH', `/api/organizations/${orgOf(by)}/working-hours`, { workingHours: HOURS }),
    holds: async ({ owner }: Scene) =>
      (await owner.get<Hours>(`/api/organizations/${orgOf(owner)}/working-hours`)).workingHours !== null,
  },
  escalation: {
    propose: (by: Person, { key }: Scene) =>
      by.call<Problem>('PATCH', `/api/workflows/${key}/escalation`, { tell: [], againAfterMinutes: null }),
    holds: async ({ owner, key }: Scene) =>
      (await owner.get<Escalation>(`/api/workflows/${key}/escalation`)).tell.length === 0,
  },
  reviewers: {
    propose: (by: Person, { key }: Scene) =>
      by.call<Problem>('PATCH', `/api/workflows/${key}/people`, { reviewers: [] }),
    holds: async ({ owner, key }: Scene) =>
      (await owner.get<WorkflowPeople>(`/api/workflows/${key}/people`)).reviewers.length === 0,
  },
  group_members: {
    propose: (by: Person, { groupId, owner }: Scene) =>
      by.call<Problem>('PATCH', `/api/groups/${groupId}`, { removeMembers: [owner.user.id] }),
    holds: async ({ owner, groupId }: Scene) =>
      (await owner.get<Group[]>('/api/groups')).find(({ id }) => id === groupId)?.members.length === 0,
  },
} satisfies Record<
  string,
  { propose: (by: Person, scene: Scene) => Promise<Reply<Problem>>; holds: (scene: Scene) => Promise<boolean> }
>;
const KINDS = Object.keys(CHANGES) as (keyof typeof CHANGES)[];

async function sceneOf(owner: Person): Promise<Scene> {
  const { key } = await draft(owner);
  await owner.patch(`/api/workflows/${key}/escalation`, { tell: ['owner'], againAfterMinutes: null });
  await owner.patch(`/api/workflows/${key}/people`, { reviewers: [owner.user.id] });
  const slug = `of-${key}`;
  const group = await owner.post<Group>('/api/groups', { name: 'Finance', slug, members: [owner.user.id] });
  await owner.post(`/api/workflows/pay-${key}/drafts`, {
    metadata: { title: 'Payment' },
    steps: [{ id: 'pay', title: 'Pay', assignee: `group:${slug}` }],
  });
  return { owner, key, groupId: group.id };
}
const waiting = async (who: Person, kind: string): Promise<Confirmation | undefined> =>
  (await who.get<Confirmation[]>('/api/confirmations')).find((each) => each.kind === kind);
const confirm = (who: Person, id = '') => who.call<Confirmation & Problem>('POST', `/api/confirmations/${id}/confirm`);
const notified = async (who: Person): Promise<string> =>
  (await who.get<{ title: string; body: string }[]>('/api/notifications'))
    .map(({ title, body }) => `${title}: ${body}`)
    .join('\n');
const eventsOf = async (owner: Person): Promise<string> =>
  JSON.stringify(
    await server.sql('select payload from audit_events where org_id = $1 order by seq desc limit 3', [orgOf(owner)]),
  );

describe.each(KINDS)('a change that needs a second manager: %s', (kind) => {
  const { propose, holds } = CHANGES[kind];

  it('takes effect immediately for the only manager, notifies the members, and is recorded as made alone', async () => {
    const owner = await found(true);
    const ed = await add(owner, 'editor', { mailed: true });
    const scene = await sceneOf(owner);
    expect((await propose(owner, scene)).status).toBe(200);
    expect(await holds(scene)).toBe(true);
    expect(await notified(ed)).toContain('Changed without a second person');
    expect(await eventsOf(owner)).toContain('alone: no other proved owner or admin');
  });

  it('is refused with a date if the other manager has just left, and takes effect immediately from then on', async () => {
    const owner = await found(true);
    const jon = await add(owner, 'admin', { mailed: true });
    const scene = await sceneOf(owner);
    await remove(jon, jon);
    await pass(orgOf(owner), 3);
    const refusal = await propose(owner, scene);
    expect(refusal).toMatchObject({ status: 409, body: { details: [{ missing: 'second_manager' }] } });
    expect(refusal.body.error).toContain('It counts from');
    const days = (Date.parse(refusal.body.details?.[0]?.from ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(3);
    expect(days).toBeLessThan(5);
    await pass(orgOf(owner), 5);
    expect((await propose(owner, scene)).status).toBe(200);
    expect(await holds(scene)).toBe(true);
  });

  it('takes effect immediately a week after the other manager left, even if the clock was far ahead before that', async () => {
    const owner = await found(true);
    const jon = await add(owner, 'admin', { mailed: true });
    const scene = await sceneOf(owner);
    await pass(orgOf(owner), 30);
    await server.sql(`update audit_heads set at = at + interval '60 days' where org_id = $1`, [orgOf(owner)]);
    await remove(jon, jon);
    expect(await propose(owner, scene)).toMatchObject({ status: 409, body: { code: 'reviewer_not_counted_yet' } });
    await pass(orgOf(owner), 8);
    expect((await propose(owner, scene)).status).toBe(200);
    expect(await holds(scene)).toBe(true);
  });

  it('can be confirmed by a manager whom the proposer appointed a week ago, even if the clock was far ahead before that', async () => {
    const owner = await found(true);
    const scene = await sceneOf(owner);
    await server.sql(`update audit_heads set at = at + interval '60 days' where org_id = $1`, [orgOf(owner)]);
    const jon = await add(owner, 'admin', { mailed: true });
    expect((await propose(owner, scene)).status).toBe(200);
    const early = await confirm(jon, (await waiting(jon, kind))?.id);
    expect(early).toMatchObject({ status: 409, body: { details: [{ missing: 'made_manager_lately' }] } });
    await pass(orgOf(owner), 8);
    expect((await confirm(jon, (await waiting(jon, kind))?.id)).status).toBe(200);
    expect(await holds(scene)).toBe(true);
  });

  it('can be confirmed by a manager whom the founder appointed a week ago, even if the clock was far ahead at first', async () => {
    const owner = await found(true);
    const scene = await sceneOf(owner);
    await server.sql(`update role_history set since = since + interval '5 years' where org_id = $1 and user_id = $2`, [
      orgOf(owner),
      owner.user.id,
    ]);
    const jon = await add(owner, 'admin', { mailed: true });
    expect((await propose(owner, scene)).status).toBe(200);
    const early = await confirm(jon, (await waiting(jon, kind))?.id);
    expect(early).toMatchObject({ status: 409, body: { details: [{ missing: 'made_manager_lately' }] } });
    await pass(orgOf(owner), 8);
    expect((await confirm(jon, (await waiting(jon, kind))?.id)).status).toBe(200);
    expect(await holds(scene)).toBe(true);
  });

  it('still waits if it is proposed again, but takes effect with a note once the other manager left long ago', async () => {
    const owner = await found(true);
    const jon = await add(owner, 'admin', { mailed: true });
    const scene = await sceneOf(owner);
    await pass(orgOf(owner), 8);
    for (let n = 0; n < 2; n += 1) expect((await propose(owner, scene)).status).toBe(200);
    const proposal = await waiting(owner, kind);
    expect(proposal).toBeDefined();
    await remove(owner, jon);
    expect(await propose(owner, scene)).toMatchObject({ status: 409, body: { code: 'reviewer_not_counted_yet' } });
    expect((await waiting(owner, kind))?.id).toBe(proposal?.id);
    expect(await holds(scene)).toBe(false);
    await pass(orgOf(owner), 8);
    expect((await propose(owner, scene)).status).toBe(200);
    expect(await holds(scene)).toBe(true);
    expect(await waiting(owner, kind)).toBeUndefined();
    expect(await eventsOf(owner)).toContain('alone: no other proved owner or admin');
  });

  it('can’t be confirmed while its proposer’s account is disabled, but someone else can propose it', async () => {
    const owner = await found(true);
    const [jon, lea] = [await add(owner, 'admin', { mailed: true }), await add(owner, 'admin', { mailed: true })];
    const scene = await sceneOf(owner);
    await pass(orgOf(owner), 8);
    await propose(owner, scene);
    const proposal = await waiting(jon, kind);
    const setDisabled = (at: string | null) =>
      server.sql('update users set disabled_at = $2 where id = $1', [owner.user.id, at]);
    await setDisabled('now');
    expect(await confirm(jon, proposal?.id)).toMatchObject({
      status: 409,
      body: { details: [{ missing: 'proposer_gone' }] },
    });
    expect(await waiting(jon, kind)).toMatchObject({ abilities: { confirm: false, refuse: true } });
    expect(await holds(scene)).toBe(false);
    expect((await propose(jon, scene)).status).toBe(200);
    expect(await holds(scene)).toBe(false);
    const own = (await lea.get<Confirmation[]>('/api/confirmations')).find(
      (each) => each.kind === kind && each.id !== proposal?.id,
    );
    expect((await confirm(lea, own?.id)).status).toBe(200);
    expect(await holds(scene)).toBe(true);
  });

  it('can be confirmed once the proposer’s account is enabled again', async () => {
    const owner = await found(true);
    const jon = await add(owner, 'admin', { mailed: true });
    const scene = await sceneOf(owner);
    await pass(orgOf(owner), 8);
    await propose(owner, scene);
    await server.sql('update users set disabled_at = now() where id = $1', [owner.user.id]);
    const proposal = await waiting(jon, kind);
    expect((await confirm(jon, proposal?.id)).status).toBe(409);
    await server.sql('update users set disabled_at = null where id = $1', [owner.user.id]);
    expect((await confirm(jon, proposal?.id)).status).toBe(200);
    expect(await holds(scene)).toBe(true);
  });

  it('waits for a new manager, and their list shows when they can confirm it', async () => {
    const owner = await found(true);
    const scene = await sceneOf(owner);
    const jon = await add(owner, 'admin', { mailed: true });
    await propose(owner, scene);
    expect(await holds(scene)).toBe(false);
    const proposal = await waiting(jon, kind);
    expect(proposal).toMatchObject({ abilities: { confirm: false }, from: expect.any(String) as string });
    expect(proposal?.because).toContain('less than 7 days ago');
    // Jon is notified, although he can't confirm the change yet.
    expect(await notified(jon)).toContain(`asks you to confirm: ${proposal?.sentence}`);
    await pass(orgOf(owner), 8);
    expect((await confirm(jon, proposal?.id)).status).toBe(200);
    expect(await holds(scene)).toBe(true);
  });

  it('can be confirmed only after its proposer has proved their address, even without a mail server', async () => {
    const owner = await found(false);
    const scene = await sceneOf(owner);
    const jon = await add(owner, 'admin');
    await prove(jon);
    await pass(orgOf(owner), 8);
    await propose(owner, scene);
    const proposal = await waiting(jon, kind);
    expect(proposal).toMatchObject({ abilities: { confirm: false }, from: null });
    expect(proposal?.because).toContain('has to prove their address first');
    const sent = await owner.post<{ message: string }>('/api/auth/prove-address/code');
    expect(sent.message).toContain('no mail server');
    const code = await addressCodeTo(server.dataDir, owner.user.email);
    await owner.post('/api/auth/prove-address', { code });
    expect((await confirm(jon, proposal?.id)).status).toBe(200);
    expect(await holds(scene)).toBe(true);
  });
});

describe('a person who joined by invitation', () => {
  const marksOf = (reply: Reply<{ version?: unknown }>): string[] =>
    ((reply.body.version as VersionRecord | undefined)?.approvals ?? []).flatMap(({ marks }) => marks);

  it('can review with two marks if there is only one manager or the other one left long ago', async () => {
    for (const hadAnother of [false, true]) {
      const owner = await found(true);
      if (hadAnother) {
        const jon = await add(owner, 'admin', { mailed: true });
        await remove(jon, jon);
        await pass(orgOf(owner), 8);
      }
      const rita = await add(owner, 'reviewer');
      const made = await draft(owner);
      expect((await made.act(rita, 'approve')).status).toBe(200);
      expect(marksOf(await made.act(rita, 'merge'))).toEqual(['added_by_author', 'address_not_proved']);
    }
  });

  describe.each(['editor', 'viewer'] as const)('as %s', (role) => {
    it('can be confirmed by the other manager, and then no longer counts as the inviter’s second account', async () => {
      const mara = await found(true);
      const jon = await add(mara, 'admin', { mailed: true });
      const ed = await add(mara, role);
      const { message } = await ed.post<{ message: string }>('/api/auth/prove-address/code');
      expect(message).toContain('An owner or admin other than the one who invited you can also confirm you');
      const about = async (who: Person) =>
        (await who.get<Confirmation[]>('/api/confirmations')).find(({ subjectId }) => subjectId === ed.user.id);
      const proposal = await about(jon);
      expect(await notified(jon)).toContain(`asks you to confirm: ${proposal?.sentence}`);
      expect((await confirm(mara, proposal?.id)).body.code).toBe('proposer_cannot_confirm');
      expect(await about(jon)).toMatchObject({ abilities: { confirm: false } });
      await pass(orgOf(mara), 8);
      expect((await confirm(jon, proposal?.id)).status).toBe(200);
      expect(await ed.get('/api/auth/me')).toMatchObject({ provedBy: 'manager' });
      expect(await about(jon)).toBeUndefined();
      if (role === 'viewer') return;
      const made = await draft(ed);
      expect((await made.read(ed)).contributors).toMatchObject([{ id: ed.user.id, through: null }]);
      expect((await made.act(mara, 'approve')).status).toBe(200);
      expect(marksOf(await made.act(mara, 'merge'))).toContain('author_added_by_reviewer');
    });

    it('can’t be confirmed by a manager with their mailbox, or by the inviter after another manager changed their role', async () => {
      const mara = await found(true);
      const jon = await add(mara, 'admin', { mailed: true });
      await pass(orgOf(mara), 8);
      const own = await add(mara, role, { email: jon.user.email.replace('@', '+two@') });
      const about = async (who: Person, person: Person) =>
        (await who.get<Confirmation[]>('/api/confirmations')).find(({ subjectId }) => subjectId === person.user.id);
      expect(await confirm(jon, (await about(jon, own))?.id)).toMatchObject({
        status: 409,
        body: { details: [{ missing: 'about_you' }] },
      });
      const ed = await add(mara, role);
      await setRole(jon, ed, 'reviewer');
      expect((await confirm(mara, (await about(mara, ed))?.id)).status).not.toBe(200);
      // The manager who changed the role can confirm them, because otherwise nobody could.
      expect((await confirm(jon, (await about(jon, ed))?.id)).status).toBe(200);
    });

    it('doesn’t need confirmation once their address is proved', async () => {
      const mara = await found(true);
      const jon = await add(mara, 'admin', { mailed: true });
      const [ed, other] = [await add(mara, role), await add(mara, role, { mailed: true })];
      const proposal = async () =>
        (await jon.get<Confirmation[]>('/api/confirmations')).map(({ subjectId }) => subjectId);
      expect(await proposal()).toEqual([ed.user.id, jon.user.id]);
      expect(await proposal()).not.toContain(other.user.id);
      await prove(ed);
      expect(await proposal()).toEqual([jon.user.id]);
    });
  });

  it('sees when their reviews will count if the other manager has just left, or can prove their address', async () => {
    const owner = await found(true);
    const jon = await add(owner, 'admin', { mailed: true });
    const rita = await add(owner, 'reviewer');
    const made = await draft(owner);
    await remove(jon, jon);
    const refusal = await made.act(rita, 'approve');
    expect(refusal).toMatchObject({ status: 409, body: { code: 'reviewer_not_counted_yet' } });
    expect(refusal.body.error).toContain('Prove your address first');
    expect(refusal.body.error).toContain('It counts from');
    const [shown] = (await made.read()).notCounted;
    expect(shown).toMatchObject({ id: rita.user.id, from: expect.any(String) as string });
    await prove(rita);
    expect((await made.act(rita, 'approve')).status).toBe(200);
  });
});

it('a founder isn’t offered confirmation by a manager', async () => {
  const founder = await found(false);
  const { message } = await founder.post<{ message: string }>('/api/auth/prove-address/code');
  expect(message).toContain('Ask the server’s administrator for the code.');
  expect(message).not.toContain('confirm you');
});

it('an organization’s token can’t propose changes, because a former owner might still have the token and confirm them', async () => {
  const hana = await found(true);
  const mara = await add(hana, 'admin', { mailed: true });
  const scene = await sceneOf(hana);
  const token = await organizationToken(server, mara, 'admin');
  const members = `/api/organizations/${orgOf(hana)}/users`;
  const removed = await hana.call('DELETE', `${members}/${mara.user.id}`, { takeOverTokens: true });
  expect(removed.status).toBe(200);
  const again = await hana.post<SentInvitation>(`/api/organizations/${orgOf(hana)}/invitations`, {
    email: mara.user.email,
    role: 'admin',
  });
  const back = await logIn(mara.user.email);
  await back.post(`/api/invitations/${again.link.split('/').at(-1)}/join`);
  await pass(orgOf(hana), 8);
  const robot = { ...mara, ...token };
  const stronger = { tell: ['owner', 'admin'], againAfterMinutes: null };
  expect((await robot.call('PATCH', `/api/workflows/${scene.key}/escalation`, stronger)).status).toBe(200);

  const proposed = await CHANGES.escalation.propose(robot, scene);
  const proposal = await waiting(back, 'escalation');
  expect((await confirm(back, proposal?.id ?? randomUUID())).status).not.toBe(200);
  expect(await CHANGES.escalation.holds(scene)).toBe(false);
  expect(proposed).toMatchObject({ status: 403, body: { code: 'not_for_tokens' } });
  expect(proposed.body.error).toContain('a person has to make it');
  // People can still make the change: one proposes it, and the other one confirms it.
  await CHANGES.escalation.propose(hana, scene);
  expect((await confirm(back, (await waiting(back, 'escalation'))?.id)).status).toBe(200);
  expect(await CHANGES.escalation.holds(scene)).toBe(true);
});

it('a reviewer can withdraw a weaker escalation that they proposed, but can’t see or refuse other people’s proposals', async () => {
  const owner = await found(true);
  const mia = await add(owner, 'admin', { mailed: true });
  const rev = await add(owner, 'reviewer', { mailed: true });
  const ed = await add(owner, 'editor', { mailed: true });
  const scene = await sceneOf(owner);
  await CHANGES.policy.propose(owner);
  expect((await CHANGES.escalation.propose(rev, scene)).status).toBe(200);
  const policy = await waiting(mia, 'policy');
  const own = await rev.get<Confirmation[]>('/api/confirmations');
  expect(own).toMatchObject([{ kind: 'escalation', abilities: { confirm: false, refuse: false, withdraw: true } }]);
  expect((await ed.call('GET', '/api/confirmations')).status).toBe(403);
  const refuse = (who: Person, id = '') => who.call<Confirmation>('POST', `/api/confirmations/${id}/refuse`);
  expect(await refuse(rev, policy?.id)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await refuse(ed, own[0]?.id)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await refuse(rev, own[0]?.id)).toMatchObject({ status: 200, body: { status: 'withdrawn' } });
  expect(await waiting(mia, 'escalation')).toBeUndefined();
  expect(await eventsOf(owner)).toContain('confirmation.withdrawn');
});

it('a stronger escalation remains in effect if it is saved while a weaker one is being confirmed', async () => {
  const owner = await found(true);
  const scene = await sceneOf(owner);
  const mia = await add(owner, 'admin', { mailed: true });
  await pass(orgOf(owner), 8);
  await CHANGES.escalation.propose(owner, scene);
  const proposal = await waiting(mia, 'escalation');
  const holder = new pg.Client(server.database.connection);
  await holder.connect();
  await holder.query('begin');
  // The lock makes the confirmation wait after it has read its data and before it writes.
  await holder.query('select from memberships where org_id = $1 and user_id = $2 for update', [
    orgOf(owner),
    mia.user.id,
  ]);
  const confirming = confirm(mia, proposal?.id);
  const blocked = () =>
    server.sql(
      `select 1 from pg_stat_activity where datname = current_database() and application_name = 'stet' and wait_event_type = 'Lock'`,
    );
  await vi.waitFor(async () => expect(await blocked()).toHaveLength(1), 30_000);
  let isDone = false;
  const strengthening = owner
    .patch(`/api/workflows/${scene.key}/escalation`, { tell: ['owner', 'admin'], againAfterMinutes: null })
    .finally(() => (isDone = true));
  await vi.waitFor(async () => expect(isDone || (await blocked()).length === 2).toBe(true), 30_000);
  await holder.query('commit');
  await holder.end();
  expect((await confirming).status).toBe(200);
  await strengthening;
  expect((await owner.get<Escalation>(`/api/workflows/${scene.key}/escalation`)).tell).toEqual(['owner', 'admin']);
});

describe('an emergency', () => {
  type Merged = Reply<{ version?: unknown }>;
  const goLive = async (owner: Person) => {
    const made = await draft(owner, `Emergency of ${orgOf(owner)}`);
    await made.act(owner, 'submit');
    expect((await made.read()).abilities.emergency).toBe(true);
    const merged: Merged = await made.act(owner, 'merge', { emergency: { reason: 'The shop is down' } });
    return { merged, made };
  };
  const emergencyOf = async (owner: Person, key: string) =>
    (await owner.get<VersionRecord[]>(`/api/workflows/${key}/versions`))[0]?.emergency;

  it.each(['one manager', 'a manager who has just left', 'a manager who left long ago'])(
    'goes live with a mark in a team with %s, and another owner or admin can ratify it later',
    async (team) => {
      const owner = await found(true);
      const ed = await add(owner, 'reviewer', { mailed: true });
      if (team !== 'one manager') {
        const jon = await add(owner, 'admin', { mailed: true });
        await remove(jon, jon);
        if (team.endsWith('long ago')) await pass(orgOf(owner), 8);
      }
      const { merged, made } = await goLive(owner);
      expect(merged.status).toBe(200);
      expect(await notified(ed)).toContain('Emergency, not ratified');
      expect(await emergencyOf(owner, made.key)).toMatchObject({ reason: 'The shop is down', ratified: null });
      const own = await waiting(owner, 'emergency');
      expect(own?.because).toContain('another owner or admin');
      const eva = await add(owner, 'admin', { mailed: true });
      const next = await draft(owner);
      expect((await next.read(eva)).abilities.emergency).toBe(false);
      const proposal = await waiting(eva, 'emergency');
      expect(proposal).toMatchObject({ abilities: { confirm: false }, from: expect.any(String) as string });
      await pass(orgOf(owner), 8);
      expect((await confirm(eva, proposal?.id)).status).toBe(200);
      expect((await emergencyOf(owner, made.key))?.ratified).not.toBeNull();
    },
  );

  it('can be ratified for an unproved founder once both people have proved their addresses with codes from files', async () => {
    const owner = await found(false);
    const reviewer = await add(owner, 'reviewer', { mailed: true });
    const jon = await add(owner, 'admin');
    const { merged, made } = await goLive(owner);
    expect(merged.status).toBe(200);
    expect(await notified(reviewer)).toContain('Emergency, not ratified');
    await prove(jon);
    await pass(orgOf(owner), 8);
    const proposal = await waiting(jon, 'emergency');
    expect(proposal?.because).toContain('has to prove their address first');
    await prove(owner);
    expect((await confirm(jon, proposal?.id)).status).toBe(200);
    expect((await emergencyOf(owner, made.key))?.ratified).not.toBeNull();
  });

  it('by an unproved founder who left can’t be ratified, but the remaining owner can refuse and revert it', async () => {
    const owner = await found(false);
    const jon = await add(owner, 'admin', { mailed: true });
    await setRole(owner, jon, 'owner');
    const first = await draft(jon, 'Reviewed');
    await first.act(jon, 'submit');
    await first.act(owner, 'approve');
    expect((await first.act(jon, 'merge')).status).toBe(200);
    const body = contentTitled('Emergency');
    const { draftId } = await owner.post<{ draftId: string }>(`/api/workflows/${first.key}/drafts`, body);
    const merge = `/api/workflows/${first.key}/drafts/${draftId}/merge`;
    expect((await owner.call('POST', merge, { emergency: { reason: 'The shop is down' } })).status).toBe(200);
    expect((await remove(owner, owner)).status).toBe(200);
    await pass(orgOf(jon), 8);

    const proposal = await waiting(jon, 'emergency');
    expect(proposal).toMatchObject({ abilities: { confirm: false, refuse: true } });
    expect(proposal?.because).toContain('left without proving their address');
    expect(await confirm(jon, proposal?.id)).toMatchObject({
      status: 409,
      body: { details: [{ missing: 'proposer_left_unproved' }] },
    });
    const refused = await jon.call('POST', `/api/confirmations/${proposal?.id}/refuse`, { reason: 'Not needed' });
    expect(refused.status).toBe(200);
    expect(await waiting(jon, 'emergency')).toBeUndefined();
    expect(await emergencyOf(jon, first.key)).toMatchObject({ refused: { by: { id: jon.user.id } } });
    const back = await jon.call('POST', `/api/workflows/${first.key}/versions/1/rollback`, { reason: 'Reverted' });
    expect(back.status).toBe(200);
  });
});

it('a person whose unproved inviter has left can be confirmed again once a manager has changed their role', async () => {
  const owner = await found(false);
  const jon = await add(owner, 'admin', { mailed: true });
  await setRole(owner, jon, 'owner');
  const kim = await add(jon, 'admin', { mailed: true });
  const eve = await add(owner, 'editor');
  await remove(owner, owner);
  await pass(orgOf(jon), 8);
  const about = async () =>
    (await kim.get<Confirmation[]>('/api/confirmations')).find(({ subjectId }) => subjectId === eve.user.id);
  const stuck = await about();
  expect(stuck).toMatchObject({ proposedBy: { id: owner.user.id }, abilities: { confirm: false } });
  expect(stuck?.because).toContain('change their role');
  await setRole(jon, eve, 'viewer');
  const again = await about();
  expect(again).toMatchObject({ proposedBy: { id: jon.user.id }, abilities: { confirm: true } });
  expect((await confirm(kim, again?.id)).status).toBe(200);
  expect(await eve.get('/api/auth/me')).toMatchObject({ provedBy: 'manager' });
});
