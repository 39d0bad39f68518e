import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { session } from '../session/session.ts';
import { shownOrganization } from '../session/shown-organization.ts';
import { ApiError, errorSentence, readRefusal } from './api-error.ts';
import { api, apiBytes, apiWithHeaders } from './api.ts';

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer();
});
afterEach(() => {
  vi.unstubAllGlobals();
  session.end('logout');
});

const RUN = { id: '4c1e9a07-0000-7000-8000-000000000001' };
const failure = async (call: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error('The call should have failed with an ApiError');
  return error;
};

test('a call fills in the path and sends the token and an idempotency key', async () => {
  session.begin('token-1');
  server.on('POST /api/runs/*/complete', { json: { id: RUN.id } });
  await api('POST /api/runs/{id}/complete', { params: RUN, body: { stepId: 'a/b' }, idempotencyKey: 'key-1' });
  const [call] = server.requests;
  expect(call?.key).toBe(`POST /api/runs/${RUN.id}/complete`);
  expect(call?.headers.get('authorization')).toBe('Bearer token-1');
  expect(call?.headers.get('idempotency-key')).toBe('key-1');
  expect(call?.body).toEqual({ stepId: 'a/b' });
});

test('a call sends the tab’s organization and detects that a different one has been selected', async () => {
  session.begin('token-1');
  shownOrganization.set('org-1');
  const moved = vi.fn<() => void>();
  const end = shownOrganization.onMoved(moved);
  server.on('GET /api/runs', { status: 409, json: { error: 'Another one', code: 'organization_changed' } });
  expect(await failure(api('GET /api/runs'))).toMatchObject({ code: 'organization_changed' });
  expect(server.requests[0]?.headers.get('stet-organization')).toBe('org-1');
  expect(moved).toHaveBeenCalledOnce();
  end();
  shownOrganization.set(null);
});

test('a read sends no idempotency key, omits empty filters, and returns the headers', async () => {
  server.on('GET /api/runs', { json: [], headers: { 'x-next-cursor': 'abc' } });
  const { headers } = await apiWithHeaders('GET /api/runs', { query: { q: '', cursor: 'a b', status: 'failed' } });
  expect(headers.get('x-next-cursor')).toBe('abc');
  expect(server.requests[0]?.query.toString()).toBe('cursor=a+b&status=failed');
  expect(server.requests[0]?.headers.has('idempotency-key')).toBe(false);
});

test('a refusal contains status, code, message and details', async () => {
  server.on('GET /api/runs', {
    status: 409,
    json: { error: 'The run is paused', code: 'run_paused', details: [{ stepId: 'a' }] },
  });
  const error = await failure(api('GET /api/runs'));
  expect(error).toMatchObject({
    kind: 'answer',
    status: 409,
    code: 'run_paused',
    message: 'The run is paused',
    details: [{ stepId: 'a' }],
  });
});

test('a missing response is a separate kind of error', async () => {
  server.goDown();
  const error = await failure(api('GET /api/runs'));
  expect(error).toMatchObject({ kind: 'offline', status: 0, code: 'offline' });
  expect(error.message).toMatch(/can’t be reached/);
});

test.each([
  ['breaks off', { stream: new ReadableStream({ start: (controller) => controller.error(new Error('cut')) }) }],
  ['isn’t complete', { text: '{"id":', headers: { 'content-type': 'application/json' } }],
])('a response that %s counts as missing, because the change may have been made', async (_, answer) => {
  server.on('POST /api/runs/*/complete', answer);
  const error = await failure(api('POST /api/runs/{id}/complete', { params: RUN, body: { stepId: 'a' } }));
  expect(error).toMatchObject({ kind: 'offline', code: 'offline' });
});

test('a download that breaks off counts as a lost response', async () => {
  server.on('GET /api/files/*/preview', {
    stream: new ReadableStream({ start: (controller) => controller.error(new Error('cut')) }),
  });
  const error = await failure(apiBytes('GET /api/files/{id}/preview', { params: RUN }));
  expect(error).toMatchObject({ kind: 'offline', code: 'offline' });
});

test('a 401 ends the session that sent the request, but not a newer one', async () => {
  session.begin('old');
  server.on('GET /api/runs', () => {
    session.begin('new');
    return { status: 401, json: { error: 'Sign in again', code: 'no_session' } };
  });
  await failure(api('GET /api/runs'));
  expect(session.token()).toBe('new');
  server.on('GET /api/runs', { status: 401, json: { error: 'Sign in again', code: 'no_session' } });
  await failure(api('GET /api/runs'));
  expect(session.token()).toBeNull();
  expect(session.lastEnd()).toBe('expired');
});

describe('the message of a refusal', () => {
  test.each([
    ['is a proxy’s error page, truncated', `<html>${'x'.repeat(500)}`, `<html>${'x'.repeat(194)}`],
    ['is the text of the body, trimmed', 'Bad gateway\n', 'Bad gateway'],
    ['is empty for JSON without an error', '{"code":"odd"}', ''],
    ['is the text of JSON that isn’t an object', '"no"', '"no"'],
    ['is empty for an empty body', '', ''],
  ])('%s', (_, text, message) => {
    expect(readRefusal(502, text).message).toBe(message);
  });

  test('is replaced by the fallback if it is empty, as is that of an error that isn’t an `ApiError`', () => {
    expect(errorSentence(readRefusal(500, ''), 'Failed to load runs')).toBe('Failed to load runs');
    expect(errorSentence(new TypeError('x is undefined'), 'Failed to load runs')).toBe('Failed to load runs');
  });
});
