import type { OrganizationSettings } from '@stet/contract';
import type { AuditRecord } from '@stet/domain/audit';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { type OrganizationRow, lockOrganization, saveOrganization } from './organizations.sql.ts';
import { selected } from '../../http/selected.ts';

/** The organization with its policies, as its members see it. */
export const presentOrganization = ({
  id,
  name,
  type,
  slug,
  required_approvals,
  created_at,
}: OrganizationRow): OrganizationSettings => ({
  id,
  name,
  type,
  slug,
  requiredApprovals: required_approvals,
  createdAt: created_at.toISOString(),
});

/** Changes name and policies. In an individual organization there is nobody else who could approve, so that policy stays. */
export const changeOrganization: Handler<'PATCH /api/organizations/{id}'> = async ({ db }, { actor, params, body }) => {
  const orgId = selected(actor, params.id);
  return db.transaction({ orgId, userId: actor.userId }, async (tx) => {
    const before = await tx.maybeOne(lockOrganization, { orgId });
    if (!before) throw new Refused({ code: 'not_found', what: 'organization' });
    const after = {
      ...before,
      name: body.name ?? before.name,
      required_approvals: body.requiredApprovals ?? before.required_approvals,
    };
    const isPolicyChanged = after.required_approvals !== before.required_approvals;
    if (isPolicyChanged && before.type === 'individual') throw new Refused({ code: 'individual_organization' });

    const who = { ...by(actor), subject: { type: 'organization' as const, id: orgId } };
    const records: AuditRecord[] = [];
    if (after.name !== before.name) {
      records.push({
        ...who,
        action: 'organization.changed',
        data: { before: { name: before.name }, after: { name: after.name } },
      });
    }
    if (isPolicyChanged) {
      const [was, is] = [before, after].map(({ required_approvals }) => ({ requiredApprovals: required_approvals }));
      records.push({ ...who, action: 'policy.changed', data: { before: was, after: is } });
    }
    if (records.length > 0) {
      tx.write(saveOrganization, { orgId, name: after.name, requiredApprovals: after.required_approvals });
      appendAudit(tx, records);
    }
    return answer(presentOrganization(after));
  });
};
