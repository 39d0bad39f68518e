import { isolated } from '@stet/domain/workflows';
import { PERMISSIONS } from '@stet/domain/access';
import type { RunFact, RunWorkflow } from '@stet/domain/runs';
import { leaveNotices } from '../../db/notices.ts';
import type { Tx } from '../../kernel/database.ts';
import { tellOfTask } from './runs.sql.ts';

type Recorded = { orgId: string; runId: string; runName: string; workflow: RunWorkflow; facts: readonly RunFact[] };

/**
 * Tells of input that needs an approval: all who have it among their tasks, and of its return whoever had submitted it.
 * Within the application, once for each submission and each return. The tasks are saved before.
 */
export function tellOfSubmissions(tx: Tx, { orgId, runId, runName, workflow, facts }: Recorded): void {
  for (const fact of facts) {
    if (fact.type !== 'step_submitted' && fact.type !== 'step_returned') continue;
    const title = workflow.steps.find(({ id }) => id === fact.stepId)?.title ?? '';
    const source = `${fact.type}:${runId}:${fact.activation}:${fact.stepId}:${fact.at}`;
    if (fact.type === 'step_submitted') {
      const body = `${isolated(fact.by.name)} asks for your approval in “${isolated(runName)}”.`;
      tx.write(tellOfTask, {
        orgId,
        runId,
        stepId: fact.stepId,
        source,
        kind: 'input_submitted',
        title,
        body,
        roles: [...PERMISSIONS['step.act_any']],
        standInRoles: [...PERMISSIONS['step.stand_in']],
      });
    } else if (fact.submitterId !== undefined) {
      leaveNotices(tx, orgId, [
        {
          source,
          kind: 'input_returned',
          title,
          body: `${isolated(fact.by.name)} has returned your input in “${isolated(runName)}”: ${isolated(fact.comments)}`,
          runId,
          stepId: fact.stepId,
          to: { userIds: [fact.submitterId] },
        },
      ]);
    }
  }
}
