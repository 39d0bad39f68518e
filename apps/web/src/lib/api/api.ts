import type { BodyInput, ContractKey, OkOf, ParamsInput, QueryInput } from '@stet/contract';
import { saveFile } from '../save-file.ts';
import { session } from '../session/session.ts';
import { shownOrganization } from '../session/shown-organization.ts';
import { offlineError, readRefusal } from './api-error.ts';
import { randomKey } from './random-key.ts';
import { requestUrl } from './request-url.ts';

/** A part of a call: forbidden if the route has none, optional if it may be omitted, otherwise required. */
type Given<Name extends string, T> = [T] extends [undefined]
  ? { [N in Name]?: never }
  : undefined extends T
    ? { [N in Name]?: T }
    : Record<never, never> extends T
      ? { [N in Name]?: T }
      : { [N in Name]: T };

type Options = {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** For a POST, unless its body is bytes: one key per user intent (see `intent.ts`). By default, a new key. */
  idempotencyKey?: string;
  /** For calls that need no session: no token is sent, and a 401 doesn't end the session. */
  anonymous?: boolean;
  /** The request completes even if the page is closed. */
  keepalive?: boolean;
};

export type Call<K extends ContractKey> = Given<'params', ParamsInput<K>> &
  Given<'query', QueryInput<K>> &
  Given<'body', BodyInput<K>> &
  Options;

/** The argument may be omitted only if no part of the call is required. */
type Arguments<K extends ContractKey> = Record<never, never> extends Call<K> ? [call?: Call<K>] : [call: Call<K>];

type Loose = Options & { params?: object; query?: object; body?: unknown };

const sentBody = (body: unknown): BodyInit =>
  typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body);

/**
 * The error of a call that was aborted, or whose request or response was lost. Nobody knows whether the server made the
 * change.
 */
const lost = (error: unknown): unknown =>
  error instanceof DOMException && error.name === 'AbortError' ? error : offlineError();

async function send(key: string, call: Loose): Promise<Response> {
  const [method = 'GET', path = '/'] = key.split(' ');
  const token = call.anonymous ? null : session.token();
  const headers = new Headers({ accept: 'application/json', ...call.headers });
  if (token) headers.set('authorization', `Bearer ${token}`);
  const organization = token ? shownOrganization.id() : null;
  if (organization) headers.set('stet-organization', organization);
  const isBytes = call.body instanceof Uint8Array;
  if (isBytes) headers.set('content-type', 'application/octet-stream');
  else if (method === 'POST') headers.set('idempotency-key', call.idempotencyKey ?? randomKey());
  if (call.body !== undefined && typeof call.body !== 'string' && !isBytes)
    headers.set('content-type', 'application/json');
  let response: Response;
  try {
    response = await fetch(requestUrl(path, call.params, call.query), {
      method,
      headers,
      ...(call.body !== undefined && { body: sentBody(call.body) }),
      ...(call.signal && { signal: call.signal }),
      ...(call.keepalive && { keepalive: true }),
    });
  } catch (error) {
    throw lost(error);
  }
  if (response.ok) return response;
  // A late response to an old token must not end the session that followed.
  if (response.status === 401 && token && token === session.token()) session.end('expired');
  const refusal = readRefusal(response.status, await response.text().catch(() => ''));
  // Either a different organization is selected, or the selected one ends, which each screen announces.
  const isOutdated = refusal.code === 'organization_changed' || refusal.code === 'organization_ends';
  if (isOutdated && organization === shownOrganization.id()) shownOrganization.hasMoved();
  throw refusal;
}

/**
 * Calls a route of the contract: `api('POST /api/runs/{id}/complete', { params, body })`. Returns the body of the `ok`
 * response or throws `ApiError`. The response isn't validated here, because the server's tests validate it.
 */
export async function api<K extends ContractKey>(key: K, ...[call]: Arguments<K>): Promise<OkOf<K>> {
  const { body } = await apiWithHeaders(key, ...([call] as unknown as Arguments<K>));
  return body;
}

/** Like `api`, but also returns the response headers, for example `ETag` and `X-Next-Cursor`. */
export async function apiWithHeaders<K extends ContractKey>(
  key: K,
  ...[call]: Arguments<K>
): Promise<{ body: OkOf<K>; headers: Headers }> {
  const response = await send(key, (call ?? {}) as Loose);
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  try {
    const text = await response.text();
    return { body: (isJson && text !== '' ? JSON.parse(text) : text) as OkOf<K>, headers: response.headers };
  } catch (error) {
    throw lost(error);
  }
}

/** Like `api`, for a route that returns bytes, for example an image. */
export async function apiBytes<K extends ContractKey>(key: K, ...[call]: Arguments<K>): Promise<Blob> {
  const response = await send(key, (call ?? {}) as Loose);
  try {
    return await response.blob();
  } catch (error) {
    throw lost(error);
  }
}

/** Like `api`, for a route that returns bytes or text, which are saved as a file. */
export async function download<K extends ContractKey>(
  key: K,
  fileName: string,
  ...[call]: Arguments<K>
): Promise<void> {
  saveFile(await apiBytes(key, ...([call] as unknown as Arguments<K>)), fileName);
}
