import { auditVerify } from './audit-verify.ts';
import { login, logout } from './client/login.ts';
import type { Command } from './command.ts';
import { runsComplete } from './runs/complete-step.ts';
import { runsList, runsShow } from './runs/list-runs.ts';
import { runsStart } from './runs/start-run.ts';
import { waitlistExport } from './waitlist-export.ts';
import { workflowsDiff } from './workflows/diff.ts';
import { workflowsPull } from './workflows/pull.ts';
import { workflowsPush } from './workflows/push.ts';

/** Every command, in the order in which they are listed. */
export const COMMANDS: readonly Command[] = [
  login,
  logout,
  workflowsPull,
  workflowsDiff,
  workflowsPush,
  runsStart,
  runsList,
  runsShow,
  runsComplete,
  auditVerify,
  waitlistExport,
];
