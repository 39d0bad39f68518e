import type { RunFact } from '@stet/domain/runs';
import { assignedOrgRole, isolated, type Step } from '@stet/domain/workflows';
import { leaveNotices } from '../../db/notices.ts';
import type { Tx } from '../../kernel/database.ts';

type Crossed = {
  orgId: string;
  runId: string;
  runName: string;
  steps: readonly Step[];
  facts: readonly RunFact[];
  /** E-mails and roles that the workflow adds at a breach. */
  tell: readonly string[];
};

/**
 * Tells the assignee that a clock has turned at risk or was breached; of a breach owners, admins and whom the workflow names
 * are told as well.
 */
export function tellOfCrossings(tx: Tx, { orgId, runId, runName, steps, facts, tell }: Crossed): void {
  for (const fact of facts) {
    if (fact.type !== 'sla_at_risk' && fact.type !== 'sla_breached' && fact.type !== 'sla_reminded') continue;
    const step = steps.find(({ id }) => id === fact.stepId);
    const isBreach = fact.type !== 'sla_at_risk';
    const names = [...(step ? [step.assignee] : []), ...(isBreach ? ['owner', 'admin', ...tell] : [])];
    const emails = names.filter((name) => assignedOrgRole(name) === null);
    const roles = names.flatMap((name) => assignedOrgRole(name) ?? []);
    const subject = step?.title ?? runName;
    // A run without a step that is late concerns those who answer for runs; at risk it concerns nobody in person.
    if (!step && !isBreach) continue;
    const source = sourceOf(runId, fact);
    leaveNotices(tx, orgId, [
      {
        source,
        kind: isBreach ? 'sla_breached' : 'sla_at_risk',
        title: subject,
        body: sentence(fact, runName, step !== undefined),
        runId,
        stepId: fact.stepId,
        to: { emails, roles },
        about: { crossing: fact.type },
      },
    ]);
  }
}

function sentence(fact: RunFact, runName: string, isStep: boolean): string {
  const what = isStep ? `This step of “${isolated(runName)}”` : 'This run';
  if (fact.type === 'sla_at_risk') return `${what} has used four fifths of its SLA.`;
  if (fact.type === 'sla_reminded') return `${what} is still overdue.`;
  return `${what} is overdue.`;
}

function sourceOf(runId: string, fact: Extract<RunFact, { type: `sla_${string}` }>): string {
  const activation = 'activation' in fact ? fact.activation : 0;
  const again = fact.type === 'sla_reminded' ? `:${fact.reminders}` : '';
  return `${fact.type}:${runId}:${activation}:${fact.stepId ?? ''}${again}`;
}
