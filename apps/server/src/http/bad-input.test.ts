import { connect } from 'node:net';
import { type ContractKey, contract } from '@stet/contract';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { addressOf, fieldsOf, routes } from '../testing/routes.ts';
import { HOSTILE, expectNoFailure, expectRefusal, startBadInputScene } from '../testing/bad-input.ts';

const withBody = routes.filter(([, { body, bodyKind }]) => body !== undefined && bodyKind === undefined);
const withText = routes.filter(([, { bodyKind }]) => bodyKind === 'text');
/** Calls that would end the caller's session. */
const ENDING: ContractKey[] = ['POST /api/auth/logout'];

const { server, existing, send, expectAsItWas } = await startBadInputScene();

describe('a server that gets bad input', () => {
  afterAll(() => server.stop());

  it.each(withBody)('refuses bad bodies for %s with a message', async (key, spec) => {
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
    // Compressed bodies are refused, because a small one could expand to a very large one.
    for (const coding of ['gzip', 'deflate', 'br', 'identity, gzip'])
      expectRefusal(await send(key, { body: '{}', headers: { 'content-encoding': coding } }), 415);
    expectRefusal(await send(key, { body: '{"nobodyDeclaredThis":1}' }), 400);
    const limit = spec.bodyLimit ?? 256 * 1024;
    expectRefusal(await send(key, { body: JSON.stringify({ a: 'x'.repeat(limit) }) }), 413);
    expectRefusal(await send(key, { body: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}` }), 400);
  });

  it.each(withBody)('never fails with an internal error on any field in the body of %s', async (key, spec) => {
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

  it.each(withText)('refuses bad text for %s with a message', async (key, spec) => {
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

  it.each(withText)('never fails with an internal error on a file for %s', async (key) => {
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

  it.each(withBody)('refuses bad headers on %s', async (key) => {
    if (ENDING.includes(key) || contract[key].access === 'public') return;
    expectRefusal(await send(key, { body: '{}', headers: { 'if-match': 'x' } }), 400);
    if (key.startsWith('POST'))
      expectRefusal(await send(key, { body: '{}', headers: { 'idempotency-key': 'x'.repeat(201) } }), 400);
  });

  it('refuses HTTP that can’t be read, and headers that are too long, with a message', async () => {
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

  it('still responds afterwards, and has started no run', () => expectAsItWas());
});

/** Sends bytes to the server, and reads until the server closes the connection. */
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
