import { STEP_TYPES, settingsOf } from '@stet/domain/steps';
import { setTimeout as sleep } from 'node:timers/promises';
import { mailsIn } from '../../apps/server/src/testing/mailbox.ts';
import type { FakeSlack } from '../../apps/server/src/testing/slack.ts';
import type { Call } from '../caller.ts';
import type { ServerProcess } from '../server-process.ts';
import { lineOf } from './canaries.ts';
import { CANARY, type Planted, plantFile } from './canary-caller.ts';

export const PASSWORD = 'a long enough one';
export const KEY = 'canary';
export const OWNER = 'owner@example.com';
export const MATE = 'mate@example.com';
export const LEAVER = 'leaver@example.com';

export async function fillWaitlist(anyone: Call): Promise<void> {
  await anyone('POST', '/api/waitlist/signup', { email: CANARY });
  await anyone('POST', '/api/waitlist/priority-application', {
    email: CANARY,
    role: 'Other',
    otherRole: CANARY,
    documentationTools: ['Other'],
    otherDocumentationTool: CANARY,
    teamTools: ['Other'],
    otherTeamTool: CANARY,
    frustrations: CANARY,
    processTypes: CANARY,
    collaborationSize: CANARY,
    frequency: 'Daily',
  });
}

export async function invited(dataDir: string, address: string): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const mail = (await mailsIn(dataDir)).find(({ to, text }) => to.includes(address) && text.includes('/invite/'));
    const token = /\/invite\/([\w-]+)/.exec(mail?.text ?? '')?.[1];
    if (token) return token;
    await sleep(100);
  }
  throw new Error(`no invitation arrived for ${address}`);
}

type Joining = { dataDir: string; owner: Call; anyone: Call; orgId: string; email: string; role: string };
export async function joined({ dataDir, owner, anyone, orgId, email, role }: Joining): Promise<string> {
  await owner('POST', `/api/organizations/${orgId}/invitations`, { email, role });
  const invitation = await invited(dataDir, email);
  await anyone('POST', `/api/invitations/${invitation}/accept`, { name: CANARY, password: PASSWORD });
  const { token } = await anyone<{ token: string }>('POST', '/api/auth/login', { email, password: PASSWORD });
  return token;
}

type Connecting = { server: ServerProcess; token: string; orgId: string; owner: Call; slack: FakeSlack };
export async function connectSlack({ server: { url }, token, orgId, owner, slack }: Connecting): Promise<void> {
  slack.addMember(OWNER);
  slack.addMember(MATE);
  const channelId = slack.addChannel(lineOf('channel'));
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
  await owner('PATCH', '/api/integrations/slack', { channelId });
}

/** Imports workflows from files that contain canaries. */
export async function importFiles(planted: Planted, url: string, token: string): Promise<void> {
  const yamlOf = (key: string, canary: string): string =>
    JSON.stringify({ key, metadata: { title: canary }, steps: [{ id: 'one', title: canary, description: canary }] });
  const bpmnOf = (canary: string): string => {
    const name = canary.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    return `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"><bpmn:process id="P" name="${name}"><bpmn:task id="T" name="${name}"><bpmn:documentation>${name}</bpmn:documentation></bpmn:task></bpmn:process></bpmn:definitions>`;
  };
  const send = (path: string, type: string, fileOf: (canary: string) => string): Promise<void> =>
    plantFile(planted, { url, token, path, type }, fileOf);
  await send('/api/workflows/from-yaml/import-yaml', 'text/yaml', (canary) => yamlOf('from-yaml', canary));
  await send('/api/workflows/from-bpmn/import-bpmn', 'application/xml', bpmnOf);
}

const LEFT_OUT = 'a step of the draft; unknown references are dropped on save';
const DRAFTED = ['POST /api/workflows/{key}/drafts', 'PATCH /api/workflows/{key}/drafts/{id}'];
/** The settings that name another step, of all step types. */
const NAMING_STEPS = STEP_TYPES.flatMap((type) =>
  settingsOf(type).flatMap(([name, { names }]) => (names ? [name] : [])),
);
/** Fields that accept only a fixed format or names of existing things. A canary there is refused or dropped. */
export const REFUSED: Record<string, string> = {
  'POST /api/organizations .slug': 'lowercase letters, digits and hyphens',
  'POST /api/auth/signup .organizationSlug': 'lowercase letters, digits and hyphens',
  'PATCH /api/organizations/{id}/working-hours .workingHours.timeZone': 'the name of a time zone',
  'PATCH /api/organizations/{id}/working-hours .workingHours.holidays[]': 'a date',
  'PATCH /api/integrations/slack .channelId': 'an existing Slack channel',
  'PATCH /api/workflows/{key}/escalation .tell[]': 'members and roles',
  'POST /api/workflows/{key}/drafts .steps[].next[]': 'a step of the draft',
  'PATCH /api/workflows/{key}/drafts/{id} .steps[].next[]': 'a step of the draft',
  ...Object.fromEntries(
    DRAFTED.flatMap((route) => NAMING_STEPS.map((name) => [`${route} .steps[].config.${name}`, LEFT_OUT])),
  ),
  'POST /api/workflows/{key}/drafts/{id}/comments .stepId': 'a step of the draft',
  'POST /api/workflows/{key}/drafts/{id}/rebase .resolutions[].stepId': 'a step that both sides changed',
  ...Object.fromEntries(
    DRAFTED.map((route) => [`${route} .steps[].config.fields[].requiredIf`, 'a condition, checked on save']),
  ),
  'POST /api/runs/{id}/complete .stepId': 'a step of the run',
  'POST /api/runs/{id}/notes .stepId': 'a step of the run',
  'POST /api/runs/{id}/steps/{stepId}/hand-over .to': 'a member or group',
  'DELETE /api/organizations/{id}/users/{userId} .handOver.to': 'a member or group',
  'POST /api/files .stepId': 'a step of the run',
  'POST /api/groups .slug': 'lowercase letters, digits and hyphens',
  'PATCH /api/groups/{id} .slug': 'the current slug',
  'PATCH /api/organizations/{id}/routes .routes[].group': 'the slug of a group',
  'POST /api/installation/sign-up .signUp': 'one of the modes; only for administrators of the installation',
};

type Refusing = { owner: Call; anyone: Call; orgId: string; draftId: string; runId: string };
/** Sends canaries to some of the fields in `REFUSED`. Returns a finding for each one that isn't refused with a 4xx. */
export async function tryRefused({ owner, anyone, orgId, draftId, runId }: Refusing): Promise<string[]> {
  const week = Array.from({ length: 7 }, () => []);
  const draft = `/api/workflows/${KEY}/drafts/${draftId}`;
  const hours = `/api/organizations/${orgId}/working-hours`;
  const account = { email: 'slug@example.com', name: 'Slug', password: PASSWORD, accountType: 'organization' };
  const astray = { metadata: { title: 'Astray' }, steps: [{ id: 'one', title: 'One', next: [CANARY] }] };
  const condition = { id: 'one', label: 'One', kind: 'text', requiredIf: CANARY };
  const conditional = {
    metadata: { title: 'Conditional' },
    steps: [{ id: 'one', title: 'One', config: { fields: [condition] } }],
  };
  const file = { name: 'a.txt', size: 1, sha256: 'a'.repeat(64), runId };
  const tries: [Call, string, string, object][] = [
    [owner, 'POST', '/api/organizations', { name: 'Slug', slug: CANARY }],
    [anyone, 'POST', '/api/auth/signup', { ...account, organizationName: 'Slug', organizationSlug: CANARY }],
    [owner, 'PATCH', hours, { workingHours: { timeZone: CANARY, week, holidays: [] } }],
    [owner, 'PATCH', hours, { workingHours: { timeZone: 'UTC', week, holidays: [CANARY] } }],
    [owner, 'PATCH', '/api/integrations/slack', { channelId: CANARY }],
    [owner, 'PATCH', `/api/workflows/${KEY}/escalation`, { tell: [CANARY], againAfterMinutes: null }],
    [owner, 'POST', '/api/workflows/astray/drafts', astray],
    [owner, 'PATCH', draft, astray],
    [owner, 'POST', '/api/workflows/conditional/drafts', conditional],
    [owner, 'PATCH', draft, conditional],
    [owner, 'POST', `/api/runs/${runId}/notes`, { text: 'Where?', stepId: CANARY }],
    [owner, 'POST', `/api/runs/${runId}/steps/form/hand-over`, { to: CANARY, reason: 'Away' }],
    [owner, 'POST', '/api/files', { ...file, stepId: CANARY }],
    [owner, 'POST', '/api/groups', { name: 'Slug', slug: CANARY }],
    [owner, 'PATCH', `/api/organizations/${orgId}/routes`, { routes: [{ if: 'loss', tag: null, group: CANARY }] }],
    [owner, 'POST', '/api/installation/sign-up', { signUp: CANARY }],
    [owner, 'POST', `/api/runs/${runId}/complete`, { stepId: CANARY }],
    [owner, 'POST', `${draft}/comments`, { body: 'Where?', stepId: CANARY }],
    [owner, 'POST', `${draft}/rebase`, { resolutions: [{ on: 'step', stepId: CANARY, field: 'title', take: 'live' }] }],
  ];
  const findings: string[] = [];
  for (const [call, method, path, body] of tries) {
    const problem = await call(method, path, body).then(
      () => 'taken',
      (error: Error) => (/: 4\d\d /.test(error.message) ? null : error.message),
    );
    if (problem !== null) findings.push(`a canary that ${method} ${path} should refuse: ${problem}`);
  }
  return findings;
}
