import { randomUUID } from 'node:crypto';
import {
  type BodyInput,
  type ContractKey,
  type OkOf,
  type ParamsInput,
  type QueryInput,
  errorBody,
} from '@stet/contract';
import { CommandProblem, EXIT } from '../command.ts';
import type { SavedLogin } from './saved-login.ts';

/** Thrown if the server refused a call. The message is the server's. For 401, it also says how to sign in. */
export class CallRefused extends CommandProblem {
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
  ) {
    super(sentence, status === 401 ? EXIT.notSignedIn : status === 409 ? EXIT.conflict : EXIT.failed);
  }
}

type Part<Name extends string, T> = T extends undefined ? { [N in Name]?: undefined } : { [N in Name]?: T };
type Send<K extends ContractKey> = Part<'params', ParamsInput<K>> &
  Part<'query', QueryInput<K>> &
  Part<'body', BodyInput<K>> & {
    /** The expected revision, sent as If-Match. */
    ifMatch?: number;
  };

export type Api = {
  login: SavedLogin;
  /**
   * Calls a route of the contract. Rejects with `CallRefused`, or with a problem that has the exit code 5 if no Stet
   * server responds.
   */
  call: <K extends ContractKey>(route: K, send?: Send<K>) => Promise<OkOf<K>>;
  /** Like `call`, for a route that returns text. */
  text: <K extends ContractKey>(route: K, send?: Send<K>) => Promise<string>;
  /** Like `call`, for a route that returns a file of any size. */
  stream: <K extends ContractKey>(route: K, send?: Send<K>) => Promise<AsyncIterable<Uint8Array>>;
  /** Loads all pages of a list with a cursor, up to `most` entries. */
  list: <K extends ContractKey>(route: K, send: Send<K>, most?: number) => Promise<OkOf<K>>;
};

/**
 * A client for the server that the person signed in to. Each call names the saved organization, if there is one, so it
 * can't affect another organization.
 */
export function openApi(login: SavedLogin): Api {
  const send = async (route: ContractKey, sent: Loose): Promise<Response> => {
    const [method = '', path = ''] = route.split(' ');
    const response = await fetchOrSay(login.server, addressOf(path, sent), {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${login.token}`,
        ...(login.organization && { 'stet-organization': login.organization.id }),
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(sent.ifMatch !== undefined && { 'if-match': `"${sent.ifMatch}"` }),
        ...(sent.body !== undefined && {
          'content-type': typeof sent.body === 'string' ? 'text/plain' : 'application/json',
        }),
      },
      ...(sent.body !== undefined && {
        body: typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body),
      }),
    });
    if (!response.ok) throw await refusalOf(response, login.server);
    return response;
  };
  return {
    login,
    call: async (route, sent) => (await jsonOf(await send(route, loose(sent)), login.server)) as never,
    text: async (route, sent) => (await send(route, loose(sent))).text(),
    stream: async (route, sent) => (await send(route, loose(sent))).body ?? emptyBody(),
    list: async (route, sent, most = Infinity) => {
      const entries: unknown[] = [];
      let cursor: string | null = null;
      do {
        const given = loose(sent);
        const query = { ...(given.query as Values), ...(cursor !== null && { cursor }) };
        const response = await send(route, { ...given, query });
        entries.push(...((await jsonOf(response, login.server)) as unknown[]));
        cursor = response.headers.get('x-next-cursor');
      } while (cursor !== null && entries.length < most);
      return entries.slice(0, most) as never;
    },
  };
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

type Values = Record<string, string | number | boolean | undefined>;
type Loose = { params?: unknown; query?: unknown; body?: unknown; ifMatch?: number | undefined };

/** Drops the precise types of a call's input, which were already checked where the route was called. */
const loose = (sent: Loose | undefined): Loose => sent ?? {};

function addressOf(path: string, { params = {}, query = {} }: Loose): string {
  const values = new Map(Object.entries(params as Values));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name) ?? '')));
  const queryEntries = Object.entries(query as Values).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    queryEntries.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

async function fetchOrSay(server: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(server + path, init);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause);
    throw new CommandProblem(`${server} is not responding: ${why}`, EXIT.unreachable);
  }
}

async function jsonOf(response: Response, server: string): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new CommandProblem(`${server} is not a Stet server`, EXIT.unreachable);
  }
}

async function refusalOf(response: Response, server: string): Promise<CommandProblem> {
  if (response.status < 400) {
    const to = response.headers.get('location') ?? 'another address';
    return new CommandProblem(`${server} redirects to ${to}. Sign in at that address.`, EXIT.unreachable);
  }
  const parsed = errorBody.safeParse(await response.json().catch(() => null));
  if (!parsed.success) return new CommandProblem(`${server} responded with ${response.status}`, EXIT.unreachable);
  const { error, code } = parsed.data;
  const hint = response.status === 401 ? ` See: stet login --help` : '';
  return new CallRefused(response.status, code, error + hint);
}
