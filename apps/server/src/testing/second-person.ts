import type { SentInvitation, User, WholeDraft } from '@stet/contract';
import type { OrgRole } from '@stet/domain/access';
import { addressCodeTo, linkIn, mailTo } from './mailbox.ts';
import { contentTitled } from './organization.ts';
import type { Person, Reply, TestServer } from './server.ts';

let made = 0;

/** Helpers that found and join teams, prove addresses, change roles and create drafts. */
export function secondPersonBench(server: TestServer) {
  const logIn = async (email: string): Promise<Person> => {
    const { token, user } = await server.anyone.post<{ token: string; user: User }>('/api/auth/login', {
      email,
      password: PASSWORD,
    });
    return { ...server.as(token), token, user };
  };
  /** Founds a team. The founder's address isn't proved unless `proved` is set. */
  const found = async (proved = false): Promise<Person> => server.signUp({ team: `Team ${(made += 1)}`, proved });
  /**
   * Invites an address, and accepts the invitation with the link that the inviter sees or, with `mailed`, with the
   * mailed link.
   */
  const add = async (
    by: Person,
    role: Exclude<OrgRole, 'owner'>,
    { mailed = false, email = `guest-${process.pid}-${(made += 1)}@example.com` } = {},
  ): Promise<Person> => {
    const path = `/api/organizations/${by.user.currentOrgId}/invitations`;
    const sent = await by.post<SentInvitation>(path, { email, role });
    return join(mailed ? { link: linkIn(await mailTo(server.dataDir, email), '/invite/') } : sent, email);
  };
  /** Creates the invited person's account with a link, and logs in. */
  const join = async ({ link }: { link: string }, email: string): Promise<Person> => {
    await server.anyone.post(`/api/invitations/${link.split('/').at(-1)}/accept`, { name: email, password: PASSWORD });
    return logIn(email);
  };
  /** Proves an address with the mailed code. */
  const prove = async (person: Person): Promise<User> => {
    await person.post('/api/auth/prove-address/code');
    const code = await addressCodeTo(server.dataDir, person.user.email);
    return person.post<User>('/api/auth/prove-address', { code });
  };
  const setRole = (by: Person, who: Person, role: OrgRole): Promise<Reply<unknown>> =>
    by.call('PATCH', `/api/organizations/${by.user.currentOrgId}/users/${who.user.id}`, { role });
  const remove = (by: Person, who: Person): Promise<Reply<unknown>> =>
    by.call('DELETE', `/api/organizations/${by.user.currentOrgId}/users/${who.user.id}`);

  const draft = async (author: Person, title = 'Hiring') => {
    const key = `second-${(made += 1)}`;
    const { draftId } = await author.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, contentTitled(title));
    const path = `/api/workflows/${key}/drafts/${draftId}`;
    return {
      key,
      draftId,
      path,
      read: (who: Person = author) => who.get<WholeDraft>(path),
      act: (who: Person, action: string, body?: object, headers?: Record<string, string>) =>
        who.call<{ code?: string; error?: string; details?: unknown[]; version?: { approvals: unknown } }>(
          'POST',
          `${path}/${action}`,
          body,
          headers,
        ),
    };
  };
  /** Shifts the times of role changes back, so that waiting periods end as if this number of days had passed. */
  const pass = async (orgId: string | null, days: number): Promise<void> => {
    const earlier = `- ${days} * interval '1 day'`;
    await server.sql(`update role_history set since = since ${earlier}, until = until ${earlier} where org_id = $1`, [
      orgId,
    ]);
  };
  return { logIn, found, add, join, prove, setRole, remove, draft, pass };
}

const PASSWORD = 'a long enough one';
