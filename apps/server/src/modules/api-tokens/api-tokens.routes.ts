import type { Handlers } from '../../http/handler.ts';
import { selected } from '../../http/selected.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { presentToken } from './api-token.presenter.ts';
import { listTokensOfOrganization, listTokensOfPerson, revokeToken } from './api-tokens.sql.ts';
import { MAX_TOKENS, createOrganizationToken, createPersonalToken } from './create-token.ts';

/** The maximum length of an organization's list, which has no pages. */
const MAX_LISTED = 1000;

export const apiTokenHandlers = {
  'GET /api/tokens': async ({ db }, { actor }) => {
    const { orgId, userId } = actor;
    const rows = await db.transaction(actor, (tx) => tx.many(listTokensOfPerson, { orgId, userId, limit: MAX_TOKENS }));
    return answer(rows.map(presentToken));
  },
  'POST /api/tokens': createPersonalToken,
  'DELETE /api/tokens/{id}': async (deps, { actor, params }) => revoke(deps, actor, params.id, actor.userId),
  'GET /api/organizations/{id}/tokens': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    const rows = await db.transaction(actor, (tx) => tx.many(listTokensOfOrganization, { orgId, limit: MAX_LISTED }));
    return answer(rows.map(presentToken));
  },
  'POST /api/organizations/{id}/tokens': createOrganizationToken,
  'DELETE /api/organizations/{id}/tokens/{tokenId}': async (deps, { actor, params }) => {
    selected(actor, params.id);
    return revoke(deps, actor, params.tokenId, null);
  },
} satisfies Partial<Handlers>;

/** Revokes a token immediately. If `userId` is given, only a personal token of that person can be revoked. */
async function revoke({ db }: Deps, actor: OrgActor, id: string, userId: string | null) {
  await db.transaction(actor, async (tx) => {
    const revoked = await tx.maybeOne(revokeToken, { orgId: actor.orgId, id, userId });
    if (!revoked) throw new Refused({ code: 'not_found', what: 'token' });
    appendAudit(tx, [{ ...auditActor(actor), action: 'token.revoked', subject: { type: 'token', id }, data: revoked }]);
  });
  return answer({ message: 'Token revoked' });
}
