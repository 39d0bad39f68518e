import type { FakeSlack } from '../../apps/server/src/testing/slack.ts';
import { type Call, callerOf } from '../caller.ts';
import type { ServerProcess } from '../server-process.ts';
import { CANARY, type Planted, canaryAfter, planterOf } from './canary-caller.ts';
import {
  KEY,
  LEAVER,
  MATE,
  OWNER,
  PASSWORD,
  connectSlack,
  fillWaitlist,
  importFiles,
  invited,
  joined,
  tryRefused,
} from './canary-corners.ts';
import { giveReasons } from './canary-reasons.ts';
import { BROKEN_STEPS, draftWith, published, runOf } from './canary-workflow.ts';

/** The tokens and ids with which the records that contain canaries can be opened. */
export type CanaryWorld = {
  ownerToken: string;
  mateToken: string;
  /** The token of someone who is only in their own organizations. */
  soloToken: string;
  inviteToken: string;
  versionIds: string[];
  openDraftId: string;
  behindDraftId: string;
  resolvedDraftId: string;
  brokenDraftId: string;
  patchedDraftId: string;
  runIds: string[];
  /** Names of the text fields that contain a canary. */
  planted: Planted;
  findings: string[];
};

/** Creates an organization with two people. The texts that a person can write are canaries. */
export async function canaryWorld(server: ServerProcess, dataDir: string, slack: FakeSlack): Promise<CanaryWorld> {
  const planted: Planted = new Set();
  const as = (token?: string): Call => planterOf(planted, server.url, token);
  const anyone = as();
  await fillWaitlist(anyone);
  const soloToken = await soloist(as);
  const { token: ownerToken } = await anyone<{ token: string }>('POST', '/api/auth/signup', {
    email: OWNER,
    name: CANARY,
    password: PASSWORD,
  });
  const owner = as(ownerToken);
  const { currentOrgId: orgId } = await owner<{ currentOrgId: string }>('POST', '/api/organizations', {
    name: CANARY,
    slug: 'canary',
  });
  const mateToken = await joined({ dataDir, owner, anyone, orgId, email: MATE, role: 'admin' });
  const mate = as(mateToken);
  await owner('POST', `/api/organizations/${orgId}/invitations`, { email: CANARY, role: 'viewer' });
  await owner('POST', `/api/organizations/${orgId}/invitations`, { email: 'third@example.com', role: 'viewer' });
  const inviteToken = await invited(dataDir, 'third@example.com');
  await connectSlack({ server, token: ownerToken, orgId, owner, slack });

  const versionIds = [await published(owner, mate, 'one'), await published(owner, mate, 'two')];
  const openDraftId = await draftWith(owner, KEY, 'open');
  const open = `/api/workflows/${KEY}/drafts/${openDraftId}`;
  await owner('POST', `${open}/submit`);
  await mate('POST', `${open}/comments`, { body: CANARY, stepId: 'form' });
  await mate('POST', `${open}/comments`, { body: CANARY });
  await mate('POST', `${open}/request-changes`, { comment: CANARY });
  const behindDraftId = await draftWith(owner, KEY, 'behind');
  const resolvedDraftId = await draftWith(owner, KEY, 'settled');
  versionIds.push(await published(owner, mate, 'three'));
  await resolve(owner, resolvedDraftId);
  await owner('POST', `/api/workflows/${KEY}/versions/2/rollback`, { reason: CANARY });
  await mate('PATCH', `/api/workflows/${KEY}/escalation`, { tell: [MATE], againAfterMinutes: 60 });
  // Content that can't be published stays in drafts that are never submitted.
  const broken = { metadata: { title: CANARY, description: CANARY }, steps: BROKEN_STEPS };
  const { draftId: brokenDraftId } = await owner<{ draftId: string }>('POST', '/api/workflows/broken/drafts', broken);
  const patchedDraftId = await draftWith(callerOf(server.url, ownerToken), 'patched', 'plain', 'plain');
  await owner('PATCH', `/api/workflows/patched/drafts/${patchedDraftId}`, broken);
  await importFiles(planted, server.url, ownerToken);

  const runIds = [
    await runOf(owner, mate, 'done'),
    await runOf(owner, mate, 'waiting'),
    await runOf(owner, mate, 'cancelled'),
    await runOf(owner, mate, 'rejected'),
  ];
  const webhook = { name: CANARY, url: canaryAfter('https://127.0.0.1:1/?a='), actions: [] };
  await owner('POST', '/api/webhooks', webhook);
  const { webhook: changed } = await callerOf(server.url, ownerToken)<{ webhook: { id: string } }>(
    'POST',
    '/api/webhooks',
    {
      name: 'To change',
      url: 'https://127.0.0.1:1/',
      actions: [],
    },
  );
  await owner('PATCH', `/api/webhooks/${changed.id}`, { name: webhook.name, url: webhook.url });
  const token = { name: CANARY, scopes: ['workflow.read'], expiresInDays: 365 };
  await owner('POST', '/api/tokens', token);
  await owner('POST', `/api/organizations/${orgId}/tokens`, { ...token, role: 'viewer' });
  for (const assignee of [MATE, CANARY])
    await owner('POST', '/api/integrations/slack/notify', { assignee, message: CANARY, workflowName: CANARY });
  await callerOf(server.url)('POST', '/api/auth/reset-request', { email: OWNER });
  const leaver = as(await joined({ dataDir, owner, anyone, orgId, email: LEAVER, role: 'reviewer' }));
  runIds.push(...(await giveReasons({ server, ownerToken, owner, mate, leaver, orgId })));
  const findings = await tryRefused({ owner, anyone, orgId, draftId: resolvedDraftId, runId: runIds[1] ?? '' });
  return {
    ownerToken,
    mateToken,
    soloToken,
    inviteToken,
    versionIds,
    openDraftId,
    behindDraftId,
    resolvedDraftId,
    brokenDraftId,
    patchedDraftId,
    runIds,
    planted,
    findings,
  };
}

/** Creates a person whose requests use the fields of accounts and organizations that the others leave empty. */
async function soloist(as: (token?: string) => Call): Promise<string> {
  const { token } = await as()<{ token: string }>('POST', '/api/auth/signup', {
    email: CANARY,
    name: 'Solo',
    password: PASSWORD,
    accountType: 'organization',
    organizationName: CANARY,
    organizationSlug: 'solo',
  });
  const solo = as(token);
  await solo('PATCH', '/api/users/me', { name: CANARY });
  const { currentOrgId } = await solo<{ currentOrgId: string }>('POST', '/api/organizations', {
    name: 'To be renamed',
    slug: 'renamed',
  });
  await solo('PATCH', `/api/organizations/${currentOrgId}`, { name: CANARY });
  return token;
}

/** Rebases a draft onto the live version, and resolves conflicting descriptions with custom text. */
async function resolve(owner: Call, draftId: string): Promise<void> {
  const path = `/api/workflows/${KEY}/drafts/${draftId}/rebase`;
  const { conflicts } = await owner<{ conflicts: { on: string; stepId?: string; field: string }[] }>('GET', path);
  const resolutions = conflicts.map(({ on, stepId, field }) => ({
    on,
    field,
    ...(stepId !== undefined && { stepId }),
    ...(field === 'description' ? { value: CANARY } : { take: 'live' }),
  }));
  await owner('POST', path, { resolutions });
}
