import { decidePolicyChange } from '@stet/domain/access';
import type { AuditRecord } from '@stet/domain/audit';
import type { SimulatedStepsPolicy } from '@stet/domain/drafts';
import { sameJson } from '@stet/domain/workflows';
import { appendAudit } from '../../db/append-audit.ts';
import { selected } from '../../http/selected.ts';
import type { Handler } from '../../http/handler.ts';
import { by, type OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { managedOrganization, withoutProposal } from './managed-organization.ts';
import { presentOrganization } from './organization.presenter.ts';
import {
  type OrganizationRow,
  listSimulatedWorkflows,
  proposeApprovals,
  renameOrganization,
  saveApprovals,
  saveRunPolicies,
} from './organizations.sql.ts';

/** Changes name and policies. In an individual organization there is nobody else who could approve, so that policy stays. */
export const changeOrganization: Handler<'PATCH /api/organizations/{id}'> = async ({ db }, { actor, params, body }) => {
  const orgId = selected(actor, params.id);
  return db.transaction(actor, async (tx) => {
    const managed = await managedOrganization(tx, orgId);
    const records: AuditRecord[] = [];
    let row = managed.row;
    if (body.name !== undefined && body.name !== row.name) {
      tx.write(renameOrganization, { orgId, name: body.name });
      const data = { before: { name: row.name }, after: { name: body.name } };
      records.push({ ...on(actor), action: 'organization.changed', data });
      row = { ...row, name: body.name };
    }
    if (body.requiredApprovals !== undefined && body.requiredApprovals !== row.required_approvals) {
      row = changePolicy(tx, actor, { ...managed, row }, body.requiredApprovals, records);
    }
    row = changeRunPolicies(tx, actor, row, body, records);
    if (records.length > 0) appendAudit(tx, records);
    if (row.simulated_steps !== managed.row.simulated_steps) {
      const simulated = row.simulated_steps === 'refused' ? await tx.many(listSimulatedWorkflows, { orgId }) : [];
      row = { ...row, simulated_workflows: simulated };
    }
    return answer(presentOrganization(row));
  });
};

/** What people may do in runs, and what may go live; answers the row as it is then. */
function changeRunPolicies(
  tx: Tx,
  actor: OrgActor,
  row: OrganizationRow,
  body: { editorsMayHelp?: boolean | undefined; simulatedSteps?: SimulatedStepsPolicy | undefined },
  records: AuditRecord[],
): OrganizationRow {
  const before = { editorsMayHelp: row.editors_may_help, simulatedSteps: row.simulated_steps };
  const { editorsMayHelp = before.editorsMayHelp, simulatedSteps = before.simulatedSteps } = body;
  const after = { editorsMayHelp, simulatedSteps };
  if (sameJson(before, after)) return row;
  tx.write(saveRunPolicies, { orgId: actor.orgId, ...after });
  records.push({ ...on(actor), action: 'policy.changed', data: { before, after } });
  return { ...row, editors_may_help: editorsMayHelp, simulated_steps: simulatedSteps };
}

const on = (actor: OrgActor) => ({ ...by(actor), subject: { type: 'organization' as const, id: actor.orgId } });

/** Another number of required approvals, at once or as a proposal; answers the row as it is then. */
function changePolicy(
  tx: Tx,
  actor: OrgActor,
  { row, managers, former, pending }: Awaited<ReturnType<typeof managedOrganization>>,
  wanted: number,
  records: AuditRecord[],
): OrganizationRow {
  if (row.type === 'individual') throw new Refused({ code: 'individual_organization' });
  const { orgId, userId } = actor;
  const now = row.required_approvals;
  const decision = granted(
    decidePolicyChange({ actorId: userId, managers, former, now, wanted, pending, at: row.now.getTime() }),
  );
  const change = { before: { requiredApprovals: now }, after: { requiredApprovals: wanted } };
  switch (decision.change) {
    case 'none':
      return row;
    case 'applied': {
      tx.write(saveApprovals, { orgId, requiredApprovals: wanted });
      const ended = pending && { ended: { requiredApprovals: pending.requiredApprovals, by: pending.proposedBy } };
      const data = { ...change, ...(decision.alone && { note: SOLE }), ...ended };
      records.push({ ...on(actor), action: 'policy.changed', data });
      return { ...withoutProposal(row), required_approvals: wanted };
    }
    case 'proposed': {
      const at = new Date();
      tx.write(proposeApprovals, { orgId, requiredApprovals: wanted, userId, at });
      records.push({ ...on(actor), action: 'policy.change_proposed', data: change });
      const proposer = { id: userId, name: actor.name, email: actor.email };
      return { ...row, pending_approvals: wanted, pending_proposed_at: at, proposer };
    }
  }
}

/** What the audit trail says of a lowering that nobody else could confirm. */
const SOLE = 'sole: no other owner or admin';
