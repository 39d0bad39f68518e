import type { Step } from '@stet/domain/steps';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { findCountedWorkflow, findStepsOfVersion } from './cells.sql.ts';

/**
 * Reads a workflow with the steps of a version or, if `version` is null, of its live version (or its latest one, if
 * none is live). Refuses with `not_found` if the organization has no such workflow or version.
 */
export async function readWorkflow(
  tx: Tx,
  orgId: string,
  key: string,
  version: number | null,
): Promise<{ title: string; version: number | null; steps: Step[] }> {
  const [workflow, chosen] = await Promise.all([
    tx.maybeOne(findCountedWorkflow, { orgId, key }),
    version === null ? undefined : tx.maybeOne(findStepsOfVersion, { orgId, key, version }),
  ]);
  if (!workflow) throw new Refused({ code: 'not_found', what: 'workflow' });
  if (version !== null && !chosen) throw new Refused({ code: 'not_found', what: 'version' });
  return chosen
    ? { title: workflow.title, version, steps: chosen.steps }
    : { ...workflow, steps: workflow.steps ?? [] };
}
