import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { makeDeliveriesDue } from './deliveries.sql.ts';
import { secretOf } from './signature.ts';
import { presentWebhook } from './webhook.presenter.ts';
import {
  deleteWebhook,
  findWebhook,
  findWebhookPlace,
  insertCursor,
  insertWebhook,
  rotateWebhook,
  updateWebhook,
} from './webhooks.sql.ts';

/** Maximum number of webhooks per organization. */
export const MAX_WEBHOOKS = 20;

const NOT_THERE = { code: 'not_found', what: 'webhook' } as const;
const subject = (id: string) => ({ type: 'webhook' as const, id });
// The path of a URL may itself be a secret, so it isn't recorded in the trail.
const hostOf = (url: string): string => new URL(url).host;

/** Adds a webhook, which receives only events that are recorded afterwards. */
export const addWebhook: Handler<'POST /api/webhooks'> = async (deps, { actor, body }) => {
  const { orgId, userId } = actor;
  const { name, url } = body;
  const actions = [...new Set(body.actions)];
  await assertReachable(deps, url);
  const id = newId();
  const webhook = await deps.db.transaction(actor, async (tx) => {
    const place = await tx.maybeOne(findWebhookPlace, { orgId });
    if (!place || place.count >= MAX_WEBHOOKS) throw new Refused({ code: 'too_many_webhooks', most: MAX_WEBHOOKS });
    const { seq, now: createdAt } = place;
    tx.write(insertWebhook, { orgId, id, url, name, actions, afterSeq: seq, createdBy: userId, createdAt });
    tx.write(insertCursor, { orgId, seq });
    const data = { name, host: hostOf(url), actions };
    appendAudit(tx, [{ ...auditActor(actor), action: 'webhook.created', subject: subject(id), data }]);
    const fresh = { is_active: true, generation: 1, old_secret_until: null, waiting: 0, dead: 0, failures_in_row: 0 };
    return presentWebhook({ id, name, url, actions, created_at: createdAt, ...fresh });
  });
  return answer({ secret: secretOf(deps.derive, id, 1), webhook });
};

/** Changes a webhook, and ends its pause after failures. A new address makes its pending deliveries due. */
export const changeWebhook: Handler<'PATCH /api/webhooks/{id}'> = async (deps, { actor, params, body }) => {
  const { orgId } = actor;
  const { id } = params;
  if (body.url !== undefined) await assertReachable(deps, body.url);
  return deps.db.transaction(actor, async (tx) => {
    const row = await tx.maybeOne(findWebhook, { orgId, id });
    if (!row) throw new Refused(NOT_THERE);
    const after = {
      name: body.name ?? row.name,
      url: body.url ?? row.url,
      actions: body.actions ? [...new Set(body.actions)] : row.actions,
      isActive: body.isActive ?? row.is_active,
    };
    tx.write(updateWebhook, { orgId, id, ...after });
    if (after.url !== row.url) tx.write(makeDeliveriesDue, { orgId, webhookId: id });
    const { url, ...rest } = after;
    const data = { ...rest, host: hostOf(url), wasActive: row.is_active };
    appendAudit(tx, [{ ...auditActor(actor), action: 'webhook.changed', subject: subject(id), data }]);
    return answer(presentWebhook({ ...row, ...after, is_active: after.isActive, failures_in_row: 0 }));
  });
};

export const removeWebhook: Handler<'DELETE /api/webhooks/{id}'> = async ({ db }, { actor, params: { id } }) => {
  await db.transaction(actor, async (tx) => {
    const removed = await tx.maybeOne(deleteWebhook, { orgId: actor.orgId, id });
    if (!removed) throw new Refused(NOT_THERE);
    const data = { name: removed.name, host: hostOf(removed.url) };
    appendAudit(tx, [{ ...auditActor(actor), action: 'webhook.removed', subject: subject(id), data }]);
  });
  return answer({ message: 'Webhook removed' });
};

/**
 * Creates a new secret. For one day, deliveries are also signed with the previous secret, so that receivers can be
 * changed in the meantime.
 */
export const rotateSecret: Handler<'POST /api/webhooks/{id}/rotate'> = async (deps, { actor, params: { id } }) => {
  const { orgId } = actor;
  const { generation, row } = await deps.db.transaction(actor, async (tx) => {
    const rotated = await tx.maybeOne(rotateWebhook, { orgId, id });
    const found = await tx.maybeOne(findWebhook, { orgId, id });
    if (!rotated || !found) throw new Refused(NOT_THERE);
    const data = { name: found.name, generation: rotated.generation };
    appendAudit(tx, [{ ...auditActor(actor), action: 'webhook.secret_rotated', subject: subject(id), data }]);
    return { generation: rotated.generation, row: found };
  });
  return answer({ secret: secretOf(deps.derive, id, generation), webhook: presentWebhook(row) });
};

async function assertReachable({ webhookPost }: Deps, url: string): Promise<void> {
  const problem = await webhookPost.problemOf(url);
  if (problem) throw new Refused({ code: 'invalid', problems: [{ field: 'url', problem: `This address ${problem}` }] });
}
