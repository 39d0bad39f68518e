import { setTimeout as sleep } from 'node:timers/promises';
import { mailsIn } from '../../apps/server/src/testing/mailbox.ts';
import type { FakeSlack } from '../../apps/server/src/testing/slack.ts';
import { type Call, callerOf } from '../caller.ts';
import type { ServerProcess } from '../server-process.ts';
import { lineOf, textOf } from './canaries.ts';

const PASSWORD = 'a long enough one';
export const KEY = 'canary';
export const OWNER = 'owner@example.com';
export const MATE = 'mate@example.com';

/** What there is to look at, by address. */
export type CanaryWorld = {
  owner: Call;
  ownerToken: string;
  mateToken: string;
  inviteToken: string;
  orgId: string;
  versionIds: string[];
  openDraftId: string;
  behindDraftId: string;
  runIds: string[];
};

/** An organization of two in which every text that a person can write is a canary. */
export async function canaryWorld(server: ServerProcess, dataDir: string, slack: FakeSlack): Promise<CanaryWorld> {
  const anyone = callerOf(server.url);
  await anyone('POST', '/api/waitlist/signup', { email: `"><img/src=x>'@example.com`.replaceAll(/[<>"]/g, '') });
  await anyone('POST', '/api/waitlist/priority-application', {
    email: 'apply@example.com',
    role: 'Other',
    otherRole: lineOf('otherRole'),
    otherTeamTool: lineOf('otherTeamTool'),
    frustrations: textOf('frustrations'),
    processTypes: textOf('processTypes'),
    collaborationSize: textOf('collaborationSize'),
    frequency: 'Daily',
  }).catch(() => undefined);
  const { token: ownerToken } = await anyone<{ token: string }>('POST', '/api/auth/signup', {
    email: OWNER,
    name: lineOf('name'),
    password: PASSWORD,
  });
  const owner = callerOf(server.url, ownerToken);
  const { currentOrgId: orgId } = await owner<{ currentOrgId: string }>('POST', '/api/organizations', {
    name: lineOf('organization'),
    slug: 'canary',
  });
  const mateToken = await joined(server, dataDir, owner, orgId);
  const mate = callerOf(server.url, mateToken);
  await owner('POST', `/api/organizations/${orgId}/invitations`, { email: 'third@example.com', role: 'viewer' });
  const inviteToken = await invited(dataDir, 'third@example.com');
  await connectSlack(server, ownerToken, orgId, slack);

  const versionIds = [await published(owner, mate, 'one'), await published(owner, mate, 'two')];
  const openDraftId = await draft(owner, 'open');
  await owner('POST', `/api/workflows/${KEY}/drafts/${openDraftId}/submit`);
  await mate('POST', `/api/workflows/${KEY}/drafts/${openDraftId}/comments`, {
    body: textOf('comment'),
    stepId: 'form',
  });
  await mate('POST', `/api/workflows/${KEY}/drafts/${openDraftId}/comments`, { body: textOf('remark') });
  await mate('POST', `/api/workflows/${KEY}/drafts/${openDraftId}/request-changes`, { comment: textOf('changes') });
  const behindDraftId = await draft(owner, 'behind');
  versionIds.push(await published(owner, mate, 'three'));
  await owner('POST', `/api/workflows/${KEY}/versions/2/rollback`, { reason: textOf('rollback') });
  await mate('PATCH', `/api/workflows/${KEY}/escalation`, { tell: [MATE], againAfterMinutes: 60 });

  const runIds = [await runOf(owner, mate), await runOf(owner, mate, true)];
  const webhook = {
    name: lineOf('webhook'),
    url: `https://127.0.0.1:1/?a=<img src=x onerror=__hit('url')>`,
    actions: [],
  };
  await owner('POST', '/api/webhooks', { ...webhook, name: webhook.name.slice(0, 80) });
  await owner('POST', '/api/tokens', {
    name: lineOf('token').slice(0, 60),
    scopes: ['workflow.read'],
    expiresInDays: null,
  });
  await anyone('POST', '/api/auth/reset-request', { email: OWNER });
  return { owner, ownerToken, mateToken, inviteToken, orgId, versionIds, openDraftId, behindDraftId, runIds };
}

async function invited(dataDir: string, address: string): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const mail = (await mailsIn(dataDir)).find(({ to, text }) => to.includes(address) && text.includes('/invite/'));
    const token = /\/invite\/([\w-]+)/.exec(mail?.text ?? '')?.[1];
    if (token) return token;
    await sleep(100);
  }
  throw new Error(`no invitation came to ${address}`);
}

async function joined(server: ServerProcess, dataDir: string, owner: Call, orgId: string): Promise<string> {
  await owner('POST', `/api/organizations/${orgId}/invitations`, { email: MATE, role: 'admin' });
  const invitation = await invited(dataDir, MATE);
  const anyone = callerOf(server.url);
  await anyone('POST', `/api/invitations/${invitation}/accept`, { name: lineOf('mate'), password: PASSWORD });
  const { token } = await anyone<{ token: string }>('POST', '/api/auth/login', { email: MATE, password: PASSWORD });
  return token;
}

async function connectSlack({ url }: ServerProcess, token: string, orgId: string, slack: FakeSlack): Promise<void> {
  slack.addMember(OWNER);
  slack.addMember(MATE);
  slack.addChannel(lineOf('channel'));
  const ticket = await fetch(new URL('/api/integrations/slack/tickets', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'stet-organization': orgId },
  });
  const { url: install } = (await ticket.json()) as { url: string };
  const cookie = ticket.headers.get('set-cookie')?.split(';')[0] ?? '';
  const visit = async (address: string): Promise<string> => {
    const response = await fetch(new URL(address, url), { redirect: 'manual', headers: { cookie } });
    return response.headers.get('location') ?? '';
  };
  await visit(await visit(await visit(install)));
}

async function draft(owner: Call, turn: string): Promise<string> {
  const steps = [
    {
      id: 'form',
      title: lineOf('title'),
      description: `${textOf('task')}\n\n${turn}`,
      assignee: MATE,
      sla: '1h',
      config: {
        assignedRole: 'editor',
        fields: [
          { id: 'choice', label: lineOf('label'), kind: 'choice', options: [lineOf('option'), 'other'] },
          { id: 'more', label: textOf('label').slice(0, 100), kind: 'text' },
        ],
      },
    },
    { id: 'plain', title: `${lineOf('plain')} ${turn}`, description: textOf('plain'), assignee: lineOf('assignee') },
    { id: 'vote', title: lineOf('vote'), type: 'approval', assignee: OWNER },
    {
      id: 'tell',
      title: lineOf('tell'),
      type: 'notification',
      config: {
        recipients: [MATE],
        template: `${textOf('template')} {{run.name}} {{step.title}} {{output.plain}}`,
        channels: ['email', 'slack', 'in-app'],
      },
    },
  ];
  const metadata = { title: lineOf(`title ${turn}`), description: textOf('description') };
  return (await owner<{ draftId: string }>('POST', `/api/workflows/${KEY}/drafts`, { metadata, steps })).draftId;
}

async function published(owner: Call, mate: Call, turn: string): Promise<string> {
  const id = await draft(owner, turn);
  const path = `/api/workflows/${KEY}/drafts/${id}`;
  await owner('POST', `${path}/submit`);
  await mate('POST', `${path}/approve`, { comment: textOf('approval') });
  await mate('POST', `${path}/merge`);
  return id;
}

/** One that is done, or one that waits and is cancelled in the end. */
async function runOf(owner: Call, mate: Call, isOpen = false): Promise<string> {
  const { id } = await owner<{ id: string }>('POST', '/api/runs', {
    key: KEY,
    name: lineOf('run'),
    description: textOf('run').slice(0, 500),
  });
  if (isOpen) return id;
  const step = `/api/runs/${id}/steps`;
  await mate('POST', `${step}/form/complete`, {
    output: { text: textOf('output'), fields: { choice: lineOf('option'), more: textOf('more').slice(0, 200) } },
    notes: textOf('notes'),
  });
  await owner('POST', `${step}/plain/skip`, { reason: textOf('skip') });
  await owner('POST', `${step}/vote/approve`, { comments: textOf('vote') });
  return id;
}
