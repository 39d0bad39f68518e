import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type ProvidedPerson = { sub: string; email?: string; email_verified?: unknown; name?: string };

/** A real provider in a separate process. */
export type TestIdentityProvider = {
  issuer: string;
  /** The environment that connects a server to it. */
  environment: Record<string, string>;
  /** Sets the person who signs in from now on. With null, the provider refuses sign-ins. */
  become: (person: ProvidedPerson | null) => Promise<void>;
  stop: () => Promise<void>;
};

const CLIENT = { id: 'stet', secret: 'a client secret of the tests' };
const ANY_LOOPBACK_PORT = 'http://127.0.0.1/api/auth/oidc/callback';

/**
 * Starts the provider on a free port, or on the given one. `claimsIn` is the place of the email address: the userinfo
 * response or the ID token.
 */
export async function startIdentityProvider({
  port = 0,
  redirectUris = [ANY_LOOPBACK_PORT],
  claimsIn = 'userinfo',
}: {
  port?: number;
  redirectUris?: string[];
  claimsIn?: 'userinfo' | 'id_token';
} = {}): Promise<TestIdentityProvider> {
  const file = fileURLToPath(new URL('identity-provider-process.fixture.ts', import.meta.url));
  const settings = [CLIENT.id, CLIENT.secret, String(port), JSON.stringify(redirectUris), claimsIn];
  // The process is silent, because the provider's warning about development use is irrelevant here.
  const child: ChildProcess = fork(file, settings, { execArgv: ['--import', 'tsx'], silent: true });
  const [{ issuer }] = (await once(child, 'message')) as [{ issuer: string }];
  return {
    issuer,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_LABEL: 'Halden ID',
    },
    become: async (person) => {
      const received = once(child, 'message');
      child.send({ person });
      await received;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** A minimal browser for sign-ins. It stores cookies by host, and follows redirects on request. */
export function openBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string): Map<string, string> => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };
  async function ask(url: string, options: { method?: string; token?: string } = {}): Promise<Response> {
    const jar = jarOf(url);
    const response = await fetch(url, {
      method: options.method ?? 'GET',
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const isOver = value === '' || /max-age=0(?:;|$)/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line);
      if (isOver) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
  /** Follows redirects up to an address that begins with `until`, without opening that address. */
  async function follow(url: string, until: string): Promise<URL> {
    let next = new URL(url);
    for (let hops = 0; hops < 12; hops += 1) {
      if (next.href.startsWith(until)) return next;
      const response = await ask(next.href);
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${next.href} answers ${response.status}: ${await response.text()}`);
      next = new URL(location, next);
    }
    throw new Error('too many redirects');
  }
  return { ask, follow, jarOf };
}
export type TestBrowser = ReturnType<typeof openBrowser>;
