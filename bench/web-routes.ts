import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { type Call, callerOf } from './caller.ts';

/** A measured address, the heading of its screen, and the session that it needs. */
export type Sample = { address: string; heading: string; token: string | null };

export const OWNER = 'mara.lindqvist@haldenworks.example';
const NEWCOMER = 'noor@haddad.example';
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

/** The demo's records that the measured addresses contain, and the token of its newcomer. */
type Demo = {
  member: (address: string, heading: string) => Sample;
  newcomer: string;
  run: Run;
  invitation: string;
  overtaken: string;
  draft: { key: string; id: string; title: string };
};

const anyone = (address: string, heading: string): Sample => ({ address, heading, token: null });

/** The measured addresses of each pattern. A pattern whose screen depends on a mode has one for each mode. */
export const SAMPLES: Readonly<Record<string, (demo: Demo) => Sample[]>> = {
  '/': () => [anyone('/', 'Stop Drawing')],
  '/*': () => [anyone('/nowhere', 'Unexpected Application Error')],
  '/priority-apply': () => [anyone('/priority-apply', 'Apply')],
  '/login': () => [anyone('/login', 'Log in')],
  '/signup': () => [anyone('/signup', 'Create')],
  '/reset-password': () => [anyone('/reset-password', 'Reset')],
  '/invite/:token': ({ invitation }) => [anyone(invitation, 'Invited')],
  '/app/editor': ({ member, draft }) => [
    member('/app/editor', 'Workflow Editor'),
    member(`/app/editor?key=${draft.key}&mode=edit&draftId=${draft.id}`, draft.title),
    member('/app/editor?mode=demo', 'Demo Table'),
  ],
  '/app/review': ({ member, draft }) => [member(`/app/review?key=${draft.key}&id=${draft.id}`, draft.title)],
  '/app/rebase': ({ overtaken, newcomer }) => [{ address: overtaken, heading: 'Overtaken', token: newcomer }],
  '/app/compare': ({ member, draft }) => [member(`/app/compare?key=${draft.key}&from=1&to=2`, 'Compare versions')],
  '/app/workflows/run/:workflowKey': ({ member, run }) => [
    member(`/app/workflows/run/${run.workflowKey}`, run.workflowTitle),
  ],
  '/app/workflows/run/:workflowKey/:runId': ({ member, run }) => [
    member(`/app/workflows/run/${run.workflowKey}/${run.id}`, run.name),
  ],
  '/app/workflows': ({ member, draft }) => [
    member('/app/workflows', 'Workflow Management'),
    member(`/app/workflows?builder=edit&key=${draft.key}&draftId=${draft.id}`, draft.title),
  ],
  '/app/runs': ({ member }) => [member('/app/runs', 'Runs')],
  '/app/runs/insights': ({ member, draft }) => [
    member('/app/runs/insights', 'Insights'),
    member(`/app/runs/insights?workflow=${draft.key}`, draft.title),
  ],
  '/app/runs/:runId': ({ member, run }) => [member(`/app/runs/${run.id}`, run.name)],
  '/app/docs': ({ member }) => [member('/app/docs', 'Workflows')],
  '/app/docs/:key': ({ member, draft }) => [member(`/app/docs/${draft.key}`, draft.title)],
  '/app/docs/:key/versions': ({ member, draft }) => [member(`/app/docs/${draft.key}/versions`, draft.title)],
  '/app/docs/:key/settings': ({ member, draft }) => [member(`/app/docs/${draft.key}/settings`, draft.title)],
  '/app/notifications': ({ member }) => [member('/app/notifications', 'Notifications')],
  '/app/tasks': ({ member }) => [member('/app/tasks', 'My tasks')],
  '/app/legacy-workflows': ({ member }) => [member('/app/legacy-workflows', 'Legacy workflows')],
  '/app/audit': ({ member }) => [member('/app/audit', 'Audit trail')],
  '/app/integrations': ({ member }) => [member('/app/integrations', 'Integrations')],
  '/app/settings/profile': ({ member }) => [member('/app/settings/profile', 'Profile')],
  '/app/settings/notifications': ({ member }) => [member('/app/settings/notifications', 'Notifications')],
  '/app/settings/organization': ({ member }) => [member('/app/settings/organization', 'Organization')],
  '/app/settings/away': ({ member }) => [member('/app/settings/away', 'Away')],
  '/app/settings/groups': ({ member }) => [member('/app/settings/groups', 'Groups')],
  '/app/settings/members': ({ member }) => [member('/app/settings/members', 'Members')],
  '/app/settings/confirmations': ({ member }) => [member('/app/settings/confirmations', 'Waiting for a second person')],
  '/app/settings/tokens': ({ member }) => [member('/app/settings/tokens', 'API tokens')],
  '/app/settings/installation': ({ member }) => [member('/app/settings/installation', 'Installation')],
  '/app/settings/webhooks': ({ member }) => [member('/app/settings/webhooks', 'Webhooks')],
};

/** Returns the measured addresses of each pattern in a running demo. */
export async function samplesIn(url: string): Promise<Record<string, readonly Sample[]>> {
  const [owner, newcomer] = await Promise.all([signedIn(url, OWNER), signedIn(url, NEWCOMER)]);
  const [run, invitation, overtaken, draft] = await Promise.all([
    runUnderWay(owner.call),
    invited(owner.call),
    overtakenDraft(newcomer.call),
    draftInReview(owner.call),
  ]);
  const member = (address: string, heading: string): Sample => ({ address, heading, token: owner.token });
  const demo: Demo = { member, newcomer: newcomer.token, run, invitation, overtaken, draft };
  return Object.fromEntries(Object.entries(SAMPLES).map(([pattern, samples]) => [pattern, samples(demo)]));
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
