import type { Deps } from '../kernel/deps.ts';
import { type Answer, answer } from '../kernel/answer.ts';

/**
 * A cookie that binds a sign-in or a connection through another site to one browser. It is `SameSite=Lax`, because it
 * must be sent when the other site redirects back. Over TLS, a cookie for the path `/` gets the prefix `__Host-`, so
 * that another host in the same domain can't set it.
 */
type BindingCookie = { name: string; path: string };

const isSecure = ({ publicUrl }: Pick<Deps, 'publicUrl'>): boolean => publicUrl.startsWith('https:');

const nameOf = (deps: Pick<Deps, 'publicUrl'>, { name, path }: BindingCookie): string =>
  isSecure(deps) && path === '/' ? `__Host-${name}` : name;

/** Builds a `Set-Cookie` header. With 0 seconds, the browser deletes the cookie. */
export function cookieHeader(
  deps: Pick<Deps, 'publicUrl'>,
  cookie: BindingCookie,
  value: string,
  seconds: number,
): string {
  const secure = isSecure(deps) ? '; Secure' : '';
  return `${nameOf(deps, cookie)}=${value}; Path=${cookie.path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the cookie's value, or an empty string if there is none. */
export function cookieOf(deps: Pick<Deps, 'publicUrl'>, cookie: BindingCookie, header = ''): string {
  const name = nameOf(deps, cookie);
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/** Redirects a browser. The route must have the status 302. */
export const redirect = (location: string, setCookie?: string): Answer<Buffer> =>
  answer(Buffer.alloc(0), { location, ...(setCookie !== undefined && { 'set-cookie': setCookie }) });
