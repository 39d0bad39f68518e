import type { ContractKey } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organizationToken, personalToken } from '../testing/api-tokens.ts';
import { tell } from '../testing/notifications.ts';
import { publish, stepsNamed, teamOf } from '../testing/organization.ts';
import { type Inputs, addressOf, fieldsOf, routes } from '../testing/routes.ts';
import { type Client, type Person, type TestServer, startTestServer } from '../testing/server.ts';

/** What the first organization has; every name in it begins with this word. */
const NAME = 'Zephyrine';
const KEY = 'zephyrine-hiring';
type Theirs = {
  orgId: string;
  ownerId: string;
  ownerSessionId: string;
  invitationId: string;
  myOrgId: string;
  myDraftId: string;
  draftId: string;
  openDraftId: string;
  commentId: string;
  versionId: string;
  runId: string;
  stepId: string;
  notificationId: string;
  tokenId: string;
  webhookId: string;
  deliveryId: string;
  email: string;
};

type Probe = Inputs & { answer: 404 | 403 | 'empty' | 'only mine' };

/** Calls that take nothing which could name an organization or what it has: about oneself, or by a secret link. */
const ABOUT_ONESELF: readonly ContractKey[] = [
  'GET /api/auth/me',
  'POST /api/auth/logout',
  'POST /api/auth/oidc/connect',
  'PATCH /api/users/me',
  'POST /api/users/me/password',
  'GET /api/users/me/sessions',
  'POST /api/organizations',
  'POST /api/invitations/{token}/join',
];
const reaching = routes.filter(([key, { access }]) => access !== 'public' && !ABOUT_ONESELF.includes(key));

const STEP_PARAMS = ['id', 'runId'] as const;
const content = { metadata: { title: 'Mine' }, steps: [{ id: 'step-1', title: 'Mine' }] };
const versions = ({ versionId }: Theirs): string[] => ['1', versionId];

/** For each route: the first organization's ids, keys and steps in everything that the route takes. */
const PROBES: { [K in ContractKey]?: (theirs: Theirs) => Probe[] } = {
  'POST /api/users/switch-organization': ({ orgId }) => [{ body: { organizationId: orgId }, answer: 403 }],
  'DELETE /api/users/me/sessions/{id}': ({ ownerSessionId }) => [{ params: { id: ownerSessionId }, answer: 404 }],
  'GET /api/organizations/{id}/users': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'GET /api/organizations/{id}/common-assignees': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'GET /api/organizations/{id}': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'POST /api/organizations/{id}/policy-change/confirm': ({ orgId }) => [
    { params: { id: orgId }, body: { requiredApprovals: 0 }, answer: 404 },
  ],
  'DELETE /api/organizations/{id}/policy-change': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'PATCH /api/organizations/{id}': ({ orgId }) => [
    { params: { id: orgId }, body: { name: 'Taken', requiredApprovals: 0 }, answer: 404 },
  ],
  'PATCH /api/organizations/{id}/users/{userId}': inOrganization('userId', 'ownerId', { role: 'viewer' }),
  'DELETE /api/organizations/{id}/users/{userId}': inOrganization('userId', 'ownerId'),
  'GET /api/organizations/{id}/invitations': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'POST /api/organizations/{id}/invitations': ({ orgId }) => [
    { params: { id: orgId }, body: { email: 'spy@example.com', role: 'admin' }, answer: 404 },
  ],
  'DELETE /api/organizations/{id}/invitations/{invitationId}': inOrganization('invitationId', 'invitationId'),
  'POST /api/organizations/{id}/invitations/{invitationId}/resend': inOrganization('invitationId', 'invitationId'),
  // Nobody has connected anything; what is sealed for one organization is in `slack.test.ts`.
  'GET /api/integrations/slack/status': () => [{ answer: 'only mine' }],
  'POST /api/integrations/slack/tickets': () => [{ answer: 404 }],
  'POST /api/integrations/slack/notify': ({ email }) => [
    { body: { assignee: email, message: `${NAME} interview`, workflowName: `${NAME} hiring` }, answer: 'only mine' },
  ],
  'GET /api/integrations/slack/channels': () => [{ answer: 'empty' }],
  'PATCH /api/integrations/slack': () => [{ body: { channelId: 'C1' }, answer: 404 }],
  'DELETE /api/integrations/slack': () => [{ answer: 404 }],
  'GET /api/workflows/{key}/export-yaml': ({ draftId, openDraftId }) => [
    { params: { key: KEY }, query: { format: 'json' }, answer: 404 },
    { params: { key: KEY }, query: { version: '1' }, answer: 404 },
    ...[KEY, 'mine'].flatMap((key) =>
      [draftId, openDraftId].map((id): Probe => ({ params: { key }, query: { draftId: id }, answer: 404 })),
    ),
  ],
  'POST /api/workflows/{key}/import-yaml': () => [
    {
      params: { key: 'zephyrine-imported' },
      query: { format: 'json' },
      body: { key: KEY, ...content },
      answer: 'only mine',
    },
  ],
  'GET /api/workflows/{key}/export-bpmn': ({ draftId, openDraftId }) => [
    { params: { key: KEY }, answer: 404 },
    { params: { key: KEY }, query: { version: '1' }, answer: 404 },
    ...[KEY, 'mine'].flatMap((key) =>
      [draftId, openDraftId].map((id): Probe => ({ params: { key }, query: { draftId: id }, answer: 404 })),
    ),
  ],
  'POST /api/workflows/{key}/import-bpmn': () => [
    {
      params: { key: 'zephyrine-imported-bpmn' },
      body: '<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"><bpmn:process id="P" name="Mine"><bpmn:task id="T"/></bpmn:process></bpmn:definitions>',
      headers: { 'content-type': 'application/xml' },
      answer: 'only mine',
    },
  ],
  // Sees nothing but what is sent along.
  'POST /api/workflows/script-trial': () => [
    {
      body: { script: 'return { outputs, run, step }', timeout: 1, outputs: {}, run: {}, step: {} },
      answer: 'only mine',
    },
  ],
  'POST /api/workflow-files/read': () => [
    { query: { format: 'json' }, body: { key: 'zephyrine-read', ...content }, answer: 'only mine' },
  ],
  'GET /api/workflows': ({ runId }) => [
    { answer: 'only mine' },
    { query: { q: KEY, in: 'text', status: 'draft,live', limit: '200' }, answer: 'empty' },
    { query: { cursor: `2100-01-01T00:00:00.000000Z_${runId}` }, answer: 'only mine' },
  ],
  'GET /api/workflow-counts': () => [{ answer: 'only mine' }],
  'GET /api/workflows/{key}': () => [{ params: { key: KEY }, answer: 404 }],
  'GET /api/workflows/{key}/versions': () => [{ params: { key: KEY }, answer: 404 }],
  'GET /api/workflows/{key}/versions/{version}': (theirs) => [
    ...versions(theirs).map((version): Probe => ({ params: { key: KEY, version }, answer: 404 })),
    { params: { key: 'mine', version: theirs.versionId }, answer: 404 },
  ],
  'GET /api/workflows/{key}/compare': (theirs) => [
    ...versions(theirs).map((version): Probe => ({
      params: { key: KEY },
      query: { from: version, to: theirs.versionId, limit: '10' },
      answer: 404,
    })),
    { params: { key: 'mine' }, query: { from: theirs.openDraftId, to: theirs.versionId }, answer: 404 },
  ],
  'POST /api/workflows/{key}/versions/{version}/rollback': (theirs) => [
    ...versions(theirs).map((version): Probe => ({
      params: { key: KEY, version },
      body: { reason: theirs.runId },
      answer: 404,
    })),
    { params: { key: 'mine', version: theirs.versionId }, body: { reason: 'Taken' }, answer: 404 },
  ],
  'GET /api/workflow-search': ({ versionId }) => [
    { answer: 'only mine' },
    { query: { q: NAME }, answer: 'empty' },
    { query: { q: 'interview', status: 'live', limit: '100' }, answer: 'empty' },
    { query: { q: 'interview', status: 'in_review' }, answer: 'empty' },
    { query: { cursor: `0_2100-01-01T00:00:00.000000Z_${versionId}` }, answer: 'only mine' },
  ],
  'GET /api/workflows/{key}/document': ({ draftId, openDraftId }) => [
    { params: { key: KEY }, answer: 404 },
    ...[KEY, 'mine'].flatMap((key) =>
      [draftId, openDraftId].map((version): Probe => ({ params: { key }, query: { version }, answer: 404 })),
    ),
  ],
  'GET /api/workflows/{key}/versions/{version}/document': ({ versionId, openDraftId }) =>
    [versionId, openDraftId].flatMap((version) =>
      [KEY, 'mine'].flatMap((key) =>
        ['md', 'pdf'].map((format): Probe => ({ params: { key, version }, query: { format }, answer: 404 })),
      ),
    ),
  'DELETE /api/workflows/{key}': () => [{ params: { key: KEY }, answer: 404 }],
  // The same key is free in another organization: what it makes there is its own.
  'POST /api/workflows/{key}/drafts': ({ stepId }) => [
    {
      params: { key: 'zephyrine-onboarding' },
      body: { key: 'zephyrine-onboarding', metadata: content.metadata, steps: [{ id: stepId, title: 'Mine' }] },
      answer: 'only mine',
    },
  ],
  'GET /api/workflows/{key}/drafts/{id}': drafts(),
  'PATCH /api/workflows/{key}/drafts/{id}': drafts((key) => ({ key, ...content })),
  'DELETE /api/workflows/{key}/drafts/{id}': drafts(),
  'GET /api/workflows/{key}/drafts/{id}/diff': (theirs) =>
    drafts()(theirs).flatMap((probe) =>
      ['base', 'live', 'approved', 'reviewed'].map((against) => ({ ...probe, query: { against, limit: '1000' } })),
    ),
  'GET /api/workflows/{key}/drafts/{id}/impact': drafts(),
  'POST /api/workflows/{key}/drafts/{id}/submit': drafts(),
  'POST /api/workflows/{key}/drafts/{id}/withdraw': drafts(),
  'POST /api/workflows/{key}/drafts/{id}/approve': drafts(() => ({ comment: 'Fine' })),
  'POST /api/workflows/{key}/drafts/{id}/request-changes': drafts(() => ({ comment: 'Not fine' })),
  'POST /api/workflows/{key}/drafts/{id}/merge': drafts(),
  'POST /api/workflows/{key}/drafts/{id}/comments': drafts(() => ({ body: 'Hello', stepId: 'zephyrine-step' })),
  'GET /api/workflows/{key}/drafts/{id}/rebase': drafts(),
  'POST /api/workflows/{key}/drafts/{id}/rebase': drafts((_key, { versionId }) => ({
    liveVersionId: versionId,
    resolutions: [{ on: 'step', stepId: 'zephyrine-step', field: 'title', value: 'Taken' }],
  })),
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve': comments,
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen': comments,
  'GET /api/runs': ({ runId }) => [
    { answer: 'empty' },
    { query: { workflow: KEY, status: 'running', sla: 'on_track', env: 'testing', limit: '200' }, answer: 'empty' },
    { query: { q: NAME, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 'empty' },
    { query: { cursor: `2100-01-01T00:00:00.000Z_${runId}` }, answer: 'empty' },
  ],
  'GET /api/notifications': ({ notificationId }) => [
    { query: { limit: '100' }, answer: 'empty' },
    { query: { unread: 'true', cursor: `2100-01-01T00:00:00.000Z_${notificationId}` }, answer: 'empty' },
  ],
  'GET /api/notifications/count': () => [{ answer: 'only mine' }],
  'GET /api/notifications/preferences': () => [{ answer: 'only mine' }],
  'PATCH /api/notifications/preferences': () => [
    { body: { news: 'mentions', channel: 'email', pace: 'daily' }, answer: 'only mine' },
  ],
  'POST /api/notifications/{id}/read': ({ notificationId }) => [{ params: { id: notificationId }, answer: 404 }],
  'POST /api/notifications/read': () => [{ body: { upTo: '2100-01-01T00:00:00.000Z' }, answer: 'only mine' }],
  'GET /api/runs/export.csv': () => [
    { answer: 'only mine' },
    { query: { workflow: KEY, status: 'running', sla: 'on_track', env: 'testing' }, answer: 'only mine' },
    { query: { q: NAME, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 'only mine' },
  ],
  'GET /api/tasks': ({ runId, stepId }) => [
    { query: { limit: '200' }, answer: 'empty' },
    { query: { cursor: `2000-01-01T00:00:00.000Z_${runId}_${stepId}` }, answer: 'empty' },
  ],
  'GET /api/tasks/count': () => [{ answer: 'only mine' }],
  'GET /api/organizations/{id}/working-hours': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'PATCH /api/organizations/{id}/working-hours': ({ orgId }) => [
    { params: { id: orgId }, body: { workingHours: null }, answer: 404 },
  ],
  'GET /api/workflows/{key}/escalation': () => [{ params: { key: KEY }, answer: 404 }],
  'PATCH /api/workflows/{key}/escalation': () => [
    { params: { key: KEY }, body: { tell: ['owner'], againAfterMinutes: 60 }, answer: 404 },
  ],
  'GET /api/runs/summary': () => [{ answer: 'only mine' }],
  'POST /api/runs': () => [{ body: { key: KEY, name: 'Taken', description: 'Taken', priority: 'low' }, answer: 404 }],
  'GET /api/runs/{id}': onRun(),
  'POST /api/runs/{id}/complete': onRun((stepId) => ({ stepId, output: { text: 'Taken' }, notes: 'Taken' })),
  'POST /api/runs/{runId}/steps/{stepId}/complete': onRun(() => ({ output: { text: 'Taken' }, notes: 'Taken' })),
  'POST /api/runs/{runId}/steps/{stepId}/skip': onRun(() => ({ reason: 'Taken' })),
  'POST /api/runs/{id}/steps/{stepId}/approve': onRun(() => ({ comments: 'Taken' })),
  'POST /api/runs/{id}/steps/{stepId}/reject': onRun(() => ({ comments: 'Taken' })),
  'POST /api/runs/{id}/steps/{stepId}/retry': onRun(),
  'POST /api/runs/{id}/pause': onRun(),
  'POST /api/runs/{id}/resume': onRun(),
  'POST /api/runs/{id}/cancel': onRun(() => ({ reason: 'Taken' })),
  // What such a stream then says, and doesn't, is tested with the events.
  'GET /api/events': ({ runId }) => [{ answer: 'only mine' }, { query: { run: runId }, answer: 'only mine' }],
  'GET /api/audit/events': (theirs) => [
    { answer: 'only mine' },
    { query: { actor: theirs.ownerId }, answer: 'empty' },
    { query: { subject: 'run', subjectId: theirs.runId, action: 'run.started' }, answer: 'empty' },
    { query: { q: `${NAME} candidate`, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 'empty' },
    { query: { cursor: '9999', limit: '200' }, answer: 'only mine' },
  ],
  'GET /api/audit/status': () => [
    { query: { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 'only mine' },
  ],
  'POST /api/audit/verify': () => [{ answer: 'only mine' }],
  'GET /api/audit/export.ndjson': ({ runId }) => [
    { answer: 'only mine' },
    { query: { runId }, answer: 404 },
    { query: { runId, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 404 },
  ],
  'GET /api/webhooks': () => [{ answer: 'only mine' }],
  'POST /api/webhooks': () => [
    { body: { name: 'Mine', url: 'https://127.0.0.1/', actions: ['run.started'] }, answer: 'only mine' },
  ],
  'PATCH /api/webhooks/{id}': ({ webhookId }) => [
    {
      params: { id: webhookId },
      body: { name: 'Taken', url: 'https://127.0.0.1/', actions: [], isActive: false },
      answer: 404,
    },
  ],
  'DELETE /api/webhooks/{id}': ({ webhookId }) => [{ params: { id: webhookId }, answer: 404 }],
  'POST /api/webhooks/{id}/rotate': ({ webhookId }) => [{ params: { id: webhookId }, answer: 404 }],
  'POST /api/webhooks/{id}/test': ({ webhookId }) => [{ params: { id: webhookId }, answer: 404 }],
  'GET /api/webhooks/{id}/deliveries': ({ webhookId }) => [
    { params: { id: webhookId }, query: { state: 'dead', limit: '10', cursor: '100' }, answer: 404 },
  ],
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver': ({ webhookId, deliveryId }) => [
    { params: { id: webhookId, deliveryId }, answer: 404 },
  ],
  'POST /api/webhooks/{id}/redeliver': ({ webhookId }) => [{ params: { id: webhookId }, answer: 404 }],
  'GET /api/tokens': () => [{ answer: 'only mine' }],
  'POST /api/tokens': () => [
    { body: { name: 'Mine', scopes: ['workflow.read'], expiresInDays: null }, answer: 'only mine' },
  ],
  'DELETE /api/tokens/{id}': ({ tokenId }) => [{ params: { id: tokenId }, answer: 404 }],
  'GET /api/organizations/{id}/tokens': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'POST /api/organizations/{id}/tokens': ({ orgId }) => [
    {
      params: { id: orgId },
      body: { name: 'Taken', role: 'admin', scopes: ['workflow.read'], expiresInDays: 1 },
      answer: 404,
    },
  ],
  'DELETE /api/organizations/{id}/tokens/{tokenId}': inOrganization('tokenId', 'tokenId'),
  'GET /api/audit/export.pdf': ({ runId }) => [
    { query: { runId }, answer: 404 },
    { query: { runId, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 404 },
  ],
};

/** Their drafts and versions under their key, and under a key of one's own. */
function drafts(body?: (key: string, theirs: Theirs) => unknown): (theirs: Theirs) => Probe[] {
  return (theirs) =>
    [KEY, 'mine'].flatMap((key) =>
      [theirs.draftId, theirs.openDraftId].map((id): Probe => ({
        params: { key, id },
        ...(body && { body: body(key, theirs) }),
        answer: 404,
      })),
    );
}

/** A comment of theirs on their draft, and on one of one's own. */
function comments(theirs: Theirs): Probe[] {
  const { commentId, myDraftId } = theirs;
  return [...drafts()(theirs), { params: { key: 'mine', id: myDraftId }, answer: 404 } as const].map((probe) => ({
    ...probe,
    params: { ...probe.params, commentId },
  }));
}

/** A person or an invitation of theirs, under their organization and under one's own. */
function inOrganization(
  param: 'userId' | 'invitationId' | 'tokenId',
  of: 'ownerId' | 'invitationId' | 'tokenId',
  body?: object,
): (theirs: Theirs) => Probe[] {
  return (theirs) =>
    [theirs.orgId, theirs.myOrgId].map((id): Probe => ({
      params: { id, [param]: theirs[of] },
      ...(body && { body }),
      answer: 404,
    }));
}

function onRun(body?: (stepId: string) => unknown): (theirs: Theirs) => Probe[] {
  return ({ runId, stepId }) => [
    {
      params: { ...Object.fromEntries(STEP_PARAMS.map((name) => [name, runId])), stepId },
      ...(body && { body: body(stepId) }),
      answer: 404,
    },
  ];
}

describe('another organization', () => {
  let server: TestServer;
  let theirs: Theirs;
  let stranger: Person;
  let tokens: Client[];
  let before: string;

  beforeAll(async () => {
    server = await startTestServer({ WEBHOOK_ALLOW: '127.0.0.1' });
    const { owner, orgId, reviewer } = await teamOf(server, ['reviewer']);
    await server.sql('update organizations set name = $1 where id = $2', [`${NAME} & Sons`, orgId]);
    await server.sql('update users set name = $1 where id = $2', [`${NAME} Owner`, owner.user.id]);
    const steps = [
      { id: 'zephyrine-step', title: `${NAME} interview`, assignee: `${NAME} team`, sla: '1h' },
      ...stepsNamed('Decide'),
    ];
    const draftId = await publish(owner, reviewer, KEY, steps);
    const run = await owner.post<{ id: string }>('/api/runs', { key: KEY, name: `${NAME} candidate` });
    const open = await owner.post<{ draftId: string }>(`/api/workflows/${KEY}/drafts`, {
      metadata: { title: `${NAME} hiring` },
      steps,
    });
    const { id: commentId } = await reviewer.post<{ id: string }>(
      `/api/workflows/${KEY}/drafts/${open.draftId}/comments`,
      { body: `${NAME} comment` },
    );
    await owner.post(`/api/workflows/${KEY}/drafts/${open.draftId}/submit`);
    await publish(owner, reviewer, 'zephyrine-onboarding', steps);
    const { id: invitationId } = await owner.post<{ id: string }>(`/api/organizations/${orgId}/invitations`, {
      email: 'invited@example.com',
      role: 'admin',
    });
    stranger = await server.signUp({ team: 'Another' });
    const { webhook } = await owner.post<{ webhook: { id: string } }>('/api/webhooks', {
      name: `${NAME} listens`,
      url: 'https://127.0.0.1/',
      actions: ['audit.erased'],
    });
    const webhookId = webhook.id;
    // Ended, so that it stays as it is.
    const deliveryId = '01890000-0000-7000-8000-00000000000d';
    await server.sql(
      `insert into webhook_deliveries (org_id, id, webhook_id, action, subject, state, ended_at) values ($1, $2, $3, 'webhook.test', 'test', 'dead', now())`,
      [orgId, deliveryId, webhookId],
    );
    theirs = {
      orgId,
      ownerId: owner.user.id,
      ownerSessionId: (await owner.get<{ id: string }[]>('/api/users/me/sessions'))[0]?.id ?? '',
      invitationId,
      myOrgId: stranger.user.currentOrgId ?? '',
      draftId,
      openDraftId: open.draftId,
      commentId,
      myDraftId: '',
      versionId: draftId,
      runId: run.id,
      stepId: 'zephyrine-step',
      notificationId: await tell(server, owner, `${NAME} has news`),
      tokenId: (await personalToken(server, owner)).id,
      webhookId,
      deliveryId,
      email: owner.user.email,
    };
    await publish(stranger, stranger, 'mine');
    const mine = await stranger.post<{ draftId: string }>('/api/workflows/mine/drafts', content);
    theirs.myDraftId = mine.draftId;
    tokens = [await personalToken(server, stranger), await organizationToken(server, stranger, 'admin')];
    before = await stateOf(server, orgId);
  });
  afterAll(() => server.stop());

  it('is probed on every route that reaches data of an organization', () => {
    expect(reaching.map(([key]) => key).filter((key) => !PROBES[key])).toEqual([]);
    expect(Object.keys(PROBES).filter((key) => !reaching.some(([known]) => known === key))).toEqual([]);
  });

  it.each(reaching)('is not reached by %s', async (key, spec) => {
    const probes = PROBES[key]?.(theirs) ?? [];
    expect(covered(probes, 'params', fieldsOf(spec.params))).toEqual([]);
    expect(covered(probes, 'query', fieldsOf(spec.query))).toEqual([]);
    expect(covered(probes, 'body', fieldsOf(spec.body))).toEqual([]);
    const { orgId } = theirs;
    const disguises = [
      {},
      { 'x-org-id': orgId, 'x-organization-id': orgId, 'x-tenant-id': orgId, cookie: `org=${orgId}` },
    ];
    for (const probe of probes) {
      for (const headers of disguises) {
        const { method, path } = addressOf(key, probe);
        const { status, body } = await stranger.call(method, path, probe.body, { ...probe.headers, ...headers });
        const text = JSON.stringify(body);
        if (probe.answer === 403) expect({ path, status }).toEqual({ path, status: 403 });
        else if (probe.answer === 404)
          expect({ path, status, body }).toMatchObject({ status: 404, body: { code: 'not_found' } });
        else expect(status).toBeLessThan(300);
        if (probe.answer === 'empty') expect(body).toEqual([]);
        expect(text).not.toContain(NAME);
        expect(text).not.toContain(theirs.email);
      }
    }
  });

  it.each(reaching)('is not reached by an API token at %s', async (key) => {
    for (const probe of PROBES[key]?.(theirs) ?? []) {
      for (const token of tokens) {
        const { method, path } = addressOf(key, probe);
        const { status, body } = await token.call(method, path, probe.body, probe.headers);
        const text = JSON.stringify(body);
        const isRefused = status === 403 && /"(?:not_for_tokens|token_scope)"/.test(text);
        if (!isRefused && probe.answer === 404) expect({ path, status }).toEqual({ path, status: 404 });
        expect(text).not.toContain(NAME);
        expect(text).not.toContain(theirs.email);
      }
    }
  });

  it('answers the same for what another organization has as for what nobody has', async () => {
    const nobodys = {
      ...theirs,
      runId: '01890000-0000-7000-8000-000000000001',
      draftId: '01890000-0000-7000-8000-000000000002',
    };
    const ask = async (at: Theirs) => ({
      run: await stranger.call('GET', `/api/runs/${at.runId}`),
      draft: await stranger.call('GET', `/api/workflows/mine/drafts/${at.draftId}`),
    });
    const [foreign, missing] = [await ask(theirs), await ask(nobodys)];
    expect(foreign.run.body).toEqual(missing.run.body);
    expect(foreign.draft.body).toEqual(missing.draft.body);
  });

  it('is as it was after all of that', async () => {
    expect(await stateOf(server, theirs.orgId)).toBe(before);
  });
});

/** The declared fields that no probe fills. */
function covered(probes: readonly Probe[], part: 'params' | 'query' | 'body', fields: string[]): string[] {
  const filled = new Set(probes.flatMap((probe) => Object.keys(probe[part] ?? {})));
  return fields.filter((field) => !filled.has(field));
}

/** What the server writes by itself, at its own time. */
const BY_ITSELF = ['audit_checkpoints', 'audit_verifications', 'webhook_cursors'];

/** Every row of the organization in every table that has one, as text. */
async function stateOf({ sql }: TestServer, orgId: string): Promise<string> {
  const tables = await sql<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'org_id' and table_name <> all ($1) order by 1`,
    [BY_ITSELF],
  );
  expect(tables.length).toBeGreaterThan(8);
  const states = [];
  for (const { name } of tables) {
    states.push(
      ...(await sql(
        `select '${name}' as name, json_agg(t order by t::text)::text as rows from "${name}" t where org_id = $1`,
        [orgId],
      )),
    );
  }
  return JSON.stringify([...states, await sql('select * from organizations where id = $1', [orgId])]);
}
