import type { OrgRole } from '@stet/domain/access';
import { contentTitled, publish, stepsNamed } from './organization.ts';
import type { Person, Reply } from './server.ts';

export type Team = Record<OrgRole, Person> & { author: Person };
export type Call = (person: Person, team: Team, role: OrgRole) => Promise<Reply<unknown>>;
let keys = 0;
export const newKey = (): string => `subject-${(keys += 1)}`;

/**
 * Creates another person's draft in review, and returns its path. With `approved`, the owner has approved it. With
 * `live`, its workflow already has a live version.
 */
export async function draftInReview({ author, owner }: Team, { approved = false, live = false } = {}): Promise<string> {
  const key = newKey();
  if (live) await publish(author, owner, key);
  const { draftId } = await author.post<{ draftId: string }>(
    `/api/workflows/${key}/drafts`,
    // The content is different each time, because an objection applies to every draft with the same content.
    contentTitled(`${live ? 'Changed' : 'New'} ${key}`),
  );
  const path = `/api/workflows/${key}/drafts/${draftId}`;
  await author.post(`${path}/submit`);
  if (approved) await owner.post(`${path}/approve`);
  return path;
}

export async function liveWorkflow({ author, owner }: Team, steps = stepsNamed('First', 'Second')): Promise<string> {
  const key = newKey();
  await publish(author, owner, key, steps);
  return key;
}

export async function running(
  team: Team,
  step: Partial<ReturnType<typeof stepsNamed>[number]> = {},
  starter = team.owner,
): Promise<string> {
  const key = await liveWorkflow(team, [{ id: 'step-1', title: 'First', ...step }]);
  const { id } = await starter.post<{ id: string }>('/api/runs', { key, name: 'A run' });
  return `/api/runs/${id}`;
}

export const completing =
  (step: (person: Person, role: OrgRole) => Partial<ReturnType<typeof stepsNamed>[number]>): Call =>
  async (person, team, role) =>
    person.call('POST', `${await running(team, step(person, role))}/steps/step-1/complete`, {
      output: { text: 'Done' },
    });

export async function rolledBack(person: Person, team: Team): Promise<Reply<unknown>> {
  const key = await liveWorkflow(team);
  const { draftId } = await team.author.post<{ draftId: string }>(
    `/api/workflows/${key}/drafts`,
    contentTitled(`Second of ${key}`),
  );
  await team.owner.post(`/api/workflows/${key}/drafts/${draftId}/approve`);
  await team.owner.post(`/api/workflows/${key}/drafts/${draftId}/merge`);
  return person.call('POST', `/api/workflows/${key}/versions/1/rollback`);
}
