import { sameJson } from '@stet/domain/workflows';
import type { RecordedEvent } from '../../kernel/recorded-event.ts';
import { selected } from '../../http/selected.ts';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { ALONE, findWaiting, propose, replaceWaiting } from '../confirmations/index.ts';
import { enqueueUpdateOfRequirements } from '../drafts/index.ts';
import { presentOrganization } from './organization.presenter.ts';
import {
  findOrganization,
  listSimulatedWorkflows,
  lockOrganization,
  renameOrganization,
  savePolicies,
} from './organizations.sql.ts';
import {
  OF_TEAMS,
  POLICIES,
  POLICY_NAMES,
  type Policies,
  assertStrictIsPossible,
  policiesOf,
  policyChanged,
  storedPolicies,
  withPolicies,
} from './policies.ts';

/** The policies that this handler changes. Review routes have a separate handler. */
const OF_SETTINGS = POLICY_NAMES.filter((name) => name !== 'reviewRoutes');

/**
 * Changes the name and policies. A stronger policy applies immediately. A weaker one needs a second manager
 * (docs/second-person.md). In an individual organization, the policies in `OF_TEAMS` can't be changed.
 */
export const changeOrganization: Handler<'PATCH /api/organizations/{id}'> = async ({ db }, { actor, params, body }) => {
  const orgId = selected(actor, params.id);
  return db.transaction(actor, async (tx) => {
    await tx.maybeOne(lockOrganization, { orgId });
    // The row is read after it is locked, because another change may have been committed while this transaction waited.
    const row = await tx.maybeOne(findOrganization, { orgId });
    if (!row) throw new Refused({ code: 'not_found', what: 'organization' });
    const records: RecordedEvent[] = [];
    let changed = row;
    if (body.name !== undefined && body.name !== row.name) {
      tx.write(renameOrganization, { orgId, name: body.name });
      const data = { before: { name: row.name }, after: { name: body.name } };
      const subject = { type: 'organization' as const, id: orgId };
      records.push({ ...auditActor(actor), action: 'organization.changed', subject, data });
      changed = { ...changed, name: body.name };
    }
    for (const name of OF_SETTINGS) {
      const wanted = body[name];
      if (wanted === undefined || wanted === policiesOf(changed)[name]) continue;
      if (row.type === 'individual' && OF_TEAMS.includes(name)) throw new Refused({ code: 'individual_organization' });
      const before = policiesOf(changed);
      const after = { ...before, [name]: wanted };
      const outcome = await changePolicy(tx, actor, { name, before, after }, records);
      if (outcome.is === 'holds') changed = withPolicies(changed, after);
      const proposer = { id: actor.userId, name: actor.name, email: actor.email };
      if (name === 'strict' && outcome.is !== 'repeated')
        changed = { ...changed, pending_strict: outcome.is === 'waits' ? { by: proposer, at: outcome.at } : null };
      if (name === 'requiredApprovals' && outcome.is !== 'repeated') {
        const { requiredApprovals } = after;
        changed = {
          ...changed,
          pending: outcome.is === 'waits' ? { requiredApprovals, by: proposer, at: outcome.at } : null,
        };
      }
    }
    if (records.length > 0) appendAudit(tx, records);
    if (changed.simulated_steps !== row.simulated_steps) {
      const simulated = changed.simulated_steps === 'refused' ? await tx.many(listSimulatedWorkflows, { orgId }) : [];
      changed = { ...changed, simulated_workflows: simulated };
    }
    return answer(presentOrganization(changed));
  });
};

/**
 * Applies or proposes one policy, and adds its event to `records`. Returns `repeated` if the actor's same proposal is
 * pending.
 */
export async function changePolicy<P extends keyof Policies>(
  tx: Tx,
  actor: OrgActor,
  { name, before, after }: { name: P; before: Policies; after: Policies },
  records: RecordedEvent[],
): Promise<{ is: 'holds' | 'repeated' } | { is: 'waits'; at: Date }> {
  const { orgId, userId } = actor;
  await assertStrictIsPossible(tx, actor, before, after);
  const { isWeaker, sentence } = POLICIES[name];
  const waiting = await tx.maybeOne(findWaiting, { orgId, kind: 'policy', subjectId: name });
  const payload = { [name]: after[name] };
  const isRepeated = waiting?.proposer.id === userId && sameJson(waiting.payload[name], after[name]);
  if (isWeaker(before[name], after[name])) {
    const proposal = {
      kind: 'policy',
      subjectId: name,
      payload,
      sentence: sentence(before[name], after[name]),
    } as const;
    const proposed = await propose(tx, actor, proposal, { isRepeated });
    if (proposed.outcome === 'repeated') return { is: 'repeated' };
    if (proposed.outcome === 'waits') {
      const data = { before: { [name]: before[name] }, after: payload };
      const subject = { type: 'organization' as const, id: orgId };
      const { context } = proposed.record;
      records.push({ ...auditActor(actor), action: 'policy.change_proposed', subject, data, context });
      return { is: 'waits', at: proposed.at };
    }
  } else tx.write(replaceWaiting, { orgId, kind: 'policy', subjectId: name });
  tx.write(savePolicies, { orgId, ...storedPolicies(after) });
  if (name === 'reviewRoutes') enqueueUpdateOfRequirements(tx, orgId);
  const about = {
    ...(isWeaker(before[name], after[name]) && { note: ALONE }),
    ...(waiting && { ended: { ...waiting.payload, by: waiting.proposer.id } }),
  };
  const alone = isWeaker(before[name], after[name]) ? sentence(before[name], after[name]) : undefined;
  records.push(policyChanged(actor, before, after, about, alone));
  return { is: 'holds' };
}
