import type { User } from '@stet/contract';
import type { Reply, TestServer } from './server.ts';

type SignedIn = { token: string; user: User };

/** Helpers that sign up and log in. By default, each sign-up has a new email address. */
export function accountsOf(server: TestServer) {
  let addresses = 0;
  const newEmail = (): string => `someone-${(addresses += 1)}@example.com`;
  const signUp = (body: object): Promise<Reply<SignedIn>> =>
    server.anyone.call('POST', '/api/auth/signup', {
      email: newEmail(),
      name: 'Sam Halden',
      password: 'oak, ash and thorn',
      ...body,
    });
  const logIn = (email: string, password = 'oak, ash and thorn'): Promise<Reply<SignedIn>> =>
    server.anyone.call('POST', '/api/auth/login', { email, password });
  return { newEmail, signUp, logIn };
}
