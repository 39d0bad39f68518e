import type { VersionRecord, WholeDraft } from '@stet/contract';
import { stepsNamed, teamOf } from './organization.ts';
import { type Person, type Reply, type TestServer, startTestServer } from './server.ts';

export type Saved = { draftId: string; revision: number };

/** The body of a draft with these steps in a chain; one step by default. */
export const content = (title: string, ...steps: string[]) => ({
  metadata: { title, description: `About ${title}` },
  steps: stepsNamed(...(steps.length > 0 ? steps : ['First'])),
});

export const refused = (status: number, code: string) => ({ status, body: { code } });

/** A team with helpers for drafts of one workflow at a time. `use` switches to a workflow, `newKey` to a new one. */
export async function startDraftBench() {
  const server: TestServer = await startTestServer();
  const { owner, editor, reviewer, orgId } = await teamOf(server, ['editor', 'reviewer']);
  let keys = 0;
  let key = '';

  const at = (draftId: string, action = ''): string => `/api/workflows/${key}/drafts/${draftId}${action}`;
  const read = (draftId: string, who: Person = editor): Promise<WholeDraft> => who.get<WholeDraft>(at(draftId));
  return {
    server,
    owner,
    editor,
    reviewer,
    orgId,
    use: (name: string): string => (key = name),
    newKey: (): string => (key = `draft-${(keys += 1)}`),
    at,
    read,
    create: (who: Person = editor, body: object = content('Hiring')): Promise<Saved> =>
      who.post<Saved>(`/api/workflows/${key}/drafts`, body),
    act: (
      who: Person,
      draftId: string,
      action: string,
      body?: object,
      headers?: Record<string, string>,
    ): Promise<Reply<VersionRecord>> => who.call('POST', at(draftId, `/${action}`), body, headers),
    blockersOf: async (draftId: string): Promise<string[]> => (await read(draftId)).blockers.map(({ code }) => code),
    eventsOf: async (subject: string): Promise<string[]> =>
      (
        await server.sql<{ action: string }>('select action from audit_events where subject_id = $1 order by seq', [
          subject,
        ])
      ).map(({ action }) => action),
  };
}
