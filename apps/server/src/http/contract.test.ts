import { type ContractKey, contract } from '@stet/contract';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { handlers } from '../app.ts';
import { teamOf } from '../testing/organization.ts';
import { type Inputs, addressOf, routes } from '../testing/routes.ts';
import { type Client, type Person, type TestServer, startTestServer } from '../testing/server.ts';
import {
  callAccountRoutes,
  callOrganizationRoutes,
  callTokenRoutes,
  callDelegationRoutes,
  callGroupRoutes,
  callWebhookRoutes,
} from '../testing/organization-responses.ts';
import { callRunRoutes, callWorkflowRoutes } from '../testing/workflow-responses.ts';
import { bindRoutes } from './bind.ts';

let server: TestServer;
let owner: Person;
let reviewer: Person;
beforeAll(async () => {
  server = await startTestServer({ WEBHOOK_ALLOW: '127.0.0.1' });
  ({ owner, reviewer } = await teamOf(server, ['reviewer']));
});
afterAll(() => server.stop());

describe('the contract', () => {
  const met = new Set<ContractKey>();

  /** Calls a route and compares the response with the contract. No field may be missing or undeclared. */
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

  it('matches every response from sign-up to a completed run', async () => {
    const walk = { ask, server, owner, reviewer, orgId: { id: owner.user.currentOrgId ?? '' } };
    await callAccountRoutes(walk);
    await callWorkflowRoutes(walk);
    await callOrganizationRoutes(walk);
    await callRunRoutes(walk);
    await callGroupRoutes(walk);
    await callDelegationRoutes(walk);
    await callWebhookRoutes(walk);
    await callTokenRoutes(walk);
  }, 120_000);

  it('is compared with the response of every route except those listed below', () => {
    // These routes have their own tests, because they need a mailed token, another service or an administrator.
    const elsewhere: ContractKey[] = [
      // These routes are tested with a provider in `sign-in-by-provider.test.ts`.
      'GET /api/auth/oidc/start',
      'GET /api/auth/oidc/callback',
      'POST /api/auth/oidc/session',
      'POST /api/auth/oidc/connect',
      // This route is tested in `password-reset.test.ts`.
      'POST /api/auth/reset',
      // These routes are tested with Slack in `connect-slack.test.ts`.
      'POST /api/integrations/slack/tickets',
      'GET /api/integrations/slack/install',
      'GET /api/integrations/slack/callback',
      'POST /api/integrations/slack/interactivity',
      'PATCH /api/integrations/slack',
      'DELETE /api/integrations/slack',
      // These routes are tested with an administrator in `administration.test.ts`.
      'GET /api/installation',
      'GET /api/installation/organizations',
      'GET /api/installation/people',
      'POST /api/installation/people/{id}',
      'GET /api/installation/jobs',
      'POST /api/installation/jobs/{id}',
      'GET /api/installation/deliveries',
      'POST /api/installation/deliveries/{id}/retry',
      'POST /api/installation/deliveries/{id}/drop',
      'POST /api/installation/sign-up',
    ];
    expect(routes.map(([key]) => key).filter((key) => !met.has(key))).toEqual(elsewhere);
  });

  it('matches the OpenAPI document: every route, who can call it, and its responses', async () => {
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

  it("prevents the server from starting if a route doesn't declare who can call it", () => {
    const undeclared = 'GET /api/undeclared' as ContractKey;
    const table = contract as unknown as Record<string, unknown>;
    for (const access of [undefined, '', 'everyone', 'workflow.destroy']) {
      table[undeclared] = { access, summary: 'Forgotten', ok: z.object({}) };
      try {
        expect(() => bindRoutes(Fastify(), server.server.deps, handlers)).toThrow(
          "GET /api/undeclared doesn't declare who can call it",
        );
      } finally {
        delete table[undeclared];
      }
    }
  });
});

it('an API response has headers that restrict the browser', async () => {
  const { headers } = await server.anyone.call('GET', '/api/health');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
});

type Operation = {
  summary: string;
  'x-permission': string;
  security?: unknown[];
  responses: Record<string, unknown>;
  parameters?: { in: string; name: string }[];
};
type Document = { paths: Record<string, Record<string, Operation>> };
