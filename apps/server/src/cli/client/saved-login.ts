import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { CommandProblem, EXIT } from '../command.ts';

const savedLogin = z.object({
  server: z.url(),
  token: z.string(),
  /**
   * With `password`, the sign-in began a session, which `stet logout` ends. With `token`, the person gave a token,
   * which `stet logout` leaves valid.
   */
  kind: z.enum(['password', 'token']),
  email: z.string().nullable(),
  organization: z.object({ id: z.string(), name: z.string() }).nullable(),
});
export type SavedLogin = z.infer<typeof savedLogin>;

type Env = Record<string, string | undefined>;

/** The path of the file with the sign-in: `stet/login.json` in XDG_CONFIG_HOME or in `~/.config`. */
const loginFile = (env: Env): string =>
  join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'stet', 'login.json');

/** Saves a sign-in to a file that only its owner can read. Returns the path of the file. */
export function saveLogin(env: Env, login: SavedLogin): string {
  const file = loginFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, file);
  return file;
}

export const forgetLogin = (env: Env): void => rmSync(loginFile(env), { force: true });

/** Returns the saved sign-in. Null if there is none. Refuses a file that is damaged or can't be read. */
export function readLogin(env: Env): SavedLogin | null {
  const file = loginFile(env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new CommandProblem(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return savedLogin.parse(JSON.parse(text));
  } catch {
    throw new CommandProblem(`${file} is damaged. Delete it and sign in again: stet login URL`, EXIT.notSignedIn);
  }
}

/**
 * Returns the sign-in to use: STET_TOKEN, at STET_URL or the saved server, or the saved sign-in. Refuses if there is
 * none, or if the saved one is for a server other than STET_URL.
 */
export function currentLogin(env: Env): SavedLogin {
  const [url, token] = [env['STET_URL'], env['STET_TOKEN']];
  const saved = url && token ? null : readLogin(env);
  const server = url ? serverAddress(url) : saved?.server;
  if (!server) throw new CommandProblem('You are not signed in. See: stet login --help', EXIT.notSignedIn);
  if (token) return { server, token, kind: 'token', email: null, organization: null };
  if (saved?.server !== server)
    throw new CommandProblem(`You are not signed in to ${server}. Run: stet login ${server}`, EXIT.notSignedIn);
  return saved;
}

/** Normalizes a server address that a person typed. Refuses an invalid one. */
export function serverAddress(text: string): string {
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(text);
  const whole = /^https?:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  if (!url || url.username || url.search || url.hash)
    throw new CommandProblem(`"${text}" is not a server address. Example: https://stet.example.com`, EXIT.usage);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** True if traffic to this address leaves this machine unencrypted. */
export const isUnprotected = (server: string): boolean => {
  const { protocol, hostname } = new URL(server);
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
};
