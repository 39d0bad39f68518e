import { login, logout } from './client/login.ts';
import type { ListedCommand } from './command.ts';
import { runsComplete } from './runs/complete-step.ts';
import { runsList, runsShow } from './runs/list-runs.ts';
import { runsStart } from './runs/start-run.ts';

/** Every command, in the order in which they are listed. */
export const COMMANDS: readonly ListedCommand[] = [
  login,
  logout,
  {
    name: 'workflows pull',
    summary: 'Write workflows as YAML files into a folder',
    load: async () => (await import('./workflows/pull.ts')).workflowsPull,
  },
  {
    name: 'workflows diff',
    summary: 'Show what the files in a folder change, as their review would',
    load: async () => (await import('./workflows/diff.ts')).workflowsDiff,
  },
  {
    name: 'workflows push',
    summary: 'Make drafts of the YAML files in a folder',
    load: async () => (await import('./workflows/push.ts')).workflowsPush,
  },
  runsStart,
  runsList,
  runsShow,
  runsComplete,
  {
    name: 'doctor',
    summary: 'Look at an installation and say what is not right',
    load: async () => (await import('./installation/doctor.ts')).doctor,
  },
  {
    name: 'jobs retry',
    summary: 'Run again what the job queue has given up',
    load: async () => (await import('./installation/retry-jobs.ts')).jobsRetry,
  },
  {
    name: 'backup',
    summary: 'Write an installation into one file, while it runs or not',
    load: async () => (await import('./installation/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Make an installation of a backup',
    load: async () => (await import('./installation/restore.ts')).restore,
  },
  {
    name: 'move-database',
    summary: 'Move an installation from its embedded PostgreSQL to one of yours',
    load: async () => (await import('./installation/move-database.ts')).moveDatabase,
  },
  {
    name: 'audit verify',
    summary: 'Verify an exported audit trail, without a server or a database',
    load: async () => (await import('./audit-verify.ts')).auditVerify,
  },
  {
    name: 'waitlist export',
    summary: 'Write the waitlist, or the applications for the priority list, as CSV',
    load: async () => (await import('./waitlist-export.ts')).waitlistExport,
  },
];
