import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContractKey, contract } from '@stet/contract';
import type { AuditRecord } from '@stet/domain/audit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGoverned } from '../kernel/actor.ts';
import { trailOf, verdictOf } from '../testing/audit.ts';
import { changeBefore } from '../testing/held-change.ts';
import { joinOrganization, publish, stepsNamed, teamOf } from '../testing/organization.ts';
import { tell } from '../testing/notifications.ts';
import { organizationToken, personalToken } from '../testing/api-tokens.ts';
import { addressOf } from '../testing/routes.ts';
import { act, complete, runOf, start } from '../testing/runs.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../testing/server.ts';

const content = (title: string) => ({ metadata: { title }, steps: stepsNamed('First', 'Second') });

const RESOLVE = 'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve';
type Prepared = { params?: Record<string, string>; body?: unknown; headers?: Record<string, string>; by?: Person };

const BPMN =
  '<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"><bpmn:process id="P" name="Drawn"><bpmn:task id="T"/></bpmn:process></bpmn:definitions>';

const NOWHERE = 'https://127.0.0.1:9/';

describe('the audit trail', () => {
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  let editor: Person;
  let orgId: string;
  let keys = 0;

  beforeAll(async () => {
    // What it says of the failures below is what they are for.
    server = await startTestServer({ LOG_LEVEL: 'fatal', WEBHOOK_ALLOW: '127.0.0.1' });
    ({ owner, reviewer, editor, orgId } = await teamOf(server, ['reviewer', 'editor']));
  });
  afterAll(() => server.stop());

  const newKey = (): string => `audited-${(keys += 1)}`;
  const actionsSince = async (seq: number): Promise<string[]> =>
    (
      await server.sql<{ action: string }>(
        'select action from audit_events where org_id = $1 and seq > $2 order by seq',
        [orgId, seq],
      )
    ).map(({ action }) => action);
  /** Events of which a reader couldn't tell on what they were: by a name, not by an id. */
  const unclearSince = async (seq: number): Promise<string[]> =>
    (
      await server.sql<{ action: string; payload: string }>(
        'select action, payload from audit_events where org_id = $1 and seq > $2 order by seq',
        [orgId, seq],
      )
    ).flatMap(({ action, payload }) => {
      const { actor, subject, runId, data = {} } = JSON.parse(payload) as AuditRecord;
      const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
      const isClear = {
        user: actor.id === subject.id || (isText(data['name']) && isText(data['email'])),
        workflow: isText(data['key']),
        version: isText(data['key']),
        invitation: isText(data['email']),
        run: runId === subject.id,
        organization: true,
        integration: true,
        token: isText(data['name']),
        webhook: isText(data['name']),
        audit: true,
      }[subject.type];
      return isClear ? [] : [action];
    });
  const head = async (): Promise<number> =>
    (await server.sql<{ n: number }>('select count(*)::int as n from audit_events where org_id = $1', [orgId]))[0]?.n ??
    0;

  async function draft({ submitted = false, approved = false } = {}): Promise<Record<string, string>> {
    const key = newKey();
    const { draftId } = await editor.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, content('A draft'));
    if (submitted) await editor.post(`/api/workflows/${key}/drafts/${draftId}/submit`);
    if (approved) await reviewer.post(`/api/workflows/${key}/drafts/${draftId}/approve`);
    return { key, id: draftId };
  }
  /** A draft of which another one went live first. */
  async function behind(): Promise<Record<string, string>> {
    const key = await live();
    const { draftId } = await editor.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, content('Left behind'));
    await publish(editor, reviewer, key, [...stepsNamed('First'), { id: 'step-2', title: 'Second', type: 'approval' }]);
    return { key, id: draftId };
  }
  async function commented(): Promise<Record<string, string>> {
    const params = await draft();
    const { path } = addressOf('POST /api/workflows/{key}/drafts/{id}/comments', { params });
    return { ...params, commentId: (await editor.post<{ id: string }>(path, { body: 'Hm' })).id };
  }
  async function live(): Promise<string> {
    const key = newKey();
    await publish(editor, reviewer, key, [...stepsNamed('First'), { id: 'step-2', title: 'Second', type: 'approval' }]);
    return key;
  }
  async function run(after: (id: string) => Promise<unknown> = async () => {}): Promise<Record<string, string>> {
    const { id } = await start(owner, await live());
    await after(id);
    return { id, runId: id, stepId: 'step-1' };
  }
  const atVote = async (): Promise<Record<string, string>> => ({
    ...(await run((id) => complete(owner, id, 'step-1'))),
    stepId: 'step-2',
  });

  /** Fewer required approvals wait for a second word; answers someone who may give it. */
  async function proposed(from: number): Promise<Person> {
    const admin = await member('admin');
    for (const requiredApprovals of [from, from - 1]) {
      await owner.patch(`/api/organizations/${orgId}`, { requiredApprovals });
    }
    return admin;
  }
  async function member(role: 'admin' | 'viewer'): Promise<Person> {
    const person = await server.signUp();
    await joinOrganization(server, person, orgId, role);
    return person;
  }
  /** A webhook to which nothing could be sent; it is paused, so that nothing is tried. */
  async function listening(): Promise<Record<string, string>> {
    // There are at most so many of them.
    await server.sql('delete from webhooks where org_id = $1', [orgId]);
    const body = { name: 'Listener', url: NOWHERE, actions: ['audit.erased'] };
    const { webhook } = await owner.post<{ webhook: { id: string } }>('/api/webhooks', body);
    const id = webhook.id;
    await owner.patch(`/api/webhooks/${id}`, { isActive: false });
    const deliveryId = randomUUID();
    await server.sql(
      `insert into webhook_deliveries (org_id, id, webhook_id, action, subject, state, ended_at) values ($1, $2, $3, 'webhook.test', 'test', 'dead', now())`,
      [orgId, deliveryId, id],
    );
    return { id, deliveryId };
  }
  async function invited(email = `${newKey()}@example.com`): Promise<{ id: string; token: string }> {
    const { id, link } = await owner.post<{ id: string; link: string }>(`/api/organizations/${orgId}/invitations`, {
      email,
      role: 'viewer',
    });
    return { id, token: link.slice(link.lastIndexOf('/') + 1) };
  }

  /** A connection to Slack with a channel, as one that has been there. */
  const connected = (): Promise<unknown> =>
    server.sql(
      `insert into slack_connections (org_id, team_id, team_name, sealed_token, channel_id, channel_name, connected_by)
       values ($1, 'T1', 'Halden Works', 'sealed elsewhere', 'C1', 'general', $2)
       on conflict (org_id) do update set channel_id = 'C1', channel_name = 'general'`,
      [orgId, owner.user.id],
    );

  /** A call of every route that changes something, and the events that it has to leave. */
  const CHANGES: { [K in ContractKey]?: readonly [events: string[], () => Promise<Prepared>] } = {
    // It changes nothing of the organization's, so the trail says nothing of it.
    'POST /api/audit/verify': [[], async () => ({})],
    'POST /api/auth/login': [
      ['session.signed_in'],
      async () => ({ body: { email: owner.user.email, password: 'a long enough one' } }),
    ],
    'POST /api/auth/logout': [
      ['session.signed_out'],
      async () => {
        const { token } = await server.anyone.post<{ token: string }>('/api/auth/login', {
          email: editor.user.email,
          password: 'a long enough one',
        });
        return { by: { ...editor, ...server.as(token) } };
      },
    ],
    'POST /api/users/switch-organization': [
      ['session.organization_switched'],
      async () => ({ body: { organizationId: orgId } }),
    ],
    'PATCH /api/users/me': [['account.profile_changed'], async () => ({ body: { name: `Another ${newKey()}` } })],
    'POST /api/users/me/password': [
      ['account.password_changed'],
      async () => ({
        body: { currentPassword: 'a long enough one', password: 'another long one' },
        by: await member('viewer'),
      }),
    ],
    'DELETE /api/users/me/sessions/{id}': [
      ['session.signed_out'],
      async () => {
        await server.anyone.post('/api/auth/login', { email: editor.user.email, password: 'a long enough one' });
        const sessions = await editor.get<{ id: string; current: boolean }[]>('/api/users/me/sessions');
        return { params: { id: sessions.find(({ current }) => !current)?.id ?? '' }, by: editor };
      },
    ],
    'PATCH /api/organizations/{id}': [
      ['organization.changed', 'policy.changed'],
      async () => {
        await server.sql('update organizations set required_approvals = 0 where id = $1', [orgId]);
        return { params: { id: orgId }, body: { name: 'Renamed', requiredApprovals: 1 } };
      },
    ],
    'PATCH /api/organizations/{id}/working-hours': [
      ['policy.changed'],
      async () => ({
        params: { id: orgId },
        body: {
          workingHours: {
            timeZone: 'UTC',
            week: [[{ from: 540, to: 1020 + (keys += 1) }], [], [], [], [], [], []],
            holidays: [],
          },
        },
      }),
    ],
    'POST /api/webhooks': [
      ['webhook.created'],
      async () => ({ body: { name: 'Listener', url: NOWHERE, actions: ['audit.erased'] } }),
    ],
    'PATCH /api/webhooks/{id}': [
      ['webhook.changed'],
      async () => ({ params: await listening(), body: { name: 'Other', url: NOWHERE, actions: [], isActive: false } }),
    ],
    'DELETE /api/webhooks/{id}': [['webhook.removed'], async () => ({ params: await listening() })],
    'POST /api/webhooks/{id}/rotate': [['webhook.secret_rotated'], async () => ({ params: await listening() })],
    'POST /api/webhooks/{id}/test': [['webhook.tested'], async () => ({ params: await listening() })],
    'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver': [
      ['webhook.redelivered'],
      async () => ({ params: await listening() }),
    ],
    'POST /api/webhooks/{id}/redeliver': [['webhook.redelivered'], async () => ({ params: await listening() })],
    'POST /api/tokens': [
      ['token.created'],
      async () => ({ body: { name: 'CI', scopes: ['workflow.read'], expiresInDays: 1 } }),
    ],
    'DELETE /api/tokens/{id}': [
      ['token.revoked'],
      async () => ({ params: { id: (await personalToken(server, owner)).id } }),
    ],
    'POST /api/organizations/{id}/tokens': [
      ['token.created'],
      async () => ({
        params: { id: orgId },
        body: { name: 'Robot', role: 'editor', scopes: ['workflow.read'], expiresInDays: null },
      }),
    ],
    'DELETE /api/organizations/{id}/tokens/{tokenId}': [
      ['token.revoked'],
      async () => ({ params: { id: orgId, tokenId: (await organizationToken(server, owner, 'editor')).id } }),
    ],
    'PATCH /api/workflows/{key}/escalation': [
      ['escalation.changed'],
      async () => ({ params: { key: await live() }, body: { tell: ['reviewer'], againAfterMinutes: 60 } }),
    ],
    'POST /api/organizations/{id}/policy-change/confirm': [
      ['policy.changed'],
      async () => ({ params: { id: orgId }, by: await proposed(2) }),
    ],
    'DELETE /api/organizations/{id}/policy-change': [
      ['policy.change_refused'],
      async () => ({ params: { id: orgId }, by: await proposed(1) }),
    ],
    'PATCH /api/organizations/{id}/users/{userId}': [
      ['member.role_changed'],
      async () => ({
        params: { id: orgId, userId: (await member('viewer')).user.id },
        body: { role: 'editor' },
      }),
    ],
    'DELETE /api/organizations/{id}/users/{userId}': [
      ['member.removed'],
      async () => ({ params: { id: orgId, userId: (await member('viewer')).user.id } }),
    ],
    'POST /api/organizations/{id}/invitations': [
      ['invitation.sent'],
      async () => ({ params: { id: orgId }, body: { email: `${newKey()}@example.com`, role: 'viewer' } }),
    ],
    'POST /api/organizations/{id}/invitations/{invitationId}/resend': [
      ['invitation.resent'],
      async () => ({ params: { id: orgId, invitationId: (await invited()).id } }),
    ],
    'DELETE /api/organizations/{id}/invitations/{invitationId}': [
      ['invitation.revoked'],
      async () => ({ params: { id: orgId, invitationId: (await invited()).id } }),
    ],
    'POST /api/invitations/{token}/accept': [
      ['invitation.accepted', 'account.signed_up', 'member.joined'],
      async () => ({
        params: { token: (await invited()).token },
        body: { name: 'New Here', password: 'secret' },
      }),
    ],
    'POST /api/invitations/{token}/join': [
      ['invitation.accepted', 'member.joined'],
      async () => {
        const guest = await server.signUp();
        return { params: { token: (await invited(guest.user.email)).token }, by: guest };
      },
    ],
    'POST /api/workflows/{key}/import-yaml': [
      ['workflow.created', 'draft.imported'],
      async () => ({ params: { key: newKey() }, body: content('Imported') }),
    ],
    'POST /api/workflows/{key}/import-bpmn': [
      ['workflow.created', 'draft.imported'],
      async () => ({ params: { key: newKey() }, body: BPMN, headers: { 'content-type': 'application/xml' } }),
    ],
    'POST /api/workflows/{key}/drafts': [
      ['workflow.created', 'draft.created'],
      async () => ({ params: { key: newKey() }, body: content('New') }),
    ],
    'PATCH /api/workflows/{key}/drafts/{id}': [
      ['draft.saved'],
      async () => ({ params: await draft(), body: content('Changed') }),
    ],
    'DELETE /api/workflows/{key}/drafts/{id}': [
      ['draft.discarded', 'workflow.deleted'],
      async () => ({ params: await draft(), by: editor }),
    ],
    'POST /api/workflows/{key}/drafts/{id}/submit': [['draft.submitted'], async () => ({ params: await draft() })],
    'POST /api/workflows/{key}/drafts/{id}/withdraw': [
      ['draft.withdrawn'],
      async () => ({ params: await draft({ submitted: true }) }),
    ],
    'POST /api/workflows/{key}/drafts/{id}/approve': [
      ['draft.submitted', 'draft.approved'],
      async () => ({ params: await draft() }),
    ],
    'POST /api/workflows/{key}/drafts/{id}/request-changes': [
      ['draft.changes_requested'],
      async () => ({ params: await draft(), body: { comment: 'No' } }),
    ],
    'POST /api/workflows/{key}/drafts/{id}/merge': [
      ['draft.merged'],
      async () => ({ params: await draft({ approved: true }) }),
    ],
    'POST /api/workflows/{key}/drafts/{id}/rebase': [['draft.rebased'], async () => ({ params: await behind() })],
    'POST /api/workflows/{key}/drafts/{id}/comments': [
      ['draft.commented'],
      async () => ({ params: await draft(), body: { body: 'Hm' } }),
    ],
    'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve': [
      ['draft.comment_resolved'],
      async () => ({ params: await commented() }),
    ],
    'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen': [
      ['draft.comment_reopened'],
      async () => {
        const params = await commented();
        await editor.post(addressOf(RESOLVE, { params }).path);
        return { params };
      },
    ],
    'POST /api/workflows/{key}/versions/{version}/rollback': [
      ['version.rolled_back'],
      async () => {
        const key = await live();
        await publish(editor, reviewer, key);
        return { params: { key, version: '1' } };
      },
    ],
    'DELETE /api/workflows/{key}': [['workflow.archived'], async () => ({ params: { key: await live() } })],
    'POST /api/runs': [['run.started', 'step.activated'], async () => ({ body: { key: await live(), name: 'A run' } })],
    'POST /api/runs/{id}/complete': [
      ['step.completed', 'step.activated'],
      async () => ({ params: await run(), body: { stepId: 'step-1', output: 'Done' } }),
    ],
    'POST /api/runs/{runId}/steps/{stepId}/complete': [
      ['step.completed', 'step.activated'],
      async () => ({ params: await run(), body: { output: 'Done' } }),
    ],
    'POST /api/runs/{runId}/steps/{stepId}/skip': [
      ['step.skipped', 'step.activated'],
      async () => ({ params: await run() }),
    ],
    'POST /api/runs/{id}/steps/{stepId}/approve': [
      ['step.approved', 'step.completed', 'run.completed'],
      async () => ({ params: await atVote() }),
    ],
    'POST /api/runs/{id}/steps/{stepId}/reject': [
      ['step.rejected', 'step.failed', 'run.failed'],
      async () => ({ params: await atVote(), body: { comments: 'No' } }),
    ],
    'POST /api/runs/{id}/steps/{stepId}/retry': [
      ['step.retried', 'step.activated'],
      async () => {
        const params = await atVote();
        await act(owner, params['id'] ?? '', 'step-2', 'reject', { comments: 'No' });
        return { params };
      },
    ],
    // What someone has read, and how they want to be told, is theirs alone.
    'POST /api/notifications/{id}/read': [[], async () => ({ params: { id: await tell(server, owner) } })],
    'POST /api/notifications/read': [[], async () => ({})],
    'PATCH /api/notifications/preferences': [
      [],
      async () => ({ body: { news: 'mentions', channel: 'email', pace: 'daily' } }),
    ],
    // Whom Slack tells of a step is told by a job; nothing is connected here.
    'POST /api/integrations/slack/notify': [
      [],
      async () => ({ body: { assignee: 'someone@example.com', message: 'First', workflowName: 'Contract' } }),
    ],
    'PATCH /api/integrations/slack': [
      ['integration.changed'],
      async () => {
        await connected();
        return { body: { channelId: null } };
      },
    ],
    'DELETE /api/integrations/slack': [
      ['integration.disconnected'],
      async () => {
        await connected();
        return {};
      },
    ],
    'POST /api/runs/{id}/pause': [['run.paused'], async () => ({ params: await run() })],
    'POST /api/runs/{id}/resume': [
      ['run.resumed'],
      async () => ({ params: await run((id) => owner.post(`/api/runs/${id}/pause`)) }),
    ],
    'POST /api/runs/{id}/cancel': [['run.cancelled'], async () => ({ params: await run(), body: { reason: 'No' } })],
  };
  /** What belongs to no organization, tells it in the trail of the one it makes, or changes nothing. */
  const elsewhere: ContractKey[] = [
    'POST /api/waitlist/signup',
    'POST /api/waitlist/priority-application',
    'POST /api/auth/signup',
    'POST /api/auth/reset-request',
    'POST /api/auth/reset',
    // Need a provider, in whose test they are compared with what they tell.
    'POST /api/auth/oidc/session',
    'POST /api/auth/oidc/connect',
    'POST /api/organizations',
    'POST /api/workflow-files/read',
    'POST /api/workflows/script-trial',
    // Changes nothing: a ticket is sealed, not kept, and what it connects is told when the browser comes back with it.
    'POST /api/integrations/slack/tickets',
    // Slack's own call; what was pressed there is done by a job, as the member, and told as theirs.
    'POST /api/integrations/slack/interactivity',
  ];
  const changing = (Object.keys(contract) as ContractKey[]).filter(
    (key) => !key.startsWith('GET') && !elsewhere.includes(key),
  );

  it('is compared below for every route that changes something', () => {
    expect(changing.filter((key) => !CHANGES[key])).toEqual([]);
  });

  it.each(changing)('says what %s did, once, and nothing where it is refused', async (key) => {
    const [events = [], prepare] = CHANGES[key] ?? [];
    const prepared = await prepare?.();
    const { method, path } = addressOf(key, prepared);
    const before = await head();
    const reply = await (prepared?.by ?? owner).call(method, path, prepared?.body, prepared?.headers);
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    expect(await actionsSince(before)).toEqual(events);
    expect(await unclearSince(before)).toEqual([]);
    if (contract[key].access === 'public') return;
    const refused = await server.anyone.call(method, path, prepared?.body, prepared?.headers);
    expect(refused.status).toBe(401);
    expect(await head()).toBe(before + events.length);
  });

  /** Routes that govern: what is asked of runs, and what is a person's own, is judged as the request came in. */
  const governing = changing.filter((key) => isGoverned(contract[key].access));

  const oneApproval = (): Promise<unknown> =>
    server.sql(
      `update organizations set required_approvals = 1, pending_approvals = null, pending_proposed_by = null, pending_proposed_at = null
       where id = $1`,
      [orgId],
    );

  it.each(governing)('has no word of %s by one whose role was taken while the call was on its way', async (key) => {
    await oneApproval();
    const prepared = await CHANGES[key]?.[1]();
    const { method, path } = addressOf(key, prepared);
    const who = prepared?.by ?? owner;
    const before = await head();
    const of = [orgId, who.user.id];
    const [kept] = await server.sql<{ role: string }>(
      'select role from memberships where org_id = $1 and user_id = $2',
      of,
    );
    try {
      const change = `update memberships set role = 'viewer' where org_id = $1 and user_id = $2`;
      const reply = await changeBefore(server, orgId, { text: change, values: of, alone: true }, () =>
        who.call(method, path, prepared?.body, prepared?.headers),
      );
      expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(await head()).toBe(before);
    } finally {
      await server.sql('update memberships set role = $3 where org_id = $1 and user_id = $2', [...of, kept?.role]);
      await oneApproval();
    }
  });

  it('holds after a mixed workload of many at once', async () => {
    const key = await live();
    const runs = await Promise.all(Array.from({ length: 12 }, () => start(owner, key)));
    const answers = await Promise.all(
      runs.flatMap(({ id }, n) => [
        complete(owner, id, 'step-1', `Input “${n}” 世界`),
        complete(editor, id, 'step-1'),
        owner.call('POST', `/api/runs/${id}/pause`),
        editor.call('POST', `/api/workflows/${newKey()}/drafts`, content(`Draft ${n}`)),
        n % 3 === 0
          ? reviewer.call('POST', `/api/runs/${id}/cancel`, { reason: 'Enough' })
          : start(owner, key).then(() => ({ status: 201 })),
      ]),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const events = await trailOf(server, orgId);
    expect(await verdictOf(server, orgId)).toMatchObject({ ok: true, count: events.length });
    for (const { id } of runs) {
      const { history } = await runOf(owner, id);
      expect(history.map(({ action }) => action)).toEqual(
        events
          .filter(({ runId }) => runId === id)
          .map(({ action }) => (action.startsWith('run') ? action.replace('.', '_') : action.slice(5))),
      );
    }
  });

  it('keeps each organization’s chain apart', async () => {
    const other = await server.signUp({ team: 'Apart' });
    await publish(other, other, 'apart');
    expect(await verdictOf(server, other.user.currentOrgId ?? '')).toMatchObject({ ok: true });
    expect(await verdictOf(server, orgId)).toMatchObject({ ok: true });
  });

  it('names who did it, from which session, and on what', async () => {
    const before = await head();
    const { id } = await start(owner, await live());
    const started = (await trailOf(server, orgId)).find(({ seq, action }) => seq > before && action === 'run.started');
    const { sid } = JSON.parse(Buffer.from(owner.token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
    expect(started).toMatchObject({ actor: owner.user.id, subjectType: 'run', subjectId: id, runId: id });
    expect(JSON.parse(started?.payload ?? '{}')).toMatchObject({
      actor: { id: owner.user.id, email: owner.user.email, kind: 'user' },
      sessionId: sid,
      subject: { type: 'run', id },
    });
  });

  it('is found out where a row was changed, removed or exchanged', async () => {
    const victim = await server.signUp();
    const victimOrg = victim.user.currentOrgId ?? '';
    await publish(victim, victim, 'victim');
    const tamper = async (change: string): Promise<unknown> => {
      await server.sql(
        'create table kept as select * from audit_events where org_id = $1'.replace('$1', `'${victimOrg}'`),
      );
      await server.sql('alter table audit_events disable trigger user');
      await server.sql(change.replaceAll('$org', `'${victimOrg}'`));
      const verdict = await verdictOf(server, victimOrg);
      await server.sql(`delete from audit_events where org_id = '${victimOrg}'`);
      await server.sql('insert into audit_events select * from kept');
      await server.sql('drop table kept');
      await server.sql('alter table audit_events enable trigger user');
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
    expect(await verdictOf(server, victimOrg)).toMatchObject({ ok: true });
  });

  describe('where it can’t take an event', () => {
    let source: string;
    beforeAll(async () => {
      const [found] = await server.sql<{ source: string }>(
        `select pg_get_functiondef('audit_append(jsonb)'::regprocedure) as source`,
      );
      source = found?.source ?? '';
    });

    /** What a call answers while nothing can be recorded. */
    async function untold<T>(call: () => Promise<T>): Promise<T> {
      await server.sql(
        `create or replace function audit_append(events jsonb) returns bigint language plpgsql as $$ begin raise exception 'no trail'; end $$`,
      );
      try {
        return await call();
      } finally {
        await server.sql(source);
      }
    }
    const refused = {
      status: 500,
      body: { code: 'internal', error: 'Something went wrong. Nothing was changed.' },
    };

    it.each(changing.filter((key) => CHANGES[key]?.[0].length !== 0))('undoes %s, all of it', async (key) => {
      const prepared = await CHANGES[key]?.[1]();
      const { method, path } = addressOf(key, prepared);
      const call = (): Promise<Reply<unknown>> =>
        (prepared?.by ?? owner).call(method, path, prepared?.body, {
          ...prepared?.headers,
          'idempotency-key': `untold ${key}`,
        });
      await quiet(server);
      const before = await everything(server);
      expect(await untold(call)).toMatchObject(refused);
      expect(await everything(server)).toEqual(before);
      // It was the trail alone that stood in the way, and nothing remembers the attempt.
      const again = await call();
      expect(again.status, JSON.stringify(again.body)).toBeLessThan(300);
    });

    it('undoes what makes an organization or a password, too', async () => {
      const token = randomBytes(32).toString('base64url');
      await server.sql('insert into password_resets (id, user_id, token_hash) values ($1, $2, $3)', [
        randomUUID(),
        (await member('viewer')).user.id,
        createHash('sha256').update(token).digest(),
      ]);
      const account = { email: 'untold@example.com', name: 'Untold', password: 'a long enough one' };
      for (const [by, path, body] of [
        [server.anyone, '/api/auth/signup', account],
        [owner, '/api/organizations', { name: 'Untold', slug: 'untold' }],
        [server.anyone, '/api/auth/reset', { token, password: 'another long one' }],
      ] as const) {
        await quiet(server);
        const before = await everything(server);
        expect(await untold(() => by.call('POST', path, body))).toMatchObject(refused);
        expect(await everything(server)).toEqual(before);
        expect((await by.call('POST', path, body)).status).toBeLessThan(300);
      }
    });
  });
});

/** Waits until the jobs of what came before are done: they write by themselves. */
async function quiet({ sql }: TestServer): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const [left] = await sql<{ n: number }>(
      `select (select count(*) from outbox)::int + (select count(*) from graphile_worker.jobs where run_at <= now())::int as n`,
    );
    if (left?.n === 0) return;
    await sleep(50);
  }
}

/** Kept by their own clock, whatever is asked meanwhile. */
const BY_THEMSELVES = [
  'webhook_cursors',
  'rate_limits',
  'outbox',
  'job_pools',
  'audit_checkpoints',
  'audit_verifications',
];

/** A digest of each table, all but moments of looking. */
async function everything({ sql }: TestServer): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    if (BY_THEMSELVES.includes(name)) continue;
    const [row] = await sql<{ digest: string }>(
      `select coalesce(md5(string_agg((to_jsonb(t) - 'last_seen_at')::text, '\n' order by (to_jsonb(t) - 'last_seen_at')::text)), '') as digest
       from ${name} t`,
    );
    digests[name] = row?.digest ?? '';
  }
  return digests;
}
