import type { Handlers } from '../../http/handler.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { listCommonAssignees, listMembers } from './organizations.sql.ts';

/** Everything of a tenant is reached through the selected organization: another one is not there. */
function selected(actor: OrgActor, id: string): string {
  if (id !== actor.orgId) throw new Refused({ code: 'not_found', what: 'organization' });
  return id;
}

export const organizationHandlers = {
  'GET /api/organizations/{id}/users': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    return answer(await db.transaction({ orgId, userId: actor.userId }, (tx) => tx.many(listMembers, { orgId })));
  },
  'GET /api/organizations/{id}/common-assignees': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    return answer(await db.transaction({ orgId, userId: actor.userId }, (tx) => tx.many(listCommonAssignees, { orgId })));
  },
} satisfies Partial<Handlers>;
