import { requestUrl } from './api/request-url.ts';

type EditorQuery = {
  /** A workflow's key, or `new`. */
  key?: string;
  template?: string;
  mode?: 'select' | 'edit' | 'demo';
  draftId?: string;
  /** The key of the workflow to copy; only with `key=new`. */
  duplicate?: string;
  /** The view of the workflow. By default, the table. */
  view?: 'table' | 'builder';
};

type DocumentationQuery = { key?: string; status?: string; q?: string; tag?: string };
type CompareQuery = { key: string; from: string | number; to: string | number };

type WorkflowsQuery = {
  q?: string;
  status?: string;
  /** Opens the builder instead of the list. */
  builder?: 'new' | 'edit' | 'view';
  /** The workflow that the builder opens. */
  key?: string;
  draftId?: string;
  /** The key of the workflow to copy; only with `builder=new`. */
  duplicate?: string;
  /** The view of the workflow. By default, the builder. */
  view?: 'table' | 'builder';
};

type RunsQuery = {
  workflow?: string;
  version?: number | string;
  status?: string;
  sla?: string;
  from?: string;
  to?: string;
  /** `utc` if the days are in UTC, like the weeks of insights. */
  days?: 'utc';
  /** An insights figure whose runs are listed, for example `late:check`. */
  figure?: string;
};

type InsightsQuery = {
  workflow?: string;
  version?: number | string;
  /** The length of the period in weeks. */
  weeks?: number | string;
  view?: 'figures' | 'deviations' | 'reviews';
  /** Only deviations of this kind, or at this step. */
  kind?: string;
  step?: string;
  /** Only reviews that were decided in this week: its Monday, as `YYYY-MM-DD`. */
  week?: string;
};

/** The addresses of the app (specification, section 2). */
export const paths = {
  home: '/',
  /** The priority application, optionally with a prefilled email address. */
  priorityApply: (email = '') => requestUrl('/priority-apply', {}, { email }),
  login: '/login',
  signup: '/signup',
  resetPassword: '/reset-password',
  invite: (token: string) => requestUrl('/invite/{token}', { token }),
  app: '/app',
  editor: (query: EditorQuery = {}) => requestUrl('/app/editor', {}, query),
  /** A draft's or merged version's review, by id or number. */
  review: (draft: { key: string; id: string }) => requestUrl('/app/review', {}, draft),
  /** The page where people update a draft to the current live version. `from`: where to return afterwards. */
  rebase: (draft: { key: string; id: string; from?: 'review' }) => requestUrl('/app/rebase', {}, draft),
  workflows: (query: WorkflowsQuery = {}) => requestUrl('/app/workflows', {}, query),
  runs: '/app/runs',
  runsOf: (workflow: string) => requestUrl('/app/runs', {}, { workflow }),
  /** Runs that match filters of the list. Days have the format `YYYY-MM-DD`. */
  runsWhere: (query: RunsQuery) => requestUrl('/app/runs', {}, query),
  /** Figures about runs: of a workflow or, without one, of the organization. */
  insights: (query: InsightsQuery = {}) => requestUrl('/app/runs/insights', {}, query),
  /** Starts a run of the workflow and opens its execution screen. */
  startRun: (workflowKey: string) => requestUrl('/app/workflows/run/{workflowKey}', { workflowKey }),
  runExecution: (workflowKey: string, runId: string) =>
    requestUrl('/app/workflows/run/{workflowKey}/{runId}', { workflowKey, runId }),
  run: (runId: string) => requestUrl('/app/runs/{runId}', { runId }),
  /** The documentation list; `key` selects a workflow. */
  documentation: (query: DocumentationQuery = {}) => requestUrl('/app/docs', {}, query),
  /**
   * A workflow as a document; `version` is a number or id, by default the live version. `asOf` is a date or an instant:
   * the version in force then.
   */
  document: (key: string, { version, asOf, step }: { version?: string | number; asOf?: string; step?: number } = {}) =>
    requestUrl('/app/docs/{key}', { key }, { version, asOf }) + (step === undefined ? '' : `#step-${step}`),
  /** A workflow's versions. */
  versions: (key: string) => requestUrl('/app/docs/{key}/versions', { key }),
  /** A workflow's settings that aren't part of its versions. */
  workflowSettings: (key: string) => requestUrl('/app/docs/{key}/settings', { key }),
  /** Compares two versions or drafts of a workflow: a version by its number or id, a draft by its id. */
  compare: (query: CompareQuery) => requestUrl('/app/compare', {}, query),
  legacyWorkflows: '/app/legacy-workflows',
  tasks: '/app/tasks',
  notifications: '/app/notifications',
  audit: '/app/audit',
  /** The audit trail of one run, or of one workflow with its versions and runs. */
  auditOf: (what: { run: string } | { workflow: string }) => requestUrl('/app/audit', {}, what),
  integrations: '/app/integrations',
  profile: '/app/settings/profile',
  away: '/app/settings/away',
  notificationSettings: '/app/settings/notifications',
  organization: '/app/settings/organization',
  members: '/app/settings/members',
  invitingReviewers: '/app/settings/members?invite=reviewer',
  groups: '/app/settings/groups',
  confirmations: '/app/settings/confirmations',
  apiTokens: '/app/settings/tokens',
  webhooks: '/app/settings/webhooks',
  installation: '/app/settings/installation',
} as const;

/**
 * The address to open after signing in. Only addresses inside the app and invitations are allowed; anything else is
 * replaced by the app's start page.
 */
export function safeReturnPath(candidate: unknown): string {
  if (typeof candidate !== 'string') return paths.app;
  return /^\/(?:app(?:[/?#]|$)|invite\/)/.test(candidate) ? candidate : paths.app;
}
