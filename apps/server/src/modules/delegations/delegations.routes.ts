import { MAX_LISTED_DELEGATIONS } from '@stet/contract';
import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { listDelegationsOf } from './delegations.sql.ts';
import { addDelegation, presentDelegation, removeDelegation } from './save-delegation.ts';

export const delegationHandlers = {
  'GET /api/delegations': async ({ db }, { actor }) => {
    const { orgId, userId } = actor;
    const rows = await db.transaction(actor, (tx) =>
      tx.many(listDelegationsOf, { orgId, userId, limit: MAX_LISTED_DELEGATIONS }),
    );
    return answer(rows.map(presentDelegation));
  },
  'POST /api/delegations': addDelegation,
  'DELETE /api/delegations/{id}': removeDelegation,
} satisfies Partial<Handlers>;
