import type { Deps } from '../../../kernel/deps.ts';
import type { Mailer } from '../../../kernel/mail.ts';
import { reportStep } from '../report-step.ts';
import { findWork, stepJobPayload } from './active-step.ts';
import { decideCondition } from './decide-condition.ts';
import { runAutomated } from './run-automated.ts';
import { sendNotification } from './send-notification.ts';

/** Carries out a step that no person completes, where it still waits for that (rulings, section 6). */
export async function carryOutStep(deps: Deps, mailer: Mailer, payload: unknown): Promise<void> {
  const job = stepJobPayload.parse(payload);
  const work = await findWork(deps.db, job);
  if (!work) return;
  const { step } = work;
  const report = { orgId: job.orgId, runId: job.runId };
  switch (step.type) {
    case 'automated':
      return reportStep(deps, { ...report, command: await runAutomated(deps, { ...work, step }) });
    case 'condition':
      return reportStep(deps, { ...report, command: await decideCondition(deps, { ...work, step }) });
    case 'notification':
      return sendNotification(deps, mailer, { ...work, step });
    case 'manual':
    case 'approval':
      return;
  }
}
