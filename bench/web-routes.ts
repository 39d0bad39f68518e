import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { type Call, callerOf } from './caller.ts';

/** A measured address, the heading of its screen, and the session that it needs. */
export type Sample = { address: string; heading: string; token: string | null };

const [OWNER, NEWCOMER] = ['mara.lindqvist@haldenworks.example', 'noor@haddad.example'];
/** A member with several tasks. */
export const WORKER = 'sam.okafor@haldenworks.example';
const PASSWORD = 'let-it-stand';

type RouteObject = { path?: string; lazy?: unknown; children?: RouteObject[] };

/** Returns all address patterns that show a screen, from the app's router. */
export async function routePatterns(): Promise<string[]> {
  const vite = await createServer({
    configFile: fileURLToPath(new URL('../apps/web/vite.config.ts', import.meta.url)),
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
    appType: 'custom',
    logLevel: 'error',
  });
  try {
    const { routes } = (await vite.ssrLoadModule('/src/app/router.tsx')) as { routes: RouteObject[] };
    return patternsIn(routes, '');
  } finally {
    await vite.close();
  }
}

function patternsIn(routes: readonly RouteObject[], base: string): string[] {
  return routes.flatMap(({ path, lazy, children }) => {
    const pattern = path === undefined ? base : path.startsWith('/') ? path : `${base}/${path}`;
    if (children) return patternsIn(children, pattern);
    return lazy === undefined ? [] : [pattern];
  });
}

/**
 * Returns the measured addresses of each pattern, in the demo. A pattern whose screen depends on a mode has one for
 * each mode.
 */
export async function samplesIn(url: string): Promise<Record<string, readonly Sample[]>> {
  const [owner, newcomer] = await Promise.all([signedIn(url, OWNER), signedIn(url, NEWCOMER)]);
  const anyone = (address: string, heading: string): Sample => ({ address, heading, token: null });
  const member = (address: string, heading: string): Sample => ({ address, heading, token: owner.token });
  const [run, invitation, overtaken, draft] = await Promise.all([
    runUnderWay(owner.call),
    invited(owner.call),
    overtakenDraft(newcomer.call),
    draftInReview(owner.call),
  ]);
  return {
    '/': [anyone('/', 'Stop Drawing')],
    '/*': [anyone('/nowhere', 'Unexpected Application Error')],
    '/priority-apply': [anyone('/priority-apply', 'Apply')],
    '/login': [anyone('/login', 'Log in')],
    '/signup': [anyone('/signup', 'Create')],
    '/reset-password': [anyone('/reset-password', 'Reset')],
    '/invite/:token': [anyone(invitation, 'Invited')],
    '/app/editor': [
      member('/app/editor', 'Workflow Editor'),
      member(`/app/editor?key=${draft.key}&mode=edit&draftId=${draft.id}`, draft.title),
      member('/app/editor?mode=demo', 'Demo Table'),
    ],
    '/app/review': [member(`/app/review?key=${draft.key}&id=${draft.id}`, draft.title)],
    '/app/rebase': [{ address: overtaken, heading: 'Overtaken', token: newcomer.token }],
    '/app/compare': [member(`/app/compare?key=${draft.key}&from=1&to=2`, 'Compare versions')],
    '/app/workflows/run/:workflowKey': [member(`/app/workflows/run/${run.workflowKey}`, run.workflowTitle)],
    '/app/workflows/run/:workflowKey/:runId': [member(`/app/workflows/run/${run.workflowKey}/${run.id}`, run.name)],
    '/app/workflows': [
      member('/app/workflows', 'Workflow Management'),
      member(`/app/workflows?builder=edit&key=${draft.key}&draftId=${draft.id}`, draft.title),
    ],
    '/app/runs': [member('/app/runs', 'Runs')],
    '/app/runs/:runId': [member(`/app/runs/${run.id}`, run.name)],
    '/app/docs': [member('/app/docs', 'Workflows')],
    '/app/docs/:key': [member(`/app/docs/${draft.key}`, draft.title)],
    '/app/docs/:key/versions': [member(`/app/docs/${draft.key}/versions`, draft.title)],
    '/app/docs/:key/settings': [member(`/app/docs/${draft.key}/settings`, draft.title)],
    '/app/notifications': [member('/app/notifications', 'Notifications')],
    '/app/tasks': [member('/app/tasks', 'My tasks')],
    '/app/legacy-workflows': [member('/app/legacy-workflows', 'Legacy workflows')],
    '/app/audit': [member('/app/audit', 'Audit trail')],
    '/app/integrations': [member('/app/integrations', 'Integrations')],
    '/app/settings/profile': [member('/app/settings/profile', 'Profile')],
    '/app/settings/notifications': [member('/app/settings/notifications', 'Notifications')],
    '/app/settings/organization': [member('/app/settings/organization', 'Organization')],
    '/app/settings/members': [member('/app/settings/members', 'Members')],
    '/app/settings/confirmations': [member('/app/settings/confirmations', 'Waiting for a second person')],
    '/app/settings/tokens': [member('/app/settings/tokens', 'API tokens')],
    '/app/settings/webhooks': [member('/app/settings/webhooks', 'Webhooks')],
  };
}

export async function signedIn(url: string, email: string): Promise<{ token: string; call: Call }> {
  const { token } = await callerOf(url)<{ token: string }>('POST', '/api/auth/login', { email, password: PASSWORD });
  return { token, call: callerOf(url, token) };
}

type Run = { id: string; name: string; workflowKey: string; workflowTitle: string };
async function runUnderWay(call: Call): Promise<Run> {
  const [run] = await call<Run[]>('GET', '/api/runs?status=running&limit=1');
  if (!run) throw new Error('the demo has no running run');
  return run;
}

async function draftInReview(call: Call): Promise<{ key: string; id: string; title: string }> {
  type Workflow = { key: string; metadata: { title: string }; versions: { id: string; status: string }[] };
  const { key, metadata, versions } = await call<Workflow>('GET', '/api/workflows/vendor-onboarding');
  const draft = versions.find(({ status }) => status === 'in_review');
  if (!draft) throw new Error(`no draft of ${key} is in review`);
  return { key, id: draft.id, title: metadata.title };
}

async function invited(call: Call): Promise<string> {
  const { currentOrgId } = await call<{ currentOrgId: string }>('GET', '/api/auth/me');
  const body = { email: 'new@haldenworks.example', role: 'editor' };
  const { link } = await call<{ link: string }>('POST', `/api/organizations/${currentOrgId}/invitations`, body);
  return new URL(link).pathname;
}

/**
 * Creates a draft that is behind a newer version, both with a change to the same step, in an account that needs no
 * approvals.
 */
async function overtakenDraft(call: Call): Promise<string> {
  const at = '/api/workflows/overtaken/drafts';
  const draft = async (description: string): Promise<string> => {
    const steps = [{ id: 'one', title: 'The only step', assignee: 'owner', sla: '4h', description }];
    return (await call<{ draftId: string }>('POST', at, { metadata: { title: 'Overtaken' }, steps })).draftId;
  };
  const publish = async (id: string): Promise<void> => {
    await call('POST', `${at}/${id}/merge`);
  };
  await publish(await draft('As it was.'));
  const mine = await draft('As I say.');
  await publish(await draft('As they say.'));
  return `/app/rebase?key=overtaken&id=${mine}`;
}
