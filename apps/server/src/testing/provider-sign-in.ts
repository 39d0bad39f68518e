import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { User } from '@stet/contract';
import { expect } from 'vitest';
import type { ProvidedPerson, TestBrowser } from './identity-provider.ts';

export type SignedIn = { token: string; user: User };
export type Refusal = { code: string; error: string; details?: unknown[] };

let people = 0;
export const someone = (more: Partial<ProvidedPerson> = {}): ProvidedPerson & { email: string } => {
  people += 1;
  return {
    sub: `subject-${people}`,
    email: `provided-${people}@example.com`,
    email_verified: true,
    name: `Provided ${people}`,
    ...more,
  };
};

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const CALLBACK = '/api/auth/oidc/callback';

/** Follows the redirects to the provider and back. Returns the address to which the provider sends the browser. */
export const there = async (url: string, browser: TestBrowser): Promise<URL> =>
  browser.follow(`${url}/api/auth/oidc/start`, `${url}${CALLBACK}`);

/** Opens the address to which the provider sent the browser. Returns the data that the login page gets. */
export async function back(browser: TestBrowser, address: string | URL): Promise<string> {
  const response = await browser.ask(String(address));
  expect(response.status).toBe(302);
  const [path, outcome = ''] = (response.headers.get('location') ?? '').split('?sso=');
  expect(path).toBe('/login');
  return outcome;
}

export async function enter<T = SignedIn>(url: string, browser: TestBrowser): Promise<{ status: number; body: T }> {
  const response = await browser.ask(`${url}/api/auth/oidc/session`, { method: 'POST' });
  return { status: response.status, body: (await response.json()) as T };
}
