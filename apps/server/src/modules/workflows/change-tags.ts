import { normalizedTags } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { enqueueUpdateOfRequirements, findReviewPolicy, lockReviewPolicy } from '../drafts/index.ts';
import { lockTags, saveTags } from './workflows.sql.ts';

/**
 * Replaces the tags of a workflow. They aren't part of a version, so this needs no review. Tags that routes name can be
 * added, but not removed.
 */
export const changeTags: Handler<'PATCH /api/workflows/{key}'> = ({ db }, { actor, params: { key }, body }) =>
  db.transaction(actor, async (tx) => {
    const { orgId } = actor;
    const [workflow, , policy] = await Promise.all([
      tx.maybeOne(lockTags, { orgId, key }),
      tx.maybeOne(lockReviewPolicy, { orgId }),
      tx.maybeOne(findReviewPolicy, { orgId }),
    ]);
    if (!workflow || !policy) throw new Refused({ code: 'not_found', what: 'workflow' });
    const { id, tags: before } = workflow;
    const after = normalizedTags(body.tags);
    if (before.join('\n') === after.join('\n')) return answer({ tags: after });
    const routed = before.filter(
      (tag) => !after.includes(tag) && policy.review_routes.some((route) => route.tag === tag),
    );
    // Otherwise one manager alone could exempt a workflow from a route.
    if (routed.length > 0) throw new Refused({ code: 'tag_routed', tags: routed });
    tx.write(saveTags, { orgId, id, tags: after });
    if (policy.review_routes.length > 0) enqueueUpdateOfRequirements(tx, orgId);
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'workflow.tags_changed',
        subject: { type: 'workflow', id },
        data: { key, before: { tags: before }, after: { tags: after } },
      },
    ]);
    return answer({ tags: after });
  });
