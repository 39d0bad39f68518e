import { decidePolicyConfirmation, decidePolicyRefusal } from '@stet/domain/access';
import { appendAudit } from '../../db/append-audit.ts';
import { selected } from '../../http/selected.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { granted } from '../../kernel/refused.ts';
import { managedOrganization, withoutProposal } from './managed-organization.ts';
import { presentOrganization } from './organization.presenter.ts';
import { endPolicyProposal, saveApprovals } from './organizations.sql.ts';

/** Makes a proposed number of required approvals hold; never by its proposer. Of two who confirm at once, one does. */
export const confirmPolicyChange: Handler<'POST /api/organizations/{id}/policy-change/confirm'> = async (
  { db },
  { actor, params, body, once },
) => {
  const orgId = selected(actor, params.id);
  return db.changeOnce(actor, once, async (tx) => {
    const { row, managers, pending } = await managedOrganization(tx, orgId);
    const shown = body?.requiredApprovals ?? null;
    const { requiredApprovals, proposedBy } = granted(
      decidePolicyConfirmation({ actorId: actor.userId, managers, pending, shown }),
    );
    tx.write(saveApprovals, { orgId, requiredApprovals });
    const data = {
      before: { requiredApprovals: row.required_approvals },
      after: { requiredApprovals },
      proposedBy,
      proposedAt: row.pending_proposed_at?.toISOString() ?? null,
    };
    appendAudit(tx, [{ ...by(actor), action: 'policy.changed', subject: { type: 'organization', id: orgId }, data }]);
    return answer(presentOrganization({ ...withoutProposal(row), required_approvals: requiredApprovals }));
  });
};

/** Ends a proposal: its proposer withdraws it, another owner or admin refuses it. */
export const endPolicyChange: Handler<'DELETE /api/organizations/{id}/policy-change'> = async (
  { db },
  { actor, params },
) => {
  const orgId = selected(actor, params.id);
  return db.transaction(actor, async (tx) => {
    const { row, managers, pending } = await managedOrganization(tx, orgId);
    const { end } = granted(decidePolicyRefusal({ actorId: actor.userId, managers, pending }));
    tx.write(endPolicyProposal, { orgId });
    const data = { requiredApprovals: row.pending_approvals, proposedBy: row.proposer?.id ?? null };
    const action = end === 'withdrawn' ? 'policy.change_withdrawn' : 'policy.change_refused';
    appendAudit(tx, [{ ...by(actor), action, subject: { type: 'organization', id: orgId }, data }]);
    return answer(presentOrganization(withoutProposal(row)));
  });
};
