import { randomUUID } from 'node:crypto';
import type { OrgRole } from '@stet/domain/access';
import type { Person, TestServer } from './server.ts';

/**
 * Gives a person a role in an organization, without an invitation, and selects the organization for them. Nobody counts
 * as the giver of the role, so their approvals have no mark.
 */
export async function joinOrganization(
  { sql }: TestServer,
  person: Person,
  orgId: string,
  role: OrgRole,
): Promise<void> {
  await sql(
    `insert into memberships (org_id, user_id, role) values ($1, $2, $3) on conflict (org_id, user_id) do update set role = excluded.role`,
    [orgId, person.user.id, role],
  );
  await sql('update users set current_org_id = $1 where id = $2', [orgId, person.user.id]);
}

/** Founds a team and adds one member for each of the given roles. */
export async function teamOf<const R extends OrgRole>(
  server: TestServer,
  roles: readonly R[],
): Promise<{ owner: Person; orgId: string } & Record<R, Person>> {
  const owner = await server.signUp({ team: `Team ${randomUUID().slice(0, 8)}` });
  const orgId = owner.user.currentOrgId ?? '';
  const members: Partial<Record<R, Person>> = {};
  for (const role of roles) {
    const member = await server.signUp({ name: `The ${role}` });
    await joinOrganization(server, member, orgId, role);
    members[role] = member;
  }
  return { owner, orgId, ...(members as Record<R, Person>) };
}

type StepInput = {
  id: string;
  title: string;
  type?: string;
  assignee?: string;
  sla?: string;
  config?: object;
  next?: string[];
  description?: string;
};

/** Manual steps in this order, each with an SLA of one day. */
export const stepsNamed = (...titles: string[]): StepInput[] =>
  titles.map((title, n) => ({ id: `step-${n + 1}`, title, sla: '1 day' }));

/**
 * Makes a workflow live: the author creates and submits it, and the reviewer, who can be the same person, approves and
 * merges it. In an individual organization, the only person merges it without an approval. Returns the draft's id.
 */
export async function publish(
  author: Person,
  reviewer: Person,
  key: string,
  steps: StepInput[] = stepsNamed('First', 'Second'),
): Promise<string> {
  const { draftId } = await author.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
    metadata: { title: `Title of ${key}` },
    steps,
  });
  await author.post(`/api/workflows/${key}/drafts/${draftId}/submit`);
  if (author.user.id !== reviewer.user.id || isInTeam(author))
    await reviewer.post(`/api/workflows/${key}/drafts/${draftId}/approve`);
  await reviewer.post(`/api/workflows/${key}/drafts/${draftId}/merge`);
  return draftId;
}

const isInTeam = ({ user }: Person): boolean =>
  user.organizations.some(({ id, type }) => id === user.currentOrgId && type === 'team');

/** The content of a draft with two steps. */
export function contentTitled(title: string): { metadata: { title: string }; steps: StepInput[] } {
  return { metadata: { title }, steps: stepsNamed('First', 'Second') };
}
