type Caller = <T>(path: string, body?: unknown) => Promise<T>;
export type Account = { token: string; post: Caller };

/** The organization of a team. Without it, an account is personal and publishes without a review. */
export const TEAM = { accountType: 'organization', organizationName: 'Bench', organizationSlug: 'bench' };

/** Creates a person with their own organization on a fresh server. */
export async function signedUp(url: string, team: object = {}): Promise<Account> {
  const postAs =
    (token: string): Caller =>
    async <T>(path: string, body: unknown = {}): Promise<T> => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    };
  const account = { email: 'bench@example.com', name: 'Bench', password: 'a good bench', ...team };
  const { token } = await postAs('')<{ token: string }>('/api/auth/signup', account);
  return { token, post: postAs(token) };
}

/** Creates a draft with these steps in the account. Returns its id. */
export async function draftOf(
  { post }: Account,
  key: string,
  { title, steps }: { title: string; steps: unknown },
): Promise<string> {
  return (await post<{ draftId: string }>(`/api/workflows/${key}/drafts`, { metadata: { title }, steps })).draftId;
}
