import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../apps/server/src/db/embedded/start-embedded-postgres.ts';
import pLimit from 'p-limit';
import { ServerProcess } from '../server-process.ts';
import type { Outcome } from './outcome.ts';

/** The contract's limits on sign-ins per 15 minutes. */
const PER_ACCOUNT = 15;
const PER_ADDRESS = 150;
const WINDOW_MINUTES = 15;
const SECRET_KEY = 'one secret for both servers of this attack, long enough';
const quiet = { info() {}, warn() {}, error: (data: object, message: string) => console.error(message, data) };

type Try = { email: string; password: string; from?: string };

/**
 * Guesses passwords at servers of one installation: for one account from many addresses at two servers, and for many
 * accounts from one address at one of them.
 */
export async function attackSignIn(port: number): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'stet-attacks-'));
  chmodSync(folder, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  const { connection } = postgres;
  const DATABASE_URL = `postgres://${connection.user}@${encodeURIComponent(connection.host)}:${connection.port}/${connection.database}`;
  const environment = { DATABASE_URL, SECRET_KEY, RATE_LIMITS: 'on' };
  // The first server trusts the client's address in X-Forwarded-For, the second one ignores this header.
  const behindProxy = new ServerProcess(port, join(folder, 'one'), { ...environment, TRUST_PROXY: '1' });
  const direct = new ServerProcess(port + 1, join(folder, 'two'), environment);
  const database = new pg.Client(connection);
  try {
    await behindProxy.start();
    await direct.start();
    await database.connect();
    return [await guessOne(behindProxy, direct, database), await guessAll(direct, database)];
  } finally {
    await Promise.all([behindProxy.stop(), direct.stop()]);
    await database.end().catch(() => undefined);
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function signIn(
  server: ServerProcess,
  { email, password, from }: Try,
): Promise<{ status: number; retryAfter: number }> {
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(from && { 'x-forwarded-for': from }) },
    body: JSON.stringify({ email, password }),
  });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) };
}

const passTime = (database: pg.Client): Promise<unknown> =>
  database.query('update rate_limits set window_start = window_start - make_interval(mins => $1)', [
    WINDOW_MINUTES + 1,
  ]);

async function guessOne(one: ServerProcess, two: ServerProcess, database: pg.Client): Promise<Outcome> {
  const right = { email: 'guessed@example.com', password: 'the right one of them all' };
  const signedUp = await fetch(`${one.url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.1' },
    body: JSON.stringify({ ...right, name: 'Guessed' }),
  });
  const { token } = (await signedUp.json()) as { token: string };
  const findings: string[] = [];
  let checked = 0;
  const guesses = 90;
  await pLimit(8).map(
    Array.from({ length: guesses }, (_, n) => n),
    async (n) => {
      const server = n % 2 === 0 ? one : two;
      // Upper case and white space don't change the account.
      const email = n % 3 === 0 ? ` ${right.email.toUpperCase()} ` : right.email;
      const { status } = await signIn(server, { email, password: `guess ${n}`, from: `198.51.100.${n}` });
      if (status === 401) checked += 1;
      else if (status !== 429) findings.push(`guess ${n}: ${status}`);
    },
  );
  if (checked > PER_ACCOUNT)
    findings.push(`${checked} guesses for one account were checked within ${WINDOW_MINUTES} minutes`);
  if (checked < PER_ACCOUNT) findings.push(`only ${checked} guesses were checked: no limit was reached`);
  const locked = await signIn(two, right);
  if (locked.status !== 429) findings.push(`the right password after the limit was reached: ${locked.status}`);
  if (!(locked.retryAfter > 0 && locked.retryAfter <= WINDOW_MINUTES * 60))
    findings.push(`Retry-After is ${locked.retryAfter}`);
  const me = await fetch(`${one.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  if (me.status !== 200) findings.push(`a person already signed in receives ${me.status}`);
  await passTime(database);
  const after = await signIn(one, { ...right, from: '198.51.100.7' });
  if (after.status !== 200) findings.push(`the right password after the window: ${after.status}`);
  return {
    attack: 'Guessing one account’s password',
    tried: `${guesses} guesses from ${guesses} addresses at two server processes`,
    result: `${checked} checked, the others got 429; the person’s session stays valid, and the correct password works after the rate limit’s window`,
    findings,
  };
}

async function guessAll(server: ServerProcess, database: pg.Client): Promise<Outcome> {
  await passTime(database);
  const findings: string[] = [];
  const guesses = PER_ADDRESS + 60;
  let checked = 0;
  await pLimit(8).map(
    Array.from({ length: guesses }, (_, n) => n),
    async (n) => {
      const from = `192.0.2.${n % 250}, 198.51.100.${n % 250}`;
      const { status } = await signIn(server, { email: `someone-${n}@example.com`, password: 'password', from });
      if (status === 401) checked += 1;
      else if (status !== 429) findings.push(`guess ${n}: ${status}`);
    },
  );
  if (checked > PER_ADDRESS)
    findings.push(`${checked} guesses from one address were checked within ${WINDOW_MINUTES} minutes`);
  if (checked < PER_ADDRESS) findings.push(`only ${checked} guesses were checked: no limit was reached`);
  return {
    attack: 'Guessing one password for many accounts',
    tried: `${guesses} guesses from one address that pretends to be ${guesses} (X-Forwarded-For)`,
    result: `${checked} checked, the others got 429`,
    findings,
  };
}
