import type { Deps } from '../kernel/deps.ts';
import { type Answer, answer } from '../kernel/answer.ts';

/**
 * A cookie that ties a sign-in or connection through another site to one browser. Lax: it must be sent when the other
 * site redirects back. Over TLS a host-wide cookie gets the `__Host-` prefix, so that a neighbouring host can't set it.
 */
type BindingCookie = { name: string; path: string };

const isSecure = ({ publicUrl }: Pick<Deps, 'publicUrl'>): boolean => publicUrl.startsWith('https:');

const nameOf = (deps: Pick<Deps, 'publicUrl'>, { name, path }: BindingCookie): string =>
  isSecure(deps) && path === '/' ? `__Host-${name}` : name;

/** For the `Set-Cookie` header; with 0 seconds the browser deletes it. */
export function cookieHeader(
  deps: Pick<Deps, 'publicUrl'>,
  cookie: BindingCookie,
  value: string,
  seconds: number,
): string {
  const secure = isSecure(deps) ? '; Secure' : '';
  return `${nameOf(deps, cookie)}=${value}; Path=${cookie.path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The value of the cookie in the request; empty if there is none. */
export function cookieOf(deps: Pick<Deps, 'publicUrl'>, cookie: BindingCookie, header = ''): string {
  const name = nameOf(deps, cookie);
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/** Redirects a browser; the route's status is 302. */
export const redirect = (location: string, setCookie?: string): Answer<Buffer> =>
  answer(Buffer.alloc(0), { location, ...(setCookie !== undefined && { 'set-cookie': setCookie }) });
