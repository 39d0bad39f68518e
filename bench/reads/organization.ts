import type pg from 'pg';
import { callerOf } from '../caller.ts';

const WORKFLOWS = 40;
export const STEPS = ['one', 'two', 'three', 'four', 'five'];
/** Milliseconds between the starts of two runs. */
export const PACE_MS = 20_000;
/** The number of runs that `anyRun` chooses from. */
const DRAWN = 500;

/** Ids of the template runs that all other runs are copies of, by state. */
type Templates = Record<'running' | 'paused' | 'cancelled' | 'completed', string>;

/**
 * An organization of one person with live workflows, a number of runs, and some of everything else that can be read.
 */
export type Organization = {
  url: string;
  token: string;
  orgId: string;
  userId: string;
  runs: number;
  workflows: number;
  templates: Templates;
  /** A draft of `flow-2` that is based on an earlier version than the live one. */
  draftId: string;
  webhookId: string;
  invitation: string;
  /** Returns a random run once the organization is filled; the completed template before that. */
  anyRun: () => string;
};

export async function found(url: string, runs: number, workflows = WORKFLOWS): Promise<Organization> {
  const { token, user } = await callerOf(url)<{ token: string; user: { id: string; currentOrgId: string } }>(
    'POST',
    '/api/auth/signup',
    {
      email: 'owner@bench.example',
      name: 'Owner',
      password: 'a long enough one',
      accountType: 'organization',
      organizationName: 'Bench',
      organizationSlug: 'bench',
    },
  );
  const call = callerOf(url, token);
  const orgId = user.currentOrgId;
  const draft = async (key: string, title: string): Promise<string> => {
    const steps = STEPS.map((id, n) => ({
      id,
      title: `Step ${id}`,
      assignee: 'owner',
      sla: '4h',
      next: STEPS.slice(n + 1, n + 2),
    }));
    const { draftId } = await call<{ draftId: string }>('POST', `/api/workflows/${key}/drafts`, {
      metadata: { title, description: 'The people asked, and the reason.' },
      steps,
    });
    return draftId;
  };
  const merge = async (key: string, title: string): Promise<void> => {
    const id = await draft(key, title);
    await call('POST', `/api/workflows/${key}/drafts/${id}/approve`);
    await call('POST', `/api/workflows/${key}/drafts/${id}/merge`);
  };
  for (let n = 1; n <= workflows; n += 1) {
    await merge(`flow-${n}`, `Vendor onboarding ${n}`);
    if (n % 4 === 0) await call('PATCH', `/api/workflows/flow-${n}`, { tags: ['payments'] });
  }
  const draftId = await draft('flow-2', 'Vendor onboarding, shorter');
  await merge('flow-2', 'Vendor onboarding, longer');

  const start = async (completed: number): Promise<string> => {
    const { id } = await call<{ id: string }>('POST', '/api/runs', { key: 'flow-1', name: 'One of the first' });
    for (const step of STEPS.slice(0, completed))
      await call('POST', `/api/runs/${id}/steps/${step}/complete`, { output: { text: 'done' } });
    return id;
  };
  const templates = {
    running: await start(3),
    paused: await start(3),
    cancelled: await start(3),
    completed: await start(5),
  };
  await call('POST', `/api/runs/${templates.paused}/pause`);
  await call('POST', `/api/runs/${templates.cancelled}/cancel`, { reason: 'No longer wanted' });
  const { webhook } = await call<{ webhook: { id: string } }>('POST', '/api/webhooks', {
    name: 'Elsewhere',
    url: 'http://127.0.0.1:9/hook',
    actions: ['run.completed'],
  });
  // The webhook is inactive, so that nothing is sent. Its deliveries are inserted later.
  await call('PATCH', `/api/webhooks/${webhook.id}`, { isActive: false });
  const { link } = await call<{ link: string }>('POST', `/api/organizations/${orgId}/invitations`, {
    email: 'guest@bench.example',
    role: 'editor',
  });
  await call('POST', '/api/groups', { name: 'Finance', slug: 'finance', members: [user.id] });
  await call('POST', '/api/tokens', { name: 'A token', scopes: ['workflow.read'], expiresInDays: 90 });
  const invitation = link.split('/').at(-1) ?? '';
  return {
    url,
    token,
    orgId,
    userId: user.id,
    runs,
    workflows,
    templates,
    draftId,
    webhookId: webhook.id,
    invitation,
    anyRun: () => templates.completed,
  };
}

/** Returns the same organization with an `anyRun` that returns a random run. */
export async function drawing(sql: pg.Client, organization: Organization): Promise<Organization> {
  const { rows } = await sql.query<{ id: string }>('select id from runs where org_id = $1 order by random() limit $2', [
    organization.orgId,
    DRAWN,
  ]);
  const anyRun = (): string => rows[Math.floor(Math.random() * rows.length)]?.id ?? '';
  return { ...organization, anyRun };
}
