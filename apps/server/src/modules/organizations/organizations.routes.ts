import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { heldSteps } from '../runs/index.ts';
import { changeMemberRole } from './change-member-role.ts';
import { changeOrganization } from './change-organization.ts';
import { presentOrganization } from './organization.presenter.ts';
import { findOrganization, listCommonAssignees, listMembers } from './organizations.sql.ts';
import { removeMember } from './remove-member.ts';
import { selected } from '../../http/selected.ts';

export const organizationHandlers = {
  'GET /api/organizations/{id}/users': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    return answer(await db.transaction(actor, (tx) => tx.many(listMembers, { orgId })));
  },
  'GET /api/organizations/{id}/common-assignees': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    return answer(await db.transaction(actor, (tx) => tx.many(listCommonAssignees, { orgId })));
  },
} satisfies Partial<Handlers>;

export const membershipHandlers = {
  'GET /api/organizations/{id}': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    const row = await db.transaction(actor, (tx) => tx.maybeOne(findOrganization, { orgId }));
    if (!row) throw new Refused({ code: 'not_found', what: 'organization' });
    return answer(presentOrganization(row));
  },
  'PATCH /api/organizations/{id}': changeOrganization,
  'PATCH /api/organizations/{id}/users/{userId}': changeMemberRole,
  'GET /api/organizations/{id}/users/{userId}/steps': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    return answer(await db.transaction(actor, (tx) => heldSteps(tx, orgId, params.userId)));
  },
  'DELETE /api/organizations/{id}/users/{userId}': removeMember,
} satisfies Partial<Handlers>;
