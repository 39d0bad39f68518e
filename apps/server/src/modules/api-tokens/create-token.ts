import { randomBytes } from 'node:crypto';
import { type OrgRole, type Permission, type TokenRole, scopesFor, tokenPrefix } from '@stet/domain/access';
import type { Handler } from '../../http/handler.ts';
import { selected } from '../../http/selected.ts';
import { type OrgActor, type SessionActor, auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { hashOfToken } from '../../kernel/derive.ts';
import type { Deps } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { presentToken } from './api-token.presenter.ts';
import { countTokens, lockSession, insertToken } from './api-tokens.sql.ts';

/** Maximum number of unrevoked personal tokens per member, and of the organization's own tokens. */
export const MAX_TOKENS = 50;
const DAY_MS = 86_400_000;

type TokenRequest = { name: string; scopes: readonly Permission[]; expiresInDays: number | null };
type Holder = { kind: 'personal' } | { kind: 'organization'; role: TokenRole };

/** Creates a personal token for this organization. Its permissions can't exceed those of the person. */
export const createPersonalToken: Handler<'POST /api/tokens'> = async (deps, { actor, body }) =>
  create(deps, actor, { kind: 'personal' }, body);

/** Creates a token that belongs to the organization itself. The actor's account has to be proved (decision 0148). */
export const createOrganizationToken: Handler<'POST /api/organizations/{id}/tokens'> = async (
  deps,
  { actor, params, body },
) => {
  selected(actor, params.id);
  // Otherwise, someone who uses an unproved account would still have the secret after the account's owner has proved
  // it.
  if (actor.standing.provedBy === null)
    throw new Refused({ code: 'reviewer_not_counted_yet', missing: 'proof', from: null, who: [] });
  return create(deps, actor, { kind: 'organization', role: body.role }, body);
};

// The response isn't stored under an idempotency key, because it contains the secret. If the response is lost, the
// token has to be revoked.
async function create({ db }: Deps, actor: OrgActor & SessionActor, holder: Holder, request: TokenRequest) {
  const { orgId, userId, sessionId } = actor;
  const { kind } = holder;
  const role = holder.kind === 'organization' ? holder.role : null;
  const scopes = grantable(kind, role ?? actor.orgRole, request.scopes);
  const secret = `${tokenPrefix(kind)}${randomBytes(32).toString('base64url')}`;
  const id = newId();
  const { name, expiresInDays } = request;

  return db.transaction(actor, async (tx) => {
    const [session, found] = await Promise.all([
      // A session that is being ended to lock a person out must not create a token concurrently.
      tx.maybeOne(lockSession, { sessionId }),
      tx.maybeOne(countTokens, { orgId, userId: kind === 'personal' ? userId : null }),
    ]);
    if (!session) throw new Refused({ code: 'session_ended' });
    if (!found || found.count >= MAX_TOKENS) throw new Refused({ code: 'too_many_tokens', most: MAX_TOKENS });
    const createdAt = found.now;
    const expiresAt = expiresInDays === null ? null : new Date(createdAt.getTime() + expiresInDays * DAY_MS);
    const ending = secret.slice(-4);
    const hash = hashOfToken(secret);
    tx.write(insertToken, { orgId, id, kind, userId, name, role, scopes, hash, ending, createdAt, expiresAt });
    const data = { kind, name, role, scopes, expiresAt: expiresAt?.toISOString() ?? null };
    appendAudit(tx, [{ ...auditActor(actor), action: 'token.created', subject: { type: 'token', id }, data }]);
    const owner = { id: userId, name: actor.name, email: actor.email };
    const token = presentToken({
      id,
      kind,
      name,
      scopes,
      role,
      owner,
      ending,
      created_at: createdAt,
      expires_at: expiresAt,
      last_used_at: null,
    });
    return answer({ secret, token });
  });
}

/**
 * The scopes without duplicates, in the order of the table of permissions. Refuses a scope that a token of this kind
 * and role can't have.
 */
function grantable(kind: Holder['kind'], role: OrgRole, wanted: readonly Permission[]): Permission[] {
  const possible = scopesFor(kind, role);
  const refused = wanted.filter((scope) => !possible.includes(scope));
  if (refused.length > 0) {
    const problem = `A token with the role ${role} can’t have these scopes: ${refused.join(', ')}. Remove them.`;
    throw new Refused({ code: 'invalid', problems: [{ field: 'scopes', problem }] });
  }
  return possible.filter((scope) => wanted.includes(scope));
}
