import { type ContractKey, type Run, contract } from '@stet/contract';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { handlers } from '../app.ts';
import { joinOrganization, publish, stepsNamed, teamOf } from '../testing/organization.ts';
import type { Made } from '../testing/api-tokens.ts';
import { tell } from '../testing/notifications.ts';
import { type Inputs, addressOf, routes } from '../testing/routes.ts';
import { type Client, type Person, type TestServer, startTestServer } from '../testing/server.ts';
import { bindRoutes } from './bind.ts';

describe('the contract', () => {
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  const met = new Set<ContractKey>();

  beforeAll(async () => {
    server = await startTestServer({ WEBHOOK_ALLOW: '127.0.0.1' });
    ({ owner, reviewer } = await teamOf(server, ['reviewer']));
  });
  afterAll(() => server.stop());

  /** Calls a route and holds the answer against what the contract declares: nothing missing, nothing besides. */
  async function ask<T>(who: Client, key: ContractKey, inputs: Inputs = {}): Promise<T> {
    const { method, path } = addressOf(key, inputs);
    const { status, body, headers } = await who.call<T>(method, path, inputs.body, inputs.headers);
    const spec = routes.find(([known]) => known === key)?.[1];
    expect({ key, status, body }).toMatchObject({ key, status: spec?.status ?? 200 });
    if (spec && !('contentType' in spec.ok)) {
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(body).toStrictEqual(JSON.parse(JSON.stringify(spec.ok.parse(body))));
    }
    expect(headers.get('cache-control')).toBe('no-store');
    met.add(key);
    return body;
  }

  it('is kept by every answer on the way from sign-up to a finished run', async () => {
    const credentials = { email: 'contract@example.com', password: 'secret' };
    const { token } = await ask<{ token: string }>(server.anyone, 'POST /api/auth/signup', {
      body: { ...credentials, name: 'Con Tract' },
    });
    const alone = server.as(token);
    const me = await ask<{ currentOrgId: string }>(alone, 'GET /api/auth/me');
    await ask(alone, 'POST /api/users/switch-organization', { body: { organizationId: me.currentOrgId } });
    await ask(server.anyone, 'POST /api/auth/login', { body: credentials });
    await ask(alone, 'POST /api/auth/logout');
    await ask(server.anyone, 'GET /api/auth/oidc');
    await ask(server.anyone, 'GET /api/health');
    await ask(server.anyone, 'GET /api/ready');

    const key = 'contract';
    const content = {
      metadata: { title: 'Contract' },
      steps: [
        ...stepsNamed('First'),
        { id: 'vote', title: 'Vote', type: 'approval', assignee: 'reviewer' },
        { id: 'last', title: 'Last' },
      ],
    };
    const { draftId: id } = await ask<{ draftId: string }>(owner, 'POST /api/workflows/{key}/drafts', {
      params: { key },
      body: content,
    });
    const at = { key, id };
    await ask(owner, 'GET /api/workflows/{key}', { params: { key } });
    await ask(owner, 'PATCH /api/workflows/{key}/drafts/{id}', {
      params: at,
      body: { ...content, metadata: { title: 'Contract!', description: 'More' } },
    });
    await ask(owner, 'GET /api/workflows/{key}/drafts/{id}/diff', { params: at });
    await ask(owner, 'POST /api/workflows/{key}/drafts/{id}/submit', { params: at });
    await ask(owner, 'POST /api/workflows/{key}/drafts/{id}/withdraw', { params: at });
    const { id: commentId } = await ask<{ id: string }>(reviewer, 'POST /api/workflows/{key}/drafts/{id}/comments', {
      params: at,
      body: { body: 'Hm', stepId: 'vote' },
    });
    const onComment = { params: { ...at, commentId } };
    await ask(owner, 'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve', onComment);
    await ask(owner, 'GET /api/workflows/{key}/drafts/{id}', { params: at });
    await ask(owner, 'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen', onComment);
    await ask(reviewer, 'POST /api/workflows/{key}/drafts/{id}/request-changes', {
      params: at,
      body: { comment: 'No' },
    });
    await ask(owner, 'GET /api/workflows/{key}/drafts/{id}', { params: at });
    await ask(reviewer, 'POST /api/workflows/{key}/drafts/{id}/approve', { params: at });
    await ask(reviewer, 'GET /api/workflows/{key}/drafts/{id}', { params: at });
    await ask(reviewer, 'POST /api/workflows/{key}/drafts/{id}/merge', { params: at });
    await publish(owner, reviewer, key, content.steps);
    await ask(owner, 'GET /api/workflows/{key}/versions', { params: { key } });
    await ask(owner, 'GET /api/workflows/{key}/versions/{version}', { params: { key, version: '1' } });
    await ask(owner, 'GET /api/workflows/{key}/compare', { params: { key }, query: { from: '1', to: '2' } });
    await ask(reviewer, 'POST /api/workflows/{key}/versions/{version}/rollback', { params: { key, version: '1' } });
    const open = await owner.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
      ...content,
      steps: stepsNamed('Other'),
    });
    await ask(owner, 'GET /api/workflows/{key}/drafts/{id}/diff', { params: { key, id: open.draftId } });
    await ask(owner, 'GET /api/workflows/{key}/drafts/{id}/diff', {
      params: { key, id: open.draftId },
      query: { against: 'live' },
    });
    await ask(owner, 'GET /api/workflows/{key}/drafts/{id}/impact', { params: { key, id: open.draftId } });
    await ask(owner, 'GET /api/workflows/{key}', { params: { key } });
    await ask(owner, 'GET /api/workflows', { query: { limit: '10', status: 'draft,live', q: 'c' } });
    await ask(owner, 'GET /api/workflow-counts');
    await ask(owner, 'GET /api/workflow-search', { query: { q: 'vote', status: 'live' } });
    await ask(owner, 'GET /api/workflows/{key}/document', { params: { key } });
    await ask(owner, 'GET /api/workflows/{key}/document', { params: { key }, query: { version: open.draftId } });
    await ask(owner, 'GET /api/workflows/{key}/versions/{version}/document', { params: { key, version: '1' } });
    await reviewer.post(`/api/workflows/${key}/versions/2/rollback`);
    const behind = { key, id: open.draftId };
    await ask(owner, 'GET /api/workflows/{key}/drafts/{id}/rebase', { params: behind });
    await ask(owner, 'POST /api/workflows/{key}/drafts/{id}/rebase', {
      params: behind,
      body: { resolutions: [{ on: 'metadata', field: 'title', take: 'draft' }] },
    });
    await ask(owner, 'DELETE /api/workflows/{key}/drafts/{id}', { params: { key, id: open.draftId } });
    await ask(owner, 'GET /api/workflows/{key}/export-yaml', { params: { key } });
    await ask(server.anyone, 'GET /api/schemas/workflow.json');
    await ask(owner, 'POST /api/workflows/{key}/import-yaml', {
      params: { key: 'imported' },
      query: { format: 'json' },
      body: content,
    });
    await ask(owner, 'POST /api/workflow-files/read', { query: { format: 'json' }, body: content });
    const bpmn = {
      body: await ask<string>(owner, 'GET /api/workflows/{key}/export-bpmn', { params: { key } }),
      headers: { 'content-type': 'application/xml' },
    };
    await ask(owner, 'POST /api/workflow-files/read', { query: { format: 'bpmn' }, ...bpmn });
    await ask(owner, 'POST /api/workflows/{key}/import-bpmn', { params: { key: 'imported-bpmn' }, ...bpmn });
    await ask(owner, 'POST /api/workflows/script-trial', { body: { script: 'return 1 + 1' } });
    await ask(owner, 'POST /api/workflows/script-trial', { body: { script: 'throw new Error("no")' } });
    const orgId = { id: owner.user.currentOrgId ?? '' };
    await ask(owner, 'GET /api/organizations/{id}', { params: orgId });
    await owner.patch(`/api/organizations/${orgId.id}`, { requiredApprovals: 2 });
    const second = await server.signUp();
    await joinOrganization(server, second, orgId.id, 'admin');
    for (const lowered of [1, 0]) {
      await ask(owner, 'PATCH /api/organizations/{id}', { params: orgId, body: { requiredApprovals: lowered } });
      await ask(second, 'GET /api/organizations/{id}', { params: orgId });
      if (lowered === 0) await ask(owner, 'DELETE /api/organizations/{id}/policy-change', { params: orgId });
      else await ask(second, 'POST /api/organizations/{id}/policy-change/confirm', { params: orgId });
    }
    await ask(owner, 'PATCH /api/organizations/{id}', {
      params: orgId,
      body: { name: 'Renamed', requiredApprovals: 1 },
    });
    await ask(owner, 'PATCH /api/organizations/{id}/users/{userId}', {
      params: { ...orgId, userId: reviewer.user.id },
      body: { role: 'reviewer' },
    });
    const invite = (email: string) =>
      ask<{ id: string; link: string }>(owner, 'POST /api/organizations/{id}/invitations', {
        params: orgId,
        body: { email, role: 'viewer' },
      });
    const tokenOf = ({ link }: { link: string }) => ({ params: { token: link.slice(link.lastIndexOf('/') + 1) } });
    const invited = await invite('invited@example.com');
    await ask(owner, 'GET /api/organizations/{id}/invitations', { params: orgId });
    const resent = await ask<{ link: string }>(
      owner,
      'POST /api/organizations/{id}/invitations/{invitationId}/resend',
      { params: { ...orgId, invitationId: invited.id } },
    );
    await ask(server.anyone, 'GET /api/invitations/{token}', tokenOf(resent));
    await ask(server.anyone, 'POST /api/invitations/{token}/accept', {
      ...tokenOf(resent),
      body: { name: 'New Here', password: 'secret' },
    });
    const revoked = await invite('revoked@example.com');
    await ask(owner, 'DELETE /api/organizations/{id}/invitations/{invitationId}', {
      params: { ...orgId, invitationId: revoked.id },
    });
    const guest = await server.signUp();
    await ask(guest, 'POST /api/invitations/{token}/join', tokenOf(await invite(guest.user.email)));
    await ask(owner, 'DELETE /api/organizations/{id}/users/{userId}', { params: { ...orgId, userId: guest.user.id } });
    const newcomer = await server.signUp();
    await ask(newcomer, 'POST /api/organizations', { body: { name: 'New Team', slug: 'new-team' } });
    await ask(newcomer, 'PATCH /api/users/me', { body: { name: 'Another Name' } });
    const sessions = await ask<{ id: string }[]>(newcomer, 'GET /api/users/me/sessions');
    await ask(newcomer, 'POST /api/users/me/password', {
      body: { currentPassword: 'a long enough one', password: 'another one' },
    });
    await ask(newcomer, 'DELETE /api/users/me/sessions/{id}', { params: { id: sessions[0]?.id ?? '' } });
    await ask(server.anyone, 'GET /api/auth/slug', { query: { slug: 'free' } });
    await ask(server.anyone, 'POST /api/auth/reset-request', { body: { email: guest.user.email } });
    await ask(server.anyone, 'POST /api/waitlist/signup', { body: { email: 'waiting@example.com' } });
    await ask(server.anyone, 'POST /api/waitlist/priority-application', {
      body: { email: 'waiting@example.com', role: 'Founder', frequency: 'Daily' },
    });
    await ask(server.anyone, 'GET /api/waitlist/count');
    await ask(owner, 'GET /api/organizations/{id}/users', { params: orgId });
    await ask(owner, 'GET /api/organizations/{id}/common-assignees', { params: orgId });

    const run = await ask<Run>(owner, 'POST /api/runs', {
      body: { key, name: 'A run', description: 'Why', priority: 'critical' },
    });
    const onRun = { params: { id: run.id } };
    const onStep = (stepId: string) => ({ params: { id: run.id, runId: run.id, stepId } });
    await ask(owner, 'POST /api/runs/{id}/pause', onRun);
    await ask(owner, 'POST /api/runs/{id}/resume', onRun);
    await ask(owner, 'POST /api/runs/{id}/complete', {
      ...onRun,
      body: { stepId: 'step-1', output: { text: 'Done', fields: {} } },
    });
    await ask(reviewer, 'POST /api/runs/{id}/steps/{stepId}/reject', { ...onStep('vote'), body: { comments: 'No' } });
    await ask(owner, 'GET /api/runs/{id}', onRun);
    await ask(owner, 'POST /api/runs/{id}/steps/{stepId}/retry', onStep('vote'));
    await ask(reviewer, 'POST /api/runs/{id}/steps/{stepId}/approve', onStep('vote'));
    await ask(owner, 'POST /api/runs/{runId}/steps/{stepId}/complete', { ...onStep('last'), body: { output: 'Done' } });
    const other = await ask<Run>(owner, 'POST /api/runs', { body: { key, name: 'Another run' } });
    await ask(owner, 'POST /api/runs/{runId}/steps/{stepId}/skip', {
      params: { runId: other.id, stepId: 'step-1' },
      body: { reason: 'Why not' },
    });
    await ask(owner, 'POST /api/runs/{id}/cancel', { params: { id: other.id }, body: { reason: 'Enough' } });
    await ask(owner, 'GET /api/runs/{id}', { params: { id: other.id } });
    await ask(owner, 'GET /api/runs');
    await ask(owner, 'GET /api/runs/summary');
    await ask(owner, 'GET /api/runs/export.csv', { query: { sla: 'on_track' } });
    await ask(reviewer, 'GET /api/tasks');
    await ask(reviewer, 'GET /api/tasks/count');
    const workingHours = {
      timeZone: 'Europe/Berlin',
      week: [[{ from: 540, to: 1020 }], [], [], [], [], [], []],
      holidays: ['2026-12-25'],
    };
    await ask(owner, 'PATCH /api/organizations/{id}/working-hours', { params: orgId, body: { workingHours } });
    await ask(owner, 'GET /api/organizations/{id}/working-hours', { params: orgId });
    await ask(owner, 'PATCH /api/workflows/{key}/escalation', {
      params: { key },
      body: { tell: ['reviewer', 'Someone@Example.com'], againAfterMinutes: 60 },
    });
    await ask(owner, 'GET /api/workflows/{key}/escalation', { params: { key } });
    await ask(owner, 'GET /api/events', { query: { run: run.id } });
    await ask(owner, 'GET /api/integrations/slack/status');
    await ask(owner, 'GET /api/integrations/slack/channels');
    await ask(owner, 'POST /api/integrations/slack/notify', {
      body: { assignee: 'someone@example.com', message: 'First', workflowName: 'Contract' },
    });
    const told = await tell(server, owner);
    await ask(owner, 'GET /api/notifications');
    await ask(owner, 'GET /api/notifications/count');
    await ask(owner, 'GET /api/notifications/preferences');
    await ask(owner, 'PATCH /api/notifications/preferences', {
      body: { news: 'mentions', channel: 'email', pace: 'daily' },
    });
    await ask(owner, 'POST /api/notifications/{id}/read', { params: { id: told } });
    await ask(owner, 'POST /api/notifications/read');
    await ask(owner, 'DELETE /api/workflows/{key}', { params: { key } });
    await ask(owner, 'GET /api/workflows');
    await ask(owner, 'GET /api/audit/export.pdf', { query: { runId: run.id } });
    await ask(owner, 'GET /api/audit/export.ndjson', { query: { runId: run.id } });
    await ask(owner, 'GET /api/audit/events', { query: { limit: '200' } });
    await ask(owner, 'POST /api/audit/verify');
    await ask(owner, 'GET /api/audit/status');
    const listening = { name: 'Listener', url: 'https://127.0.0.1:9/', actions: ['run.started'] };
    const { webhook } = await ask<{ webhook: { id: string } }>(owner, 'POST /api/webhooks', { body: listening });
    const onWebhook = { params: { id: webhook.id } };
    await ask(owner, 'PATCH /api/webhooks/{id}', { ...onWebhook, body: { isActive: false } });
    await ask(owner, 'POST /api/webhooks/{id}/rotate', onWebhook);
    const { id: deliveryId } = await ask<{ id: string }>(owner, 'POST /api/webhooks/{id}/test', onWebhook);
    await server.sql(`update webhook_deliveries set state = 'dead', ended_at = now()`);
    await ask(owner, 'GET /api/webhooks');
    await ask(owner, 'GET /api/webhooks/{id}/deliveries', { ...onWebhook, query: { state: 'dead' } });
    await ask(owner, 'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
      params: { id: webhook.id, deliveryId },
    });
    await ask(owner, 'POST /api/webhooks/{id}/redeliver', onWebhook);
    await ask(owner, 'DELETE /api/webhooks/{id}', onWebhook);
    const scopes = ['workflow.read'];
    const personal = { name: 'CI', scopes, expiresInDays: 30 };
    const mine = await ask<Made>(owner, 'POST /api/tokens', { body: personal });
    await ask(server.as(mine.secret), 'GET /api/auth/me');
    await ask(owner, 'GET /api/tokens');
    await ask(owner, 'DELETE /api/tokens/{id}', { params: { id: mine.token.id } });
    const ours = await ask<Made>(owner, 'POST /api/organizations/{id}/tokens', {
      params: orgId,
      body: { name: 'Robot', role: 'editor', scopes, expiresInDays: null },
    });
    await ask(server.as(ours.secret), 'GET /api/auth/me');
    await ask(owner, 'GET /api/organizations/{id}/tokens', { params: orgId });
    const ended = { ...orgId, tokenId: ours.token.id };
    await ask(owner, 'DELETE /api/organizations/{id}/tokens/{tokenId}', { params: ended });
  }, 120_000);

  it('has no route whose answer was not looked at', () => {
    // Its token is in a mail only; the test of the flow reads it there.
    const elsewhere: ContractKey[] = [
      // Those that need a provider: `sign-in-by-provider.test.ts` looks at them.
      'GET /api/auth/oidc/start',
      'GET /api/auth/oidc/callback',
      'POST /api/auth/oidc/session',
      'POST /api/auth/oidc/connect',
      'POST /api/auth/reset',
      // Those that need a Slack: `connect-slack.test.ts` looks at them.
      'POST /api/integrations/slack/tickets',
      'GET /api/integrations/slack/install',
      'GET /api/integrations/slack/callback',
      'POST /api/integrations/slack/interactivity',
      'PATCH /api/integrations/slack',
      'DELETE /api/integrations/slack',
    ];
    expect(routes.map(([key]) => key).filter((key) => !met.has(key))).toEqual(elsewhere);
  });

  it('is what the OpenAPI document says: every route, who may call it, and what it answers', async () => {
    const document = await server.anyone.get<Document>('/api/openapi.json');
    const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.toSorted()).toEqual(Object.keys(contract).toSorted());
    for (const [key, spec] of routes) {
      const [method = '', path = ''] = key.split(' ');
      const operation = document.paths[path]?.[method.toLowerCase()];
      expect(operation).toMatchObject({ summary: spec.summary, 'x-permission': spec.access });
      expect(operation?.security).toEqual(spec.access === 'public' ? undefined : [{ bearer: [] }]);
      expect(Object.keys(operation?.responses ?? {})).toEqual([String(spec.status ?? 200), 'default']);
      expect(
        (operation?.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      ).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
    expect((await server.anyone.call('GET', '/api/docs')).status).toBe(200);
  });

  it('keeps the server from starting with a route that doesn’t say who may call it', () => {
    const undeclared = 'GET /api/undeclared' as ContractKey;
    const table = contract as unknown as Record<string, unknown>;
    for (const access of [undefined, '', 'everyone', 'workflow.destroy']) {
      table[undeclared] = { access, summary: 'Forgotten', ok: z.object({}) };
      try {
        expect(() => bindRoutes(Fastify(), server.server.deps, handlers)).toThrow(
          "GET /api/undeclared doesn't declare who may call it",
        );
      } finally {
        delete table[undeclared];
      }
    }
  });

  it('sends headers that keep a browser from more than it should do', async () => {
    const { headers } = await server.anyone.call('GET', '/api/health');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });
});

type Operation = {
  summary: string;
  'x-permission': string;
  security?: unknown[];
  responses: Record<string, unknown>;
  parameters?: { in: string; name: string }[];
};
type Document = { paths: Record<string, Record<string, Operation>> };
