import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User } from '@stet/contract';
import pg from 'pg';
import { readConfig } from '../kernel/config.ts';
import { openLog } from '../kernel/log.ts';
import { type Server, startServer } from '../server.ts';
import { type TestDatabase, createTestDatabase } from './database.ts';

export type Reply<T> = { status: number; body: T; headers: Headers };
export type Client = {
  /** Calls the server over HTTP; a refused call is an answer like any other. */
  call: <T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Reply<T>>;
  /** As `call`, for a call that has to be granted: throws otherwise. */
  get: <T>(path: string) => Promise<T>;
  post: <T>(path: string, body?: unknown) => Promise<T>;
  patch: <T>(path: string, body: unknown, headers?: Record<string, string>) => Promise<T>;
};
export type Person = Client & { token: string; user: User };

export type TestServer = {
  server: Server;
  database: TestDatabase;
  dataDir: string;
  /** Without a session. */
  anyone: Client;
  /**
   * Signs up a person with an individual organization, or, with `team`, a team of that name. Their address is proved, as if
   * by the mailed code, unless `proved` is false.
   */
  signUp: (options?: { name?: string; team?: string; proved?: boolean }) => Promise<Person>;
  /** The same with a token of one's own. */
  as: (token: string) => Client;
  /** Asks or changes the database as the owner of the schema, past every right and tenant. */
  sql: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
  stop: () => Promise<void>;
};

let people = 0;

/** A whole server on a database of its own, listening on a free port; call it in `beforeAll`. */
export async function startTestServer(environment: Record<string, string> = {}): Promise<TestServer> {
  return startTestServerOn(await createTestDatabase(), environment);
}

/** The same on a database that is there already; `DATABASE_URL` may lead to it by a detour. */
export async function startTestServerOn(
  database: TestDatabase,
  environment: Record<string, string> = {},
): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-server-test-'));
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    ...environment,
  });
  const server = await startServer({ config, log: openLog(config.logLevel), webRoot: null });
  const as = (token: string | null): Client => clientOf(server.url, token);
  const anyone = as(null);
  const owner = new pg.Pool({ ...database.connection, max: 2 });
  owner.on('error', () => {}); // Dropping the database cuts the connections.
  return {
    server,
    database,
    dataDir,
    anyone,
    as,
    sql: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await owner.query<Row>(text, values)).rows,
    signUp: async ({ name, team, proved = true } = {}) => {
      people += 1;
      const signup = {
        email: `person-${process.pid}-${people}@example.com`,
        name: name ?? `Person ${people}`,
        password: 'a long enough one',
        ...(team && {
          accountType: 'organization',
          organizationName: team,
          organizationSlug: `team-${process.pid}-${people}`,
        }),
      };
      const { token, user } = await anyone.post<{ token: string; user: User }>('/api/auth/signup', signup);
      if (proved)
        await owner.query(`update users set proved_by = 'mailbox', proved_at = now() where id = $1`, [user.id]);
      return { ...as(token), token, user: proved ? { ...user, provedBy: 'mailbox' } : user };
    },
    stop: async () => {
      await server.stop();
      await owner.end();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function clientOf(url: string, token: string | null): Client {
  const call = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<T>> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      // A text that names its own type goes as it is.
      ...(body !== undefined && {
        body: typeof body === 'string' && 'content-type' in headers ? body : JSON.stringify(body),
      }),
    });
    // A stream of events has no end to wait for.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await response.body?.cancel();
      return { status: response.status, body: '' as T, headers: response.headers };
    }
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      body: (isJson ? await response.json() : await response.text()) as T,
      headers: response.headers,
    };
  };
  const granted = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<T> => {
    const reply = await call<T>(method, path, body, headers);
    if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  return {
    call,
    get: (path) => granted('GET', path),
    post: (path, body) => granted('POST', path, body),
    patch: (path, body, headers) => granted('PATCH', path, body, headers),
  };
}
