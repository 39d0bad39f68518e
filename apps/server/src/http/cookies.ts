import type { Deps } from '../kernel/deps.ts';
import { type Answer, answer } from '../kernel/answer.ts';

/**
 * A cookie that binds a way through another site to the browser that goes it. Lax: it has to come along when the other site
 * sends the browser back. Behind TLS a cookie for the whole host takes the prefix by which no neighbouring host can set it.
 */
type BindingCookie = { name: string; path: string };

const isSecure = ({ publicUrl }: Pick<Deps, 'publicUrl'>): boolean => publicUrl.startsWith('https:');

const nameOf = (deps: Pick<Deps, 'publicUrl'>, { name, path }: BindingCookie): string =>
  isSecure(deps) && path === '/' ? `__Host-${name}` : name;

/** For the header `Set-Cookie`; with 0 seconds the browser forgets it. */
export function cookieHeader(
  deps: Pick<Deps, 'publicUrl'>,
  cookie: BindingCookie,
  value: string,
  seconds: number,
): string {
  const secure = isSecure(deps) ? '; Secure' : '';
  return `${nameOf(deps, cookie)}=${value}; Path=${cookie.path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** What the browser sent of the cookie; empty where it sent none. */
export function cookieOf(deps: Pick<Deps, 'publicUrl'>, cookie: BindingCookie, header = ''): string {
  const name = nameOf(deps, cookie);
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/** Sends a browser on; the route's status is 302. */
export const redirect = (location: string, setCookie?: string): Answer<Buffer> =>
  answer(Buffer.alloc(0), { location, ...(setCookie !== undefined && { 'set-cookie': setCookie }) });
