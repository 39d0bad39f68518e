import type { User } from '@stet/contract';
import type { Actor } from '../../kernel/actor.ts';
import type { Deps } from '../../kernel/deps.ts';
import { findOrganizationsOf } from './accounts.sql.ts';
import { presentUser } from './user.presenter.ts';

/**
 * The user object of the API, with the organizations of the person that haven't ended. For an API token, it contains
 * only the token's organization.
 */
export async function describeUser({ db, config }: Pick<Deps, 'db' | 'config'>, actor: Actor): Promise<User> {
  return presentUser(config, actor, await organizationsOf(db, actor));
}

/**
 * The organizations of a person that haven't ended, in the order in which the person joined them. For an API token,
 * only its own.
 */
export async function organizationsOf(db: Deps['db'], actor: Actor): Promise<User['organizations']> {
  if (actor.token) return actor.organization ? [actor.organization] : [];
  const rows = await db.query(findOrganizationsOf, { userId: actor.userId });
  return rows.map(({ ends_at: endsAt, ...organization }) => ({
    ...organization,
    ...(endsAt !== null && { endsAt: endsAt.toISOString() }),
  }));
}
