import { normalizedTags } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { lockTags, saveTags } from './workflows.sql.ts';

/** Replaces the tags of a workflow. They aren't part of a version, so this needs no review. */
export const changeTags: Handler<'PATCH /api/workflows/{key}'> = ({ db }, { actor, params: { key }, body }) =>
  db.transaction(actor, async (tx) => {
    const { orgId } = actor;
    const workflow = await tx.maybeOne(lockTags, { orgId, key });
    if (!workflow) throw new Refused({ code: 'not_found', what: 'workflow' });
    const { id, tags: before } = workflow;
    const after = normalizedTags(body.tags);
    if (before.join('\n') === after.join('\n')) return answer({ tags: after });
    tx.write(saveTags, { orgId, id, tags: after });
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
