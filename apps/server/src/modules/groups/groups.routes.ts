import { GROUP_LIMITS } from '@stet/domain/access';
import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { presentGroup } from './group-changed.ts';
import { listGroups } from './groups.sql.ts';
import { addGroup, changeGroup, removeGroup } from './save-group.ts';

export const groupHandlers = {
  'GET /api/groups': async ({ db }, { actor }) => {
    const { orgId } = actor;
    const rows = await db.transaction(actor, (tx) => tx.many(listGroups, { orgId, limit: GROUP_LIMITS.groups }));
    return answer(rows.map(presentGroup));
  },
  'POST /api/groups': addGroup,
  'PATCH /api/groups/{id}': changeGroup,
  'DELETE /api/groups/{id}': removeGroup,
} satisfies Partial<Handlers>;
