import { connect } from 'node:net';
import { type ContractKey, type ErrorBody, contract, errorBody } from '@stet/contract';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed } from '../testing/organization.ts';
import { addressOf, fieldsOf, routes } from '../testing/routes.ts';
import { type Person, type TestServer, startTestServer } from '../testing/server.ts';

const SECRET = 'a secret that is only used for tests, long enough';
const withBody = routes.filter(([, { body, bodyKind }]) => body !== undefined && bodyKind === undefined);
const withText = routes.filter(([, { bodyKind }]) => bodyKind === 'text');
const withParams = routes.filter(([, { params }]) => params !== undefined);
/** Other sites write into the query of this one, and may add what they like (RFC 6749, section 4.1.2). */
const OPEN_QUERIES: ContractKey[] = ['GET /api/auth/oidc/callback'];
const withQuery = routes.filter(([key, { query }]) => query !== undefined && !OPEN_QUERIES.includes(key));
const guarded = routes.filter(([, { access }]) => access !== 'public');
/** Calls that end the session they are made with. */
const ENDING: ContractKey[] = ['POST /api/auth/logout'];

const LONE_SURROGATE = '"\\ud800"';
/** JSON texts that are no answer to any field's question, or that try what JSON allows. */
const HOSTILE = [
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

describe('bad input', () => {
  let server: TestServer;
  let person: Person;
  let params: Record<string, string>;

  beforeAll(async () => {
    server = await startTestServer({ SECRET_KEY: SECRET });
    person = await server.signUp();
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
    params = {
      key: 'target',
      version: '1',
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
  });
  afterAll(() => server.stop());

  /** Ids of what is there, so that input gets as far as it can. */
  const existing = (key: ContractKey): Record<string, string> => ({
    ...params,
    id:
      (key.includes('/drafts/') ? params['draftId'] : key.includes('/runs/') ? params['runId'] : params['orgId']) ?? '',
  });

  async function send(key: ContractKey, { path, body, headers = {}, token = person.token }: Sent = {}): Promise<Heard> {
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

  it.each(withBody)('in place of the body of %s is refused in words', async (key, spec) => {
    for (const body of ['{', '{"a":1,}', 'undefined', '{"__proto__":{"a":1}}', '{"a":1}garbage', '\u0000', '']) {
      expectRefusal(await send(key, { body }), 400);
    }
    for (const body of ['[]', '"text"', '12', 'true', '[{}]']) expectRefusal(await send(key, { body }), 400);
    for (const [type, body] of [
      ['text/plain', 'text'],
      ['application/x-www-form-urlencoded', 'a=1'],
      ['multipart/form-data; boundary=a', '--a--'],
      ['application/xml', '<a/>'],
      ['', '{}'],
    ] as const) {
      expectRefusal(await send(key, { body, headers: { 'content-type': type } }), 415);
    }
    // Nothing is unpacked: a small body could become a very large one.
    for (const coding of ['gzip', 'deflate', 'br', 'identity, gzip'])
      expectRefusal(await send(key, { body: '{}', headers: { 'content-encoding': coding } }), 415);
    expectRefusal(await send(key, { body: '{"nobodyDeclaredThis":1}' }), 400);
    const limit = spec.bodyLimit ?? 256 * 1024;
    expectRefusal(await send(key, { body: JSON.stringify({ a: 'x'.repeat(limit) }) }), 413);
    expectRefusal(await send(key, { body: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}` }), 400);
  });

  it.each(withBody)('in any field of the body of %s never breaks the server', async (key, spec) => {
    const fields = fieldsOf(spec.body);
    expect(fields).not.toEqual([]);
    for (const field of fields) {
      for (const value of HOSTILE) expectNoFailure(await send(key, { body: `{${JSON.stringify(field)}:${value}}` }));
    }
    const anyBody = fc.record(Object.fromEntries(fields.map((field) => [field, fc.jsonValue({ maxDepth: 3 })])), {
      requiredKeys: [],
    });
    for (const body of fc.sample(anyBody, { numRuns: 15, seed: 1 }))
      expectNoFailure(await send(key, { body: JSON.stringify(body) }));
  });

  it.each(withText)('in the text for %s is refused in words', async (key, spec) => {
    const steps = 'steps:\n  - id: a\n    title: A\n';
    for (const body of [
      '',
      '{',
      'steps: [',
      'steps: 12',
      '- a',
      '"text"',
      '\u0000',
      'a: &a [*a]',
      `${steps}next: !!js/function 'x'`,
      `a: ${'['.repeat(5000)}`,
      'a: 1e999',
      `${steps}nobodyDeclaredThis: 1`,
    ]) {
      expectRefusal(await send(key, { body, headers: { 'content-type': 'application/yaml' } }), 400);
    }
    for (const type of ['multipart/form-data; boundary=a', 'text/html', 'image/png', '']) {
      expectRefusal(await send(key, { body: steps, headers: { 'content-type': type } }), 415);
    }
    expectRefusal(
      await send(key, {
        body: 'x'.repeat((spec.bodyLimit ?? 256 * 1024) + 1),
        headers: { 'content-type': 'application/yaml' },
      }),
      413,
    );
  });

  it.each(withText)('in a file for %s never breaks the server', async (key) => {
    for (const format of ['yaml', 'json', 'bpmn']) {
      const { path } = addressOf(key, { params: existing(key), query: { format } });
      const wrapped = HOSTILE.flatMap((value) => [
        value,
        `{"steps":${value}}`,
        `{"metadata":{"title":"a"},"steps":[{"id":"a","title":${value}}]}`,
      ]);
      for (const body of [...wrapped, '%YAML 9.9', '? : ? :', '"', '|', '>9', '\t- a', '\ufeffsteps: []']) {
        expectNoFailure(await send(key, { path, body, headers: { 'content-type': 'text/yaml' } }));
      }
    }
  });

  it.each(withParams)('in the address of %s finds nothing', async (key, spec) => {
    for (const name of fieldsOf(spec.params)) {
      for (const value of [
        '\u0000',
        'not an id',
        "' or 1=1 --",
        '..%2f..',
        'ünïcode',
        '0',
        '-1',
        'x'.repeat(150),
        'x'.repeat(5000),
        'null',
      ]) {
        const { path } = addressOf(key, { params: { ...existing(key), [name]: value } });
        const heard = await send(key, { path, ...(spec.body && !spec.bodyKind && { body: '{}' }) });
        expectNoFailure(heard);
        expect(heard.status).toBeGreaterThanOrEqual(400);
      }
      const { path } = addressOf(key, { params: { ...existing(key), [name]: 'PERCENT' } });
      expectRefusal(await send(key, { path: path.replace('PERCENT', '%zz') }), 400);
    }
  });

  it.each(withQuery)('in the query of %s is refused', async (key, spec) => {
    const { path } = addressOf(key, { params: existing(key) });
    expectRefusal(await send(key, { path: `${path}?nobodyDeclaredThis=1` }), 400);
    for (const name of fieldsOf(spec.query)) {
      for (const value of [
        '%00',
        'a%00b',
        '%ED%A0%80',
        'x'.repeat(5000),
        '1&',
        '[]',
        '%',
        '-1',
        '0000-01-01T00:00:00Z',
        '9999-12-31T23:59:60Z',
        '1e9',
        '99999999999999999999',
      ]) {
        expectNoFailure(await send(key, { path: `${path}?${name}=${value}` }));
      }
      expectRefusal(await send(key, { path: `${path}?${name}=1&${name}=2` }), 400);
    }
  });

  it.each(guarded)('instead of a session gets 401 from %s', async (key, spec) => {
    const sign = (claims: object, { alg = 'HS256', secret = SECRET, exp = '1h', aud = 'stet' } = {}): Promise<string> =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg })
        .setIssuer('stet')
        .setAudience(aud)
        .setIssuedAt()
        .setExpirationTime(exp)
        .sign(new TextEncoder().encode(secret));
    const [head = '', claims = '', signature = ''] = person.token.split('.');
    const { sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sid: string };
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const tokens = [
      null,
      '',
      'garbage',
      `${head}.${claims}`,
      `${head}.${claims}.`,
      `${none}.${claims}.`,
      `${head}.${claims}.${signature.slice(1)}${signature.slice(0, 1)}`,
      await sign({ sid }, { exp: '-1s' }),
      await sign({ sid }, { secret: `${SECRET} but another` }),
      await sign({ sid }, { aud: 'other' }),
      await sign({ sid }, { alg: 'HS512' }),
      await sign({ sid: '01890000-0000-7000-8000-000000000001' }),
      await sign({}),
      await sign({ sid: 12 }),
      'stet_pat_',
      `stet_pat_${'x'.repeat(43)}`,
      `stet_org_${'x'.repeat(43)}`,
    ];
    for (const token of tokens) expectRefusal(await send(key, { token, ...(spec.body && { body: '{"a":1}' }) }), 401);
    expectRefusal(await send(key, { token: null, headers: { authorization: `Basic ${person.token}` } }), 401);
  });

  it.each(guarded)('with a session that is over gets 401 from %s', async (key) => {
    const { token } = await server.signUp();
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
    await server.sql(`update sessions set expires_at = now() - interval '1 second' where id = $1`, [claims.sid]);
    expectRefusal(await send(key, { token }), 401);
  });

  it.each(routes)('in the method of %s finds nothing', async (key) => {
    const { path } = addressOf(key, { params: existing(key) });
    for (const method of ['PUT', 'OPTIONS', 'DELETE', 'POST', 'PATCH']) {
      const others = routes.map(([other]) => other).filter((other) => matches(other, method, path));
      if (others.length > 0) continue;
      const response = await fetch(server.server.url + path, {
        method,
        headers: { authorization: `Bearer ${person.token}` },
      });
      expectRefusal({ status: response.status, text: await response.text() }, 404);
    }
  });

  it.each(withBody)('in the headers of %s is refused', async (key) => {
    if (ENDING.includes(key) || contract[key].access === 'public') return;
    expectRefusal(await send(key, { body: '{}', headers: { 'if-match': 'x' } }), 400);
    if (key.startsWith('POST'))
      expectRefusal(await send(key, { body: '{}', headers: { 'idempotency-key': 'x'.repeat(201) } }), 400);
  });

  it('that is no HTTP is refused in words, too', async () => {
    for (const text of [
      'GARBAGE\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
    ]) {
      const answer = await raw(server.server.url, text);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      expectRefusal({ status: Number(answer.slice(9, 12)), text: answer.slice(answer.indexOf('\r\n\r\n') + 4) });
    }
  });

  it('has left the server as it was', async () => {
    expect((await person.call('GET', '/api/auth/me')).status).toBe(200);
    expect(await person.get('/api/runs/summary')).toMatchObject({ total: 1 });
  });
});

type Sent = { path?: string; body?: string; headers?: Record<string, string>; token?: string | null };
type Heard = { status: number; text: string };

/** What an answer must never tell of the inside. */
const INSIDE =
  /\bat .+\.[jt]s:|node_modules|\/src\/|\/work\/|\/tmp\/|select .+ from|insert into|syntax error|relation "|FST_|Zod|postgres/i;

function expectNoFailure(heard: Heard): void {
  expect(heard.status, heard.text).toBeLessThan(500);
  if (heard.status >= 400) expectRefusal(heard);
}

function expectRefusal({ status, text }: Heard, expected?: number): void {
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

function matches(key: ContractKey, method: string, path: string): boolean {
  const [known, pattern = ''] = key.split(' ');
  return known === method && new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

/** Writes bytes to the server and reads what comes back until it hangs up. */
function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(answer) : reject(error),
    );
  });
}
