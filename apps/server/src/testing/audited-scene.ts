import { randomUUID } from 'node:crypto';
import type { ContractKey } from '@stet/contract';
import type { AuditRecord } from '@stet/domain/audit';
import { absence } from './delegations.ts';
import { contentTitled, joinOrganization, publish, stepsNamed, teamOf } from './organization.ts';
import { addressOf } from './routes.ts';
import { complete, start } from './runs.ts';
import { type Person, startTestServer } from './server.ts';

/** The inputs of a prepared call, and its caller, by default the owner. */
export type Prepared = {
  params?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  by?: Person;
};
/** For each route that changes something: a call, and the events that it must append. */
export type Changes = { [K in ContractKey]?: readonly [events: string[], (at: AuditedScene) => Promise<Prepared>] };
export type AuditedScene = Awaited<ReturnType<typeof startAuditedScene>>;

export const NOWHERE = 'https://127.0.0.1:9/';

/** A server with a team, helpers that prepare the records for calls, and queries on the team's audit trail. */
export async function startAuditedScene() {
  // Errors aren't logged, because the failures in these tests are intentional.
  const server = await startTestServer({ LOG_LEVEL: 'fatal', WEBHOOK_ALLOW: '127.0.0.1' });
  const { owner, reviewer, editor, orgId } = await teamOf(server, ['reviewer', 'editor']);
  let counted = 0;
  const count = (): number => (counted += 1);
  const newKey = (): string => `audited-${count()}`;

  const actionsSince = async (seq: number): Promise<string[]> =>
    (
      await server.sql<{ action: string }>(
        'select action from audit_events where org_id = $1 and seq > $2 order by seq',
        [orgId, seq],
      )
    ).map(({ action }) => action);
  /** The actions of events that identify their subject only by its id. */
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
        group: isText(data['name']),
        delegation: typeof data['delegator'] === 'object' && typeof data['delegate'] === 'object',
        audit: true,
      }[subject.type];
      return isClear ? [] : [action];
    });
  const head = async (): Promise<number> =>
    (await server.sql<{ n: number }>('select count(*)::int as n from audit_events where org_id = $1', [orgId]))[0]?.n ??
    0;

  async function draft({ submitted = false, approved = false } = {}): Promise<Record<string, string>> {
    const key = newKey();
    const { draftId } = await editor.post<{ draftId: string }>(
      `/api/workflows/${key}/drafts`,
      // The content is different each time, because an objection applies to every draft with the same content.
      contentTitled(`A draft of ${key}`),
    );
    if (submitted) await editor.post(`/api/workflows/${key}/drafts/${draftId}/submit`);
    if (approved) await reviewer.post(`/api/workflows/${key}/drafts/${draftId}/approve`);
    return { key, id: draftId };
  }
  /** A draft that is out of date because another one went live first. */
  async function behind(): Promise<Record<string, string>> {
    const key = await live();
    const { draftId } = await editor.post<{ draftId: string }>(
      `/api/workflows/${key}/drafts`,
      contentTitled(`Left behind in ${key}`),
    );
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

  /** Requires `from` approvals, and proposes to require one less. Returns someone who can confirm it. */
  async function proposed(from: number): Promise<Person> {
    const admin = await member('admin');
    for (const requiredApprovals of [from, from - 1]) {
      await owner.patch(`/api/organizations/${orgId}`, { requiredApprovals });
    }
    return admin;
  }
  async function member(role: 'admin' | 'reviewer' | 'viewer'): Promise<Person> {
    const person = await server.signUp();
    await joinOrganization(server, person, orgId, role);
    return person;
  }
  /** A draft with an objection by someone who can no longer review. */
  async function objected(): Promise<Record<string, string>> {
    const params = await draft();
    const objector = await member('reviewer');
    await objector.post(`/api/workflows/${params['key']}/drafts/${params['id']}/request-changes`, { comment: 'No' });
    await joinOrganization(server, objector, orgId, 'viewer');
    return { ...params, reviewerId: objector.user.id };
  }
  /** A proposal, and someone who can confirm it. */
  async function confirmable(from: number): Promise<Prepared> {
    const by = await proposed(from);
    const [waiting] = await by.get<{ id: string }[]>('/api/confirmations');
    return { params: { id: waiting?.id ?? '' }, by };
  }
  /** A paused webhook with a failed delivery. */
  async function listening(): Promise<Record<string, string>> {
    // Makes room for another webhook, because the number of webhooks is limited.
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
  async function group(): Promise<Record<string, string>> {
    const body = { name: 'Finance', slug: newKey(), members: [owner.user.id] };
    return { id: (await owner.post<{ id: string }>('/api/groups', body)).id };
  }
  async function invited(email = `${newKey()}@example.com`): Promise<{ id: string; token: string }> {
    const { id, link } = await owner.post<{ id: string; link: string }>(`/api/organizations/${orgId}/invitations`, {
      email,
      role: 'viewer',
    });
    return { id, token: link.slice(link.lastIndexOf('/') + 1) };
  }

  /** Stores a Slack connection with a channel. */
  const connected = (): Promise<unknown> =>
    server.sql(
      `insert into slack_connections (org_id, team_id, team_name, sealed_token, channel_id, channel_name, connected_by)
       values ($1, 'T1', 'Halden Works', 'sealed elsewhere', 'C1', 'general', $2)
       on conflict (org_id) do update set channel_id = 'C1', channel_name = 'general'`,
      [orgId, owner.user.id],
    );

  return {
    server,
    owner,
    reviewer,
    editor,
    orgId,
    count,
    newKey,
    actionsSince,
    unclearSince,
    head,
    draft,
    behind,
    commented,
    live,
    run,
    atVote,
    proposed,
    objected,
    confirmable,
    member,
    listening,
    group,
    absence,
    invited,
    connected,
  };
}
