import type { Client, TestServer } from '../server.ts';
import { Violation } from './board.ts';

const ADDRESS = 'administrator@installation.example';
/** The environment of a server that has an administrator, who can disable accounts. */
export const WITH_ADMINISTRATOR = { STET_ADMINS: ADDRESS };

const administrators = new WeakMap<TestServer['server'], Promise<Client>>();

/** Disables or enables an account as the administrator of the server. */
export async function changeDisabled(server: TestServer, userId: string, action: 'disable' | 'enable'): Promise<void> {
  const known = administrators.get(server.server) ?? server.signUp({ email: ADDRESS, name: 'The administrator' });
  administrators.set(server.server, known);
  const { status } = await (await known).call('POST', `/api/installation/people/${userId}`, { action });
  if (status !== 200) throw new Violation(`the administrator can’t ${action} an account: ${status}`);
}
