import { login, logout } from './client/login.ts';
import type { ListedCommand } from './command.ts';
import { runsComplete } from './runs/complete-step.ts';
import { runsList, runsShow } from './runs/list-runs.ts';
import { runsStart } from './runs/start-run.ts';
import { workflowsDiff } from './workflows/diff.ts';
import { workflowsPull } from './workflows/pull.ts';
import { workflowsPush } from './workflows/push.ts';

/** Every command, in the order in which they are listed. */
export const COMMANDS: readonly ListedCommand[] = [
  login,
  logout,
  workflowsPull,
  workflowsDiff,
  workflowsPush,
  runsStart,
  runsList,
  runsShow,
  runsComplete,
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
