import { callerOf } from '../caller.ts';
import type { Client } from './client-process.ts';
import { STEPS } from './client-process.ts';

export const WORKFLOW = 'five-steps';

/** Founds organizations with one member each, and a live workflow of five manual steps, each with an SLA. */
export async function foundOrganizations(port: number, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let n = 0; n < count; n += 1) clients.push({ port, token: await founded(`http://127.0.0.1:${port}`, n) });
  return clients;
}

async function founded(url: string, n: number): Promise<string> {
  const { token } = await callerOf(url)<{ token: string }>('POST', '/api/auth/signup', {
    email: `client-${n}@bench.example`,
    name: `Client ${n}`,
    password: 'a long enough one',
  });
  const call = callerOf(url, token);
  const drafts = `/api/workflows/${WORKFLOW}/drafts`;
  const { draftId } = await call<{ draftId: string }>('POST', drafts, {
    metadata: { title: 'Vendor onboarding' },
    steps: STEPS.map((id, at) => ({
      id,
      title: `Step ${id}`,
      type: 'manual',
      assignee: 'owner',
      sla: '4h',
      next: STEPS.slice(at + 1, at + 2),
    })),
  });
  await call('POST', `${drafts}/${draftId}/approve`);
  await call('POST', `${drafts}/${draftId}/merge`);
  return token;
}
