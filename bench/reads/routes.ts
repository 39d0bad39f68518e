import type { ContractKey } from '@stet/contract';
import { type Organization, PACE_MS } from './organization.ts';

/** The routes of the contract that only read. */
type Read = Extract<ContractKey, `GET ${string}`>;
/** Addresses by the label of their table row. Each call computes its address, so that it can pick a random run. */
type Addresses = Record<string, (of: Organization) => string>;

const at = (query: Record<string, string>): string => `?${new URLSearchParams(query).toString()}`;
/** Returns the time in the middle of the organization's history. */
const middle = ({ runs }: Organization): string => new Date(Date.now() - (runs / 2) * PACE_MS).toISOString();
const org = (of: Organization, rest = ''): string => `/api/organizations/${of.orgId}${rest}`;
const draft = (of: Organization, rest = ''): string => `/api/workflows/flow-2/drafts/${of.draftId}${rest}`;

const EXPORTS_EVERYTHING = 'exports everything, so its duration depends on the amount of data';
const NOT_ORG_DATA = 'doesn’t return data of an organization';
const ONLY_ADMINISTRATORS = 'only for administrators of the installation, whom the benchmark doesn’t have';
const REDIRECTS_AWAY = 'redirects the browser to another site';

/** Returns every sort order combined with every filter. */
function orders(): Addresses {
  const filters: Record<string, (of: Organization) => string> = {
    all: () => '',
    status: () => '&status=running',
    'status completed': () => '&status=completed',
    workflow: () => '&workflow=flow-7',
    version: () => '&workflow=flow-7&version=1',
    tag: () => '&tag=payments',
    priority: () => '&priority=urgent',
    SLA: () => '&sla=breached',
    environment: () => '&env=production',
    role: () => '&with=owner',
    'words, frequent': () => '&q=renewal',
    'words, rare': () => '&q=nordlicht',
    period: (of) => `&to=${middle(of)}`,
  };
  return Object.fromEntries(
    ['attention', 'newest', 'oldest', 'due', 'priority', 'name'].flatMap((sort) =>
      Object.entries(filters).map(([name, filter]) => [
        `by ${sort}, ${name}`,
        (of: Organization) => `/api/runs?sort=${sort}${filter(of)}`,
      ]),
    ),
  );
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** The addresses of each route that reads, or the reason why it isn't measured. */
export const READS: Record<Read, Addresses | string> = {
  'GET /api/runs': {
    list: () => '/api/runs',
    'list, from the middle': (of) => `/api/runs${at({ cursor: `${middle(of)}_ffffffff-ffff-ffff-ffff-ffffffffffff` })}`,
    'status failed': () => '/api/runs?status=failed',
    'status running': () => '/api/runs?status=running',
    workflow: () => '/api/runs?workflow=flow-7',
    'SLA breached': () => '/api/runs?sla=breached',
    'SLA at risk': () => '/api/runs?sla=at_risk',
    environment: () => '/api/runs?env=production',
    'workflow and SLA': () => '/api/runs?workflow=flow-7&sla=breached',
    'workflow and status': () => '/api/runs?workflow=flow-7&status=running',
    'tag and SLA': () => '/api/runs?tag=payments&sla=breached',
    'tag and status': () => '/api/runs?tag=payments&status=failed',
    'tag and words': () => '/api/runs?tag=payments&q=renewal',
    'status and SLA': () => '/api/runs?status=failed&sla=breached',
    period: (of) => `/api/runs${at({ to: middle(of) })}`,
    'words, frequent': () => '/api/runs?q=renewal',
    'words, rare': () => '/api/runs?q=nordlicht',
    'words, no match': () => '/api/runs?q=zephyrine',
    ...orders(),
  },
  'GET /api/runs/summary': { counts: () => '/api/runs/summary' },
  'GET /api/runs/{id}': { 'detail, any run': (of) => `/api/runs/${of.anyRun()}` },
  'GET /api/runs/{id}/notes': { newest: (of) => `/api/runs/${of.anyRun()}/notes` },
  'GET /api/runs/export.csv': EXPORTS_EVERYTHING,
  'GET /api/workflows/{key}/insights': {
    'half a year': () => '/api/workflows/flow-7/insights',
    'one version': () => '/api/workflows/flow-7/insights?version=1',
    'two years': () => `/api/workflows/flow-7/insights${at({ from: daysAgo(730) })}`,
  },
  'GET /api/workflows/{key}/insights/reviews': { 'half a year': () => '/api/workflows/flow-7/insights/reviews' },
  'GET /api/workflows/{key}/insights/reviews.csv': { figures: () => '/api/workflows/flow-7/insights/reviews.csv' },
  'GET /api/workflows/{key}/insights.csv': { figures: () => '/api/workflows/flow-7/insights.csv' },
  'GET /api/workflows/{key}/conformance': {
    list: () => '/api/workflows/flow-7/conformance',
    'one kind': () => '/api/workflows/flow-7/conformance?kind=approved_at_once',
  },
  'GET /api/workflows/{key}/conformance.csv': EXPORTS_EVERYTHING,
  'GET /api/insights/overview': { 'half a year': () => '/api/insights/overview' },
  'GET /api/insights/overview.csv': { figures: () => '/api/insights/overview.csv' },
  'GET /api/confirmations': { waiting: () => '/api/confirmations' },
  'GET /api/tasks': { list: () => '/api/tasks' },
  'GET /api/tasks/count': { count: () => '/api/tasks/count' },
  'GET /api/tasks/reviews': { list: () => '/api/tasks/reviews' },
  'GET /api/tasks/reviews/count': { count: () => '/api/tasks/reviews/count' },
  'GET /api/tasks/done': { list: () => '/api/tasks/done' },
  'GET /api/notifications': {
    list: () => '/api/notifications',
    unread: () => '/api/notifications?unread=true',
    'list, from the middle': (of) =>
      `/api/notifications${at({ cursor: `${middle(of)}_ffffffff-ffff-ffff-ffff-ffffffffffff` })}`,
  },
  'GET /api/notifications/count': { count: () => '/api/notifications/count' },
  'GET /api/notifications/preferences': { preferences: () => '/api/notifications/preferences' },
  'GET /api/audit/events': {
    list: () => '/api/audit/events',
    'list, from the middle': (of) => `/api/audit/events?cursor=${of.runs * 4}`,
    'of one run': (of) => `/api/audit/events${at({ subject: 'run', subjectId: of.anyRun() })}`,
    'action, frequent': () => '/api/audit/events?action=step.completed',
    'action, rare': () => '/api/audit/events?action=webhook.created',
    'actor, frequent': (of) => `/api/audit/events${at({ actor: of.userId })}`,
    'subject, rare': () => '/api/audit/events?subject=webhook',
    period: (of) => `/api/audit/events${at({ to: middle(of) })}`,
    'words, frequent': () => '/api/audit/events?q=done',
    'words, no match': () => '/api/audit/events?q=zephyrine',
  },
  'GET /api/audit/status': {
    status: () => '/api/audit/status',
    'of a period': (of) => `/api/audit/status${at({ to: middle(of) })}`,
  },
  'GET /api/audit/export.ndjson': 'proves its events with a Merkle tree over the whole trail, so it reads all of it',
  'GET /api/audit/export.pdf': { 'one run': (of) => `/api/audit/export.pdf${at({ runId: of.anyRun() })}` },
  'GET /api/workflows': {
    list: () => '/api/workflows',
    words: () => '/api/workflows?q=vendor&in=text',
    status: () => '/api/workflows?status=draft',
    tag: () => '/api/workflows?tag=payments',
  },
  'GET /api/workflow-counts': { counts: () => '/api/workflow-counts' },
  'GET /api/workflow-search': { words: () => '/api/workflow-search?q=step+three', all: () => '/api/workflow-search' },
  'GET /api/workflows/{key}': { detail: () => '/api/workflows/flow-7' },
  'GET /api/workflows/{key}/version-numbers': { numbers: () => '/api/workflows/flow-2/version-numbers' },
  'GET /api/workflows/{key}/step-ids': { ids: () => '/api/workflows/flow-2/step-ids' },
  'GET /api/workflows/{key}/versions': { list: () => '/api/workflows/flow-2/versions' },
  'GET /api/workflows/{key}/versions/{version}': { detail: () => '/api/workflows/flow-2/versions/1' },
  'GET /api/workflows/{key}/versions/{version}/document': {
    Markdown: () => '/api/workflows/flow-2/versions/1/document',
  },
  'GET /api/workflows/{key}/versions/{version}/certificate':
    'is refused, because the events of the filled organization don’t have the right hashes',
  'GET /api/workflows/{key}/document': { document: () => '/api/workflows/flow-2/document' },
  'GET /api/workflows/{key}/compare': { versions: () => '/api/workflows/flow-2/compare?from=1&to=2' },
  'GET /api/workflows/{key}/people': { people: () => '/api/workflows/flow-2/people' },
  'GET /api/workflows/{key}/escalation': { settings: () => '/api/workflows/flow-2/escalation' },
  'GET /api/workflows/{key}/export-yaml': { file: () => '/api/workflows/flow-2/export-yaml' },
  'GET /api/workflows/{key}/export-bpmn': { file: () => '/api/workflows/flow-2/export-bpmn' },
  'GET /api/workflows/{key}/drafts/{id}': { detail: (of) => draft(of) },
  'GET /api/workflows/{key}/drafts/{id}/diff': { changes: (of) => draft(of, '/diff') },
  'GET /api/workflows/{key}/drafts/{id}/reviewed-content': 'reads one content by the review of the caller',
  'GET /api/workflows/{key}/drafts/{id}/impact': { impact: (of) => draft(of, '/impact') },
  'GET /api/workflows/{key}/drafts/{id}/findings': { findings: (of) => draft(of, '/findings') },
  'GET /api/workflows/{key}/drafts/{id}/rebase': { question: (of) => draft(of, '/rebase') },
  'GET /api/file-usage': { usage: () => '/api/file-usage' },
  'GET /api/files/{id}/preview': 'reads one preview by its key',
  'GET /api/files/{id}': 'reads one file by its key, chunk by chunk; its duration follows from its size',
  'GET /api/groups': { list: () => '/api/groups' },
  'GET /api/delegations': { list: () => '/api/delegations' },
  'GET /api/webhooks': { list: () => '/api/webhooks' },
  'GET /api/webhooks/{id}/deliveries': {
    list: (of) => `/api/webhooks/${of.webhookId}/deliveries`,
    failed: (of) => `/api/webhooks/${of.webhookId}/deliveries?state=dead`,
    waiting: (of) => `/api/webhooks/${of.webhookId}/deliveries?state=waiting`,
    'list, from the middle': (of) => `/api/webhooks/${of.webhookId}/deliveries?cursor=${Math.round(of.runs / 2)}`,
  },
  'GET /api/organizations/{id}': { detail: (of) => org(of) },
  'GET /api/organizations/{id}/users': { list: (of) => org(of, '/users') },
  'GET /api/organizations/{id}/users/{userId}/steps': {
    'steps of the owner': (of) => org(of, `/users/${of.userId}/steps`),
  },
  'GET /api/organizations/{id}/common-assignees': { list: (of) => org(of, '/common-assignees') },
  'GET /api/organizations/{id}/invitations': { list: (of) => org(of, '/invitations') },
  'GET /api/organizations/{id}/tokens': { list: (of) => org(of, '/tokens') },
  'GET /api/organizations/{id}/routes': { settings: (of) => org(of, '/routes') },
  'GET /api/organizations/{id}/working-hours': { settings: (of) => org(of, '/working-hours') },
  'GET /api/invitations/{token}': { invitation: (of) => `/api/invitations/${of.invitation}` },
  'GET /api/tokens': { list: () => '/api/tokens' },
  'GET /api/users/me/sessions': { list: () => '/api/users/me/sessions' },
  'GET /api/auth/me': { 'the signed-in person': () => '/api/auth/me' },
  'GET /api/auth/slug': { 'slug in use': () => '/api/auth/slug?slug=bench' },
  'GET /api/integrations/slack/status': { status: () => '/api/integrations/slack/status' },
  'GET /api/integrations/slack/channels': { list: () => '/api/integrations/slack/channels' },
  'GET /api/integrations/slack/install': REDIRECTS_AWAY,
  'GET /api/integrations/slack/callback': REDIRECTS_AWAY,
  'GET /api/auth/oidc/start': REDIRECTS_AWAY,
  'GET /api/auth/oidc/callback': REDIRECTS_AWAY,
  'GET /api/auth/oidc': NOT_ORG_DATA,
  'GET /api/waitlist/count': NOT_ORG_DATA,
  'GET /api/schemas/workflow.json': NOT_ORG_DATA,
  'GET /api/health': NOT_ORG_DATA,
  'GET /api/ready': NOT_ORG_DATA,
  'GET /api/version': NOT_ORG_DATA,
  'GET /api/installation': ONLY_ADMINISTRATORS,
  'GET /api/installation/organizations': ONLY_ADMINISTRATORS,
  'GET /api/installation/people': ONLY_ADMINISTRATORS,
  'GET /api/installation/jobs': ONLY_ADMINISTRATORS,
  'GET /api/installation/deliveries': ONLY_ADMINISTRATORS,
  'GET /api/events': 'is an endless stream',
};
