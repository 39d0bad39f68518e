import type { User } from '@stet/contract';
import type { Reply, TestServer } from './server.ts';

type SignedIn = { token: string; user: User };

/** What people without a session ask of a server, by addresses that nobody had before. */
export function accountsOf(server: TestServer) {
  let addresses = 0;
  const newEmail = (): string => `someone-${(addresses += 1)}@example.com`;
  const signUp = (body: object): Promise<Reply<SignedIn>> =>
    server.anyone.call('POST', '/api/auth/signup', {
      email: newEmail(),
      name: 'Sam Halden',
      password: 'secret',
      ...body,
    });
  const logIn = (email: string, password = 'secret'): Promise<Reply<SignedIn>> =>
    server.anyone.call('POST', '/api/auth/login', { email, password });
  return { newEmail, signUp, logIn };
}
