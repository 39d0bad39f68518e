import type { AuditRecord } from '@stet/domain/audit';
import type { SimulatedStepsPolicy } from '@stet/domain/drafts';
import { sameJson } from '@stet/domain/workflows';
import { appendAudit } from '../../db/append-audit.ts';
import { selected } from '../../http/selected.ts';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { ALONE, findWaiting, propose, replaceWaiting } from '../confirmations/reads.ts';
import { presentOrganization } from './organization.presenter.ts';
import {
  type OrganizationRow,
  findOrganization,
  listSimulatedWorkflows,
  lockOrganization,
  renameOrganization,
  savePolicies,
  saveRunPolicies,
} from './organizations.sql.ts';
import { POLICIES, POLICY_NAMES, type Policies, assertStrictCanHold, policiesOf, policyChanged } from './policies.ts';

/**
 * Changes name and policies. A stronger policy holds at once; a weaker one waits for a second manager, or holds at once and
 * is marked if there is none (who may act, rule 4). A personal account has nobody else who could approve, so its policies stay.
 */
export const changeOrganization: Handler<'PATCH /api/organizations/{id}'> = async ({ db }, { actor, params, body }) => {
  const orgId = selected(actor, params.id);
  return db.transaction(actor, async (tx) => {
    await tx.maybeOne(lockOrganization, { orgId });
    // Behind the lock: what waited for it may have changed what is read.
    const row = await tx.maybeOne(findOrganization, { orgId });
    if (!row) throw new Refused({ code: 'not_found', what: 'organization' });
    const records: AuditRecord[] = [];
    let changed = row;
    if (body.name !== undefined && body.name !== row.name) {
      tx.write(renameOrganization, { orgId, name: body.name });
      const data = { before: { name: row.name }, after: { name: body.name } };
      const subject = { type: 'organization' as const, id: orgId };
      records.push({ ...by(actor), action: 'organization.changed', subject, data });
      changed = { ...changed, name: body.name };
    }
    for (const name of POLICY_NAMES) {
      const wanted = body[name];
      if (wanted === undefined || wanted === policiesOf(changed)[name]) continue;
      if (row.type === 'individual') throw new Refused({ code: 'individual_organization' });
      const before = policiesOf(changed);
      const after = { ...before, [name]: wanted };
      const outcome = await changePolicy(tx, actor, { name, before, after }, records);
      if (outcome.is === 'holds')
        changed = { ...changed, required_approvals: after.requiredApprovals, strict: after.strict };
      if (name === 'requiredApprovals' && outcome.is !== 'repeated') {
        const proposer = { id: actor.userId, name: actor.name, email: actor.email };
        const { requiredApprovals } = after;
        changed = {
          ...changed,
          pending: outcome.is === 'waits' ? { requiredApprovals, by: proposer, at: outcome.at } : null,
        };
      }
    }
    changed = changeRunPolicies(tx, actor, changed, body, records);
    if (records.length > 0) appendAudit(tx, records);
    if (changed.simulated_steps !== row.simulated_steps) {
      const simulated = changed.simulated_steps === 'refused' ? await tx.many(listSimulatedWorkflows, { orgId }) : [];
      changed = { ...changed, simulated_workflows: simulated };
    }
    return answer(presentOrganization(changed));
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
  const subject = { type: 'organization' as const, id: actor.orgId };
  records.push({ ...by(actor), action: 'policy.changed', subject, data: { before, after } });
  return { ...row, editors_may_help: editorsMayHelp, simulated_steps: simulatedSteps };
}

/** Makes one policy hold, or proposes it; `repeated` if the same already waits. */
async function changePolicy<P extends keyof Policies>(
  tx: Tx,
  actor: OrgActor,
  { name, before, after }: { name: P; before: Policies; after: Policies },
  records: AuditRecord[],
): Promise<{ is: 'holds' | 'repeated' } | { is: 'waits'; at: Date }> {
  const { orgId, userId } = actor;
  await assertStrictCanHold(tx, actor, before, after);
  const { isWeaker, sentence } = POLICIES[name];
  const waiting = await tx.maybeOne(findWaiting, { orgId, kind: 'policy', subjectId: name });
  const payload = { [name]: after[name] };
  const isRepeated = waiting?.proposer.id === userId && waiting.payload[name] === after[name];
  if (isRepeated) return { is: 'repeated' };
  if (isWeaker(before[name], after[name])) {
    const proposal = {
      kind: 'policy',
      subjectId: name,
      payload,
      sentence: sentence(before[name], after[name]),
    } as const;
    const proposed = await propose(tx, actor, proposal);
    if (proposed.outcome === 'waits') {
      const data = { before: { [name]: before[name] }, after: payload };
      const subject = { type: 'organization' as const, id: orgId };
      records.push({ ...by(actor), action: 'policy.change_proposed', subject, data });
      return { is: 'waits', at: proposed.at };
    }
  } else tx.write(replaceWaiting, { orgId, kind: 'policy', subjectId: name });
  tx.write(savePolicies, { orgId, ...after });
  const about = {
    ...(isWeaker(before[name], after[name]) && { note: ALONE }),
    ...(waiting && { ended: { ...waiting.payload, by: waiting.proposer.id } }),
  };
  records.push(policyChanged(actor, before, after, about));
  return { is: 'holds' };
}
