import type { ContractKey } from '@stet/contract';
import { notify } from '../../apps/server/src/testing/notifications.ts';
import { joinOrganization, publish, stepsNamed } from '../../apps/server/src/testing/organization.ts';
import { act, start } from '../../apps/server/src/testing/runs.ts';
import type { Person, TestServer } from '../../apps/server/src/testing/server.ts';

export type Shot = {
  query?: Record<string, string>;
  body?: unknown;
};
/** The inputs of a route. They refer to existing records that only this route's calls use. */
export type Target = {
  token: string;
  params: Record<string, string>;
  /** A call that must succeed; sent before all others. */
  good: Shot;
};

type Base = { server: TestServer; person: Person; orgId: string; params: Record<string, string>; n: number };
type Recipe = (base: Base) => Promise<Partial<Target>> | Partial<Target>;

/** Routes that can't be called successfully in this setup, with the reason. */
export const NEVER_GRANTED: { [K in ContractKey]?: string } = {
  'POST /api/auth/oidc/session': 'no identity provider is configured',
  'POST /api/auth/oidc/connect': 'no identity provider is configured',
  'POST /api/auth/reset': 'its secret is only mailed',
  'POST /api/integrations/slack/tickets': 'no Slack app is configured',
  'POST /api/integrations/slack/interactivity': 'only Slack can sign it',
  'PATCH /api/integrations/slack': 'no Slack app is configured',
  'DELETE /api/integrations/slack': 'no Slack app is configured',
};

const PASSWORD = 'a long enough one';
const CONTENT = { metadata: { title: 'Fuzzed' }, steps: [{ id: 'step-1', title: 'First' }] };
const FILE = { key: 'file', ...CONTENT };
const BPMN =
  '<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"><bpmn:process id="P" name="Fuzzed"><bpmn:task id="T"/></bpmn:process></bpmn:definitions>';

const onDraft =
  (...path: string[]): Recipe =>
  async ({ person, params }) => {
    for (const step of path) await person.post(`/api/workflows/target/drafts/${params['draftId']}/${step}`);
    return {};
  };
const body =
  (good: unknown): Recipe =>
  () => ({ good: { body: good } });
const vote: Recipe = async ({ person }) => {
  await publish(person, person, 'vote', [{ id: 'vote', title: 'Vote', type: 'approval' }]);
  const { id } = await start(person, 'vote');
  return { params: { runId: id, id, stepId: 'vote' }, good: { body: { comments: 'So be it' } } };
};
const invitation: Recipe = async ({ person, orgId, n }) => {
  const guest = `guest-${n}@example.com`;
  const { id, link } = await person.post<{ id: string; link: string }>(`/api/organizations/${orgId}/invitations`, {
    email: guest,
    role: 'viewer',
  });
  return { params: { invitationId: id, token: link.slice(link.lastIndexOf('/') + 1) } };
};
const webhook: Recipe = async ({ server, person, orgId, n }) => {
  const { webhook: made } = await person.post<{ webhook: { id: string } }>('/api/webhooks', {
    name: 'Fuzzed',
    url: 'https://127.0.0.1/',
    actions: ['audit.erased'],
  });
  const deliveryId = `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  await server.sql(
    `insert into webhook_deliveries (org_id, id, webhook_id, action, subject, state, ended_at) values ($1, $2, $3, 'webhook.test', 'test', 'dead', now())`,
    [orgId, deliveryId, made.id],
  );
  return { params: { id: made.id, deliveryId } };
};
const member: Recipe = async ({ server, orgId }) => {
  const other = await server.signUp();
  await joinOrganization(server, other, orgId, 'editor');
  return { params: { userId: other.user.id }, good: { body: { role: 'viewer' } } };
};
const lowered: Recipe = async ({ server, person, orgId }) => {
  const second = await server.signUp();
  await joinOrganization(server, second, orgId, 'admin');
  await person.patch(`/api/organizations/${orgId}`, { requiredApprovals: 0 });
  return { token: second.token };
};
const token =
  (path: (orgId: string) => string, role?: string): Recipe =>
  async ({ person, orgId }) => {
    const wanted = { name: 'Fuzzed', scopes: ['workflow.read'], expiresInDays: 1, ...(role && { role }) };
    const made = await person.post<{ token: { id: string } }>(path(orgId), wanted);
    return { params: { tokenId: made.token.id, ...(role === undefined && { id: made.token.id }) } };
  };

/** The data that a route needs in addition to a live workflow, a draft of it with a comment, and a run. */
const RECIPES: { [K in ContractKey]?: Recipe } = {
  'POST /api/waitlist/signup': ({ n }) => ({ good: { body: { email: `waits-${n}@example.com` } } }),
  'POST /api/waitlist/priority-application': body({
    email: 'applies@example.com',
    role: 'Founder',
    frequency: 'Daily',
  }),
  'POST /api/auth/signup': ({ n }) => ({
    good: { body: { name: 'Ada', email: `signs-up-${n}@example.com`, password: PASSWORD } },
  }),
  'POST /api/auth/reset-request': ({ person }) => ({ good: { body: { email: person.user.email } } }),
  'GET /api/auth/slug': () => ({ good: { query: { slug: 'fuzzed' } } }),
  'PATCH /api/users/me': body({ name: 'Ada' }),
  'PATCH /api/organizations/{id}': body({ name: 'Fuzzed again' }),
  'POST /api/organizations/{id}/invitations': body({ email: 'invited@example.com', role: 'viewer' }),
  'PATCH /api/notifications/preferences': body({ news: 'mentions', channel: 'email', pace: 'daily' }),
  'POST /api/auth/login': ({ person }) => ({ good: { body: { email: person.user.email, password: PASSWORD } } }),
  'POST /api/users/switch-organization': ({ orgId }) => ({ good: { body: { organizationId: orgId } } }),
  'POST /api/users/me/password': body({ currentPassword: PASSWORD, password: 'another long one' }),
  'POST /api/organizations': ({ n }) => ({ good: { body: { name: 'Fuzzed', slug: `fuzzed-${n}` } } }),
  'DELETE /api/users/me/sessions/{id}': async ({ server, person }) => {
    await server.anyone.post('/api/auth/login', { email: person.user.email, password: PASSWORD });
    const sessions =
      await person.get<{ id: string; isCurrent?: boolean; current?: boolean }[]>('/api/users/me/sessions');
    const other = sessions.find(({ isCurrent, current }) => !(isCurrent ?? current));
    return { params: { id: other?.id ?? '' } };
  },
  'POST /api/organizations/{id}/policy-change/confirm': lowered,
  'DELETE /api/organizations/{id}/policy-change': lowered,
  'PATCH /api/organizations/{id}/users/{userId}': member,
  'DELETE /api/organizations/{id}/users/{userId}': member,
  'DELETE /api/organizations/{id}/invitations/{invitationId}': invitation,
  'POST /api/organizations/{id}/invitations/{invitationId}/resend': invitation,
  'GET /api/invitations/{token}': invitation,
  'POST /api/invitations/{token}/accept': async (base) => ({
    ...(await invitation(base)),
    good: { body: { name: 'Guest', password: PASSWORD } },
  }),
  'POST /api/invitations/{token}/join': async ({ server, person, orgId }) => {
    const guest = await server.signUp();
    const path = `/api/organizations/${orgId}/invitations`;
    const { link } = await person.post<{ link: string }>(path, { email: guest.user.email, role: 'viewer' });
    return { token: guest.token, params: { token: link.slice(link.lastIndexOf('/') + 1) } };
  },
  'POST /api/workflows/{key}/versions/{version}/rollback': async ({ person }) => {
    await publish(person, person, 'target', stepsNamed('First', 'Third'));
    return {};
  },
  'POST /api/workflows/{key}/drafts': body(CONTENT),
  'PATCH /api/workflows/{key}/drafts/{id}': body(CONTENT),
  'POST /api/workflows/{key}/drafts/{id}/withdraw': onDraft('submit'),
  'POST /api/workflows/{key}/drafts/{id}/approve': onDraft('submit'),
  'POST /api/workflows/{key}/drafts/{id}/withdraw-approval': onDraft('submit', 'approve'),
  'POST /api/workflows/{key}/drafts/{id}/request-changes': async (base) => ({
    ...(await onDraft('submit')(base)),
    good: { body: { comment: 'Once more' } },
  }),
  'POST /api/workflows/{key}/drafts/{id}/merge': onDraft('submit', 'approve'),
  'POST /api/workflows/{key}/drafts/{id}/comments': body({ body: 'Hm' }),
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen': async ({ person, params }) => {
    const path = `/api/workflows/target/drafts/${params['draftId']}/comments/${params['commentId']}`;
    await person.post(`${path}/resolve`);
    return {};
  },
  'POST /api/workflows/{key}/drafts/{id}/rebase': async ({ person, params }) => {
    await publish(person, person, 'target', stepsNamed('First', 'Third'));
    const { conflicts } = await person.get<{ conflicts: { on: string; stepId?: string; field: string }[] }>(
      `/api/workflows/target/drafts/${params['draftId']}/rebase`,
    );
    const resolutions = conflicts.map(({ on, stepId, field }) => ({
      on,
      field,
      take: 'live',
      ...(stepId !== undefined && { stepId }),
    }));
    return { good: { body: { resolutions } } };
  },
  'GET /api/workflows/{key}/compare': () => ({ good: { query: { from: '1', to: '1' } } }),
  'GET /api/workflows/{key}/document': () => ({ good: { query: { asOf: '2026-09-01T09:30:00Z' } } }),
  'POST /api/workflows/{key}/import-yaml': () => ({
    params: { key: 'file' },
    good: { query: { format: 'json' }, body: JSON.stringify(FILE) },
  }),
  'POST /api/workflows/{key}/import-bpmn': () => ({ params: { key: 'bpmn' }, good: { body: BPMN } }),
  'POST /api/workflow-files/read': () => ({ good: { query: { format: 'json' }, body: JSON.stringify(FILE) } }),
  'POST /api/workflows/script-trial': body({ script: 'return 1 + 1' }),
  'POST /api/runs': body({ key: 'target', name: 'A run' }),
  'POST /api/runs/{id}/complete': body({ stepId: 'step-1', output: { text: 'Done' } }),
  'POST /api/runs/{runId}/steps/{stepId}/complete': body({ output: { text: 'Done' } }),
  'POST /api/runs/{runId}/steps/{stepId}/skip': body({ reason: 'Why not' }),
  'POST /api/runs/{id}/steps/{stepId}/approve': vote,
  'POST /api/runs/{id}/steps/{stepId}/reject': vote,
  'POST /api/runs/{id}/steps/{stepId}/hand-over': body({ to: '00000000-0000-4000-8000-000000000000', reason: 'Away' }),
  'POST /api/runs/{id}/steps/{stepId}/retry': async (base) => {
    const waiting = await vote(base);
    const { runId = '', stepId = '' } = waiting.params ?? {};
    await act(base.person, runId, stepId, 'reject', { comments: 'No' });
    return { params: waiting.params ?? {} };
  },
  'POST /api/runs/{id}/resume': async ({ person, params }) => {
    await person.post(`/api/runs/${params['runId']}/pause`);
    return {};
  },
  'POST /api/runs/{id}/cancel': body({ reason: 'Enough' }),
  'POST /api/runs/bulk': body({ ids: ['00000000-0000-4000-8000-000000000000'], action: 'cancel', reason: 'Enough' }),
  'POST /api/notifications/{id}/read': async ({ server, person }) => ({ params: { id: await notify(server, person) } }),
  'POST /api/integrations/slack/notify': body({ assignee: 'a@example.com', message: 'First', workflowName: 'Fuzzed' }),
  'POST /api/tokens': body({ name: 'Fuzzed', scopes: ['workflow.read'], expiresInDays: 1 }),
  'DELETE /api/tokens/{id}': token(() => '/api/tokens'),
  'POST /api/organizations/{id}/tokens': body({
    name: 'Fuzzed',
    role: 'viewer',
    scopes: ['workflow.read'],
    expiresInDays: 1,
  }),
  'DELETE /api/organizations/{id}/tokens/{tokenId}': token((orgId) => `/api/organizations/${orgId}/tokens`, 'viewer'),
  'POST /api/webhooks': body({ name: 'Fuzzed', url: 'https://127.0.0.1/', actions: [] }),
  'PATCH /api/webhooks/{id}': async (base) => ({ ...(await webhook(base)), good: { body: { name: 'Renamed' } } }),
  'DELETE /api/webhooks/{id}': webhook,
  'POST /api/webhooks/{id}/rotate': webhook,
  'POST /api/webhooks/{id}/test': webhook,
  'GET /api/webhooks/{id}/deliveries': webhook,
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver': webhook,
  'POST /api/webhooks/{id}/redeliver': webhook,
  'PATCH /api/organizations/{id}/routes': body({ routes: [] }),
  'PATCH /api/organizations/{id}/working-hours': body({ workingHours: null }),
  'PATCH /api/workflows/{key}': body({ tags: ['payments'] }),
  'PATCH /api/workflows/{key}/people': body({ owners: [] }),
  'PATCH /api/workflows/{key}/escalation': body({ tell: ['reviewer'], againAfterMinutes: 60 }),
};

let made = 0;
/** Creates everything that a route needs, in a separate organization. */
export async function targetOf(server: TestServer, key: ContractKey): Promise<Target> {
  const n = (made += 1);
  const person = await server.signUp({ team: `Fuzzed ${n}` });
  const orgId = person.user.currentOrgId ?? '';
  await publish(person, person, 'target', stepsNamed('First', 'Second'));
  const { draftId } = await person.post<{ draftId: string }>('/api/workflows/target/drafts', CONTENT);
  const path = `/api/workflows/target/drafts/${draftId}`;
  const { id: commentId } = await person.post<{ id: string }>(`${path}/comments`, { body: 'Hm' });
  const { id: runId } = await start(person, 'target');
  const id = key.includes('/drafts/') ? draftId : key.includes('/runs/') ? runId : orgId;
  const params = { key: 'target', version: '1', stepId: 'step-1', runId, draftId, commentId, orgId, id };
  const more = await RECIPES[key]?.({ server, person, orgId, params, n });
  return {
    token: more?.token ?? person.token,
    params: { ...params, ...more?.params },
    good: more?.good ?? {},
  };
}
