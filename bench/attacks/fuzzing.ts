import { isDeepStrictEqual } from 'node:util';
import { type ContractKey, type RouteSpec, errorBody } from '@stet/contract';
import fc from 'fast-check';
import pLimit from 'p-limit';
import { addressOf, routes } from '../../apps/server/src/testing/routes.ts';
import type { TestServer } from '../../apps/server/src/testing/server.ts';
import { NEVER_GRANTED, type Target, targetOf } from './fuzz-targets.ts';
import { type Outcome, within } from './outcome.ts';
import { type Schema, valuesOf } from './schema-values.ts';

type Operation = {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Document = { paths: Record<string, Record<string, Operation>> };
type Shot = { query?: string; body?: string; headers?: Record<string, string>; params?: Record<string, string> };

/** JSON texts that replace the value of a body's field. */
const HOSTILE = [
  'null',
  'true',
  '-1',
  '0',
  '1e308',
  '1e999',
  '-0',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '[]',
  '[null]',
  '{}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '[[[[[[[[[[]]]]]]]]]]',
  `"${'x'.repeat(20_000)}"`,
  `"${'\u202e\u0301'.repeat(400)}"`,
  '"\'; drop table users; --"',
  '"%_\\\\"',
  '"{{7*7}}<%= 7*7 %>"',
  '"../../../etc/passwd"',
];
const DEEP = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
const TIMEOUT_MS = 30_000;
const REVEALING =
  /\n\s+at \S+|node_modules|\/src\/|\.ts:\d|SQLSTATE|syntax error at|relation "|violates \w+ constraint|ECONNREFUSED/;

/** Sends each route inputs that match its schema, and inputs that don't. */
export async function attackSchemas(server: TestServer): Promise<Outcome[]> {
  const seed = Number(process.env['ATTACK_SEED'] ?? Date.now() % 2 ** 31);
  const witness = await server.signUp();
  const { body: document } = await server.anyone.call<Document>('GET', '/api/openapi.json');
  const findings: string[] = [];
  const counts = { calls: 0, granted: 0, refused: 0, routes: new Set<string>() };
  const jobs = routes.map(([key, spec]) => ({ key, spec }));
  await pLimit(4).map(jobs, async ({ key, spec }) => {
    const [method = '', path = ''] = key.split(' ');
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (!operation) {
      findings.push(`${key} is not in the API document`);
      return;
    }
    const target = await targetOf(server, key);
    for (const [n, shot] of [...shotsAt(key, operation, target, seed)].entries()) {
      counts.calls += 1;
      try {
        const received = await within(TIMEOUT_MS, key, fire(server, target, key, shot));
        findings.push(
          ...judge(spec, received).map((what) => `${key}: ${what} (${JSON.stringify(shot).slice(0, 300)})`),
        );
        if (received.status < 400) counts.routes.add(key);
        // The first call is always the valid one; it doesn't depend on the seed.
        else if (n === 0 && !NEVER_GRANTED[key])
          findings.push(`${key}: the valid call was answered with ${received.status}`);
        counts[received.status < 400 ? 'granted' : 'refused'] += 1;
      } catch (error) {
        findings.push(
          `${key}: ${error instanceof Error ? error.message : String(error)} (${JSON.stringify(shot).slice(0, 300)})`,
        );
      }
    }
  });
  for (const { key } of jobs) {
    const why = NEVER_GRANTED[key];
    if (!counts.routes.has(key) && !why)
      findings.push(`${key} was never granted, so nothing after its access check was tested`);
    if (counts.routes.has(key) && why) findings.push(`${key} was granted, though ${why}`);
  }
  const { status } = await witness.call('GET', '/api/auth/me');
  if (status !== 200) findings.push(`the server responds with ${status} afterwards`);
  return [
    {
      attack: 'Schema fuzzing of every route',
      tried: `${counts.calls} calls to ${jobs.length} routes of the API document, seed ${seed}`,
      result: `${counts.granted} granted, on ${counts.routes.size} of ${jobs.length} routes (${Object.keys(NEVER_GRANTED).length} can’t succeed in this setup), each with the declared response; ${counts.refused} refused with an error message`,
      findings,
    },
  ];
}

function* shotsAt(
  key: ContractKey,
  { parameters = [], requestBody }: Operation,
  target: Target,
  seed: number,
): Generator<Shot> {
  const isDear = /script-trial|auth\/(?:signup|login)|export\.pdf|invitations\/.*accept/.test(key);
  const times = isDear ? 3 : 8;
  const queries = parameters.filter((each) => each.in === 'query');
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const schema = content?.schema;
  const query = fc.record(Object.fromEntries(queries.map(({ name, schema: of }) => [name, valuesOf(of)])), {
    requiredKeys: queries.filter(({ required }) => required).map(({ name }) => name),
  });
  const body = schema ? valuesOf(schema) : fc.constant(undefined);
  const json = { 'content-type': type ?? 'application/json' };
  const plain = target.good.body;
  yield {
    query: searchOf(target.good.query ?? {}),
    ...(plain !== undefined && { body: textOf(plain), headers: json }),
  };
  // Values that match the schema, in the query string and the body.
  const described = fc.sample(fc.record({ query, body }), { numRuns: times, seed });
  for (const { query: asked, body: sent } of described)
    yield { query: searchOf(asked), ...(schema && { body: textOf(sent), headers: json }) };
  const [one] = described;
  const good =
    ([plain, one?.body].find((each) => typeof each === 'object' && each !== null) as Record<string, unknown>) ?? {};
  // Replaces each field of the body, one at a time, with hostile values.
  for (const name of Object.keys(schema?.properties ?? {})) {
    const others = Object.entries(good)
      .filter(([other]) => other !== name)
      .map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value) ?? 'null'}`);
    for (const value of isDear ? HOSTILE.slice(0, 12) : HOSTILE)
      yield { body: `{${[...others, `${JSON.stringify(name)}:${value}`].join(',')}}`, headers: json };
  }
  for (const { name } of queries)
    for (const value of [
      '',
      '\u0000',
      '-1',
      '1e999',
      'NaN',
      '9'.repeat(40),
      "' or 1=1 --",
      'x'.repeat(4000),
      '[]',
      '%',
    ])
      yield { query: searchOf({ [name]: value }) };
  for (const { name } of parameters.filter((each) => each.in === 'path'))
    for (const value of ['\u0000', '-1', '1e999', 'x'.repeat(190), "' or 1=1 --", '__proto__', '\u202e', '%2e%2e%2f'])
      yield { params: { [name]: value }, ...(schema && { body: textOf(one?.body), headers: json }) };
  yield { query: 'nobodyDeclaredThis=1&__proto__[a]=1&constructor=1' };
  if (!schema) return;
  yield { body: DEEP, headers: json };
  yield { body: JSON.stringify({ ...good, nobodyDeclaredThis: 1 }), headers: json };
  yield { body: `{"__proto__":{"isAdmin":true},${JSON.stringify(good).slice(1)}`.replace(',}', '}'), headers: json };
  for (const other of [
    'text/html',
    'multipart/form-data; boundary=a',
    'application/json; charset=utf-16',
    'application/x-ndjson',
    ';',
  ])
    yield { body: JSON.stringify(good), headers: { 'content-type': other } };
  for (const header of [
    { 'if-match': '"99999999999999"' },
    { 'if-match': 'W/"-1"' },
    { 'idempotency-key': 'x'.repeat(300) },
    { 'stet-organization': "' or 1=1" },
  ])
    yield { body: JSON.stringify(good), headers: { ...json, ...header } };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const searchOf = (query: object): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, textOf(value));
  return search.toString();
};

type Received = { status: number; type: string; body: unknown };

async function fire(server: TestServer, { token, params }: Target, key: ContractKey, shot: Shot): Promise<Received> {
  const { method, path } = addressOf(key, { params: { ...params, ...shot.params } });
  const response = await fetch(`${server.server.url}${path}${shot.query ? `?${shot.query}` : ''}`, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, ...shot.headers },
    ...(shot.body !== undefined && { body: shot.body }),
  });
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { status: response.status, type, body: null };
  }
  const text = await response.text();
  return { status: response.status, type, body: type.startsWith('application/json') ? JSON.parse(text) : text };
}

function judge({ ok }: RouteSpec, { status, type, body }: Received): string[] {
  if (status >= 500) return [`${status} ${JSON.stringify(body).slice(0, 200)}`];
  if (status >= 400) {
    const responseText = JSON.stringify(body);
    const isProblem = type.startsWith('application/json') && errorBody.safeParse(body).success;
    return [
      ...(isProblem ? [] : [`${status} that isn’t one of our errors: ${responseText.slice(0, 200)}`]),
      ...(REVEALING.test(responseText) ? [`${status} that reveals internals: ${responseText.slice(0, 200)}`] : []),
    ];
  }
  if ('contentType' in ok || status >= 300) return [];
  const parsed = ok.safeParse(body);
  if (!parsed.success) return [`a response that doesn’t match its schema: ${parsed.error.message.slice(0, 200)}`];
  return isDeepStrictEqual(body, JSON.parse(JSON.stringify(parsed.data))) ? [] : ['a response with undeclared fields'];
}
