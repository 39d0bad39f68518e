import { type ContractKey, type ErrorBody, errorBody } from '@stet/contract';
import { expect } from 'vitest';
import { publish, stepsNamed } from './organization.ts';
import { addressOf } from './routes.ts';
import { startTestServer } from './server.ts';

export const SECRET = 'a secret that is only used for tests, long enough';

/** The email address of the scene's person, who also administers the installation. */
const ADMIN = 'administrator@example.com';

const LONE_SURROGATE = '"\\ud800"';
/** JSON that is invalid for most fields, or that tests the limits of JSON. */
export const HOSTILE = [
  'null',
  'true',
  '-1',
  '1e999',
  '-1e999',
  '123456789012345678901234567890',
  '""',
  '"\\u0000"',
  LONE_SURROGATE,
  '[]',
  '[null]',
  '{}',
  '{"a":{"b":[1,{"c":null}]}}',
  `"${'x'.repeat(30_000)}"`,
  `${'['.repeat(70)}${']'.repeat(70)}`,
  `{"text":1e999}`,
  `{"text":"a","more":-1e400}`,
  `{"text":"a","\\u0000":1}`,
  `{"constructor":1,"toString":"a","hasOwnProperty":null}`,
  '"\'; drop table users; --"',
  '"%_\\\\"',
];

type Sent = { path?: string; body?: string; headers?: Record<string, string>; token?: string | null };
type Received = { status: number; text: string };

/** Internal details that must not appear in any response. */
const INSIDE =
  /\bat .+\.[jt]s:|node_modules|\/src\/|\/work\/|\/tmp\/|select .+ from|insert into|syntax error|relation "|FST_|Zod|postgres/i;

export function expectNoFailure(received: Received): void {
  expect(received.status, received.text).toBeLessThan(500);
  if (received.status >= 400) expectRefusal(received);
}

export function expectRefusal({ status, text }: Received, expected?: number): void {
  const body = errorBody.strict().safeParse(readJson(text));
  expect(body.success, `${status} ${text.slice(0, 300)}`).toBe(true);
  if (expected === undefined) expect(status).toBeGreaterThanOrEqual(400);
  else expect(status, text.slice(0, 300)).toBe(expected);
  const { error, code } = body.data as ErrorBody;
  expect(error.length).toBeGreaterThan(3);
  expect(code).toMatch(/^[a-z_]+$/);
  expect(error).not.toMatch(INSIDE);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Starts a server with a workflow, a draft, a comment and a run, whose ids are used in addresses. `send` sends any
 * request.
 */
export async function startBadInputScene() {
  const server = await startTestServer({ SECRET_KEY: SECRET, STET_ADMINS: ADMIN });
  const person = await server.signUp({ email: ADMIN });
  await publish(person, person, 'target', stepsNamed('First', 'Second'));
  const { draftId } = await person.post<{ draftId: string }>('/api/workflows/target/drafts', {
    metadata: { title: 'Open' },
    steps: stepsNamed('First'),
  });
  const { id: commentId } = await person.post<{ id: string }>(`/api/workflows/target/drafts/${draftId}/comments`, {
    body: 'Hm',
  });
  const run = await person.post<{ id: string }>('/api/runs', { key: 'target', name: 'A run' });
  const orgId = person.user.currentOrgId ?? '';
  const params: Record<string, string> = {
    reviewerId: person.user.id,
    key: 'target',
    version: '1',
    n: '0',
    stepId: 'step-1',
    runId: run.id,
    draftId,
    orgId,
    userId: person.user.id,
    invitationId: '01890000-0000-7000-8000-000000000001',
    commentId,
    token: 'x'.repeat(43),
    tokenId: '01890000-0000-7000-8000-000000000001',
    deliveryId: '01890000-0000-7000-8000-000000000001',
  };

  /**
   * The values for the path parameters of a route. Most of them name existing records, because otherwise the input
   * would be refused before it is used.
   */
  const existing = (key: ContractKey): Record<string, string> => ({
    ...params,
    id:
      (key.includes('/jobs/')
        ? '1'
        : key.includes('/drafts/')
          ? params['draftId']
          : key.includes('/runs/')
            ? params['runId']
            : params['orgId']) ?? '',
  });

  async function send(
    key: ContractKey,
    { path, body, headers = {}, token = person.token }: Sent = {},
  ): Promise<Received> {
    const address = addressOf(key, { params: existing(key) });
    const response = await fetch(server.server.url + (path ?? address.path), {
      method: address.method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text() };
  }

  /** Checks that the server responds and that the input started no run. */
  async function expectAsItWas(): Promise<void> {
    expect((await person.call('GET', '/api/auth/me')).status).toBe(200);
    expect(await person.get('/api/runs/summary')).toMatchObject({ total: 1 });
  }
  return { server, person, existing, send, expectAsItWas };
}
