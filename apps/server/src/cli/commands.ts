import { auditFiles } from './audit-files.ts';
import { login, logout } from './client/login.ts';
import type { ListedCommand } from './command.ts';
import { runsComplete } from './runs/complete-step.ts';
import { runsList, runsShow } from './runs/list-runs.ts';
import { runsStart } from './runs/start-run.ts';

/**
 * All commands, in the order of the help text. The first one whose words begin the arguments is run, so `admin jobs
 * retry` precedes `admin jobs`.
 */
export const COMMANDS: readonly ListedCommand[] = [
  login,
  logout,
  {
    name: 'workflows pull',
    summary: 'Write workflows as YAML files to a folder',
    load: async () => (await import('./workflows/pull.ts')).workflowsPull,
  },
  {
    name: 'workflows diff',
    summary: 'Show the changes in a folder’s files, as a review would',
    load: async () => (await import('./workflows/diff.ts')).workflowsDiff,
  },
  {
    name: 'workflows push',
    summary: 'Create or update drafts from the YAML files in a folder',
    load: async () => (await import('./workflows/push.ts')).workflowsPush,
  },
  runsStart,
  runsList,
  runsShow,
  runsComplete,
  {
    name: 'doctor',
    summary: 'Check an installation and report problems',
    load: async () => (await import('./installation/doctor.ts')).doctor,
  },
  {
    name: 'jobs retry',
    summary: 'Retry jobs that failed for good',
    load: async () => (await import('./installation/retry-jobs.ts')).jobsRetry,
  },
  {
    name: 'admin organizations',
    summary: 'List organizations with their size and last activity',
    load: async () => (await import('./admin/organizations.ts')).adminOrganizations,
  },
  {
    name: 'admin people',
    summary: 'List people with their last activity',
    load: async () => (await import('./admin/people.ts')).adminPeople,
  },
  {
    name: 'admin end-sessions',
    summary: 'Sign a person out on all devices',
    load: async () => (await import('./admin/end-sessions.ts')).adminEndSessions,
  },
  {
    name: 'admin reset-link',
    summary: 'Send or print a link for setting a new password',
    load: async () => (await import('./admin/reset-link.ts')).adminResetLink,
  },
  {
    name: 'admin change-email',
    summary: 'Change the email address of an account, after the new one is proved',
    load: async () => (await import('./admin/change-email.ts')).adminChangeEmail,
  },
  {
    name: 'admin release-address',
    summary: 'Let someone else use a former address of an account',
    load: async () => (await import('./admin/release-address.ts')).adminReleaseAddress,
  },
  {
    name: 'admin disable',
    summary: 'Disable an account',
    load: async () => (await import('./admin/disable.ts')).adminDisable,
  },
  {
    name: 'admin enable',
    summary: 'Enable a disabled account',
    load: async () => (await import('./admin/disable.ts')).adminEnable,
  },
  {
    name: 'admin allow-password',
    summary: 'Let a person sign in with a password although the identity provider is required',
    load: async () => (await import('./admin/allow-password.ts')).adminAllowPassword,
  },
  {
    name: 'admin new-owner',
    summary: 'Give an organization a new owner if no owner can sign in',
    load: async () => (await import('./admin/new-owner.ts')).adminNewOwner,
  },
  {
    name: 'admin end-organization',
    summary: 'Export an organization and delete its data after 30 days, or cancel this',
    load: async () => (await import('./admin/end-organization.ts')).adminEndOrganization,
  },
  {
    name: 'admin jobs retry',
    summary: 'Retry single jobs immediately, by id',
    load: async () => (await import('./admin/jobs.ts')).adminJobsRetry,
  },
  {
    name: 'admin jobs drop',
    summary: 'Delete jobs without executing them',
    load: async () => (await import('./admin/jobs.ts')).adminJobsDrop,
  },
  {
    name: 'admin jobs',
    summary: 'List waiting and failed jobs and emails, with the reasons for failures',
    load: async () => (await import('./admin/jobs.ts')).adminJobs,
  },
  {
    name: 'admin webhooks retry',
    summary: 'Send a webhook delivery again immediately',
    load: async () => (await import('./admin/webhooks.ts')).adminWebhooksRetry,
  },
  {
    name: 'admin webhooks drop',
    summary: 'Delete a webhook delivery without sending it',
    load: async () => (await import('./admin/webhooks.ts')).adminWebhooksDrop,
  },
  {
    name: 'admin sign-up',
    summary: 'Show or change who can sign up without an invitation',
    load: async () => (await import('./admin/sign-up.ts')).adminSignUp,
  },
  {
    name: 'admin webhooks',
    summary: 'List waiting and failed webhook deliveries, with the reasons for failures',
    load: async () => (await import('./admin/webhooks.ts')).adminWebhooks,
  },
  {
    name: 'insights rebuild',
    summary: 'Count the figures of all runs again from the audit trail',
    load: async () => (await import('./installation/rebuild-insights.ts')).insightsRebuild,
  },
  {
    name: 'backup',
    summary: 'Back up an installation to one file, whether or not it is running',
    load: async () => (await import('./installation/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Restore a backup into a new installation',
    load: async () => (await import('./installation/restore.ts')).restore,
  },
  {
    name: 'move-database',
    summary: 'Move an installation from its embedded PostgreSQL to your own',
    load: async () => (await import('./installation/move-database.ts')).moveDatabase,
  },
  {
    name: 'organization export',
    summary: 'Export one organization’s data to an archive that people can read without Stet',
    load: async () => (await import('./organization/export.ts')).organizationExport,
  },
  {
    name: 'organization verify',
    summary: 'Verify an organization’s archive, without a server or a database',
    load: async () => (await import('./organization/verify.ts')).organizationVerify,
  },
  {
    name: 'audit verify',
    summary: 'Verify an exported audit trail or a version’s certificate, without a server or a database',
    load: async () => (await import('./audit-verify.ts')).auditVerify,
  },
  auditFiles,
  {
    name: 'waitlist export',
    summary: 'Export the waitlist, or the applications for the priority list, as CSV',
    load: async () => (await import('./waitlist-export.ts')).waitlistExport,
  },
];
