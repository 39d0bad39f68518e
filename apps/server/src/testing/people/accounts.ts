import type { Client, TestServer } from '../server.ts';

export type PooledAccount = { id: string; client: Client };

export type Wanted = { email: string; name: string; provedBy: 'earlier' | 'provider' | null };

/**
 * Accounts that sequences reuse one after another, because signing up takes longer. When an account is reused, it has
 * a new address, the proof that the caller wants, and no memberships, and isn't disabled, as if its person had just
 * signed up.
 */
export class AccountPool {
  private readonly free: PooledAccount[] = [];

  constructor(private readonly server: TestServer) {}

  /** Accounts with new addresses, in the given order. `provedBy` is how each is proved, or null. */
  async take(wanted: readonly Wanted[]): Promise<PooledAccount[]> {
    const accounts: PooledAccount[] = [];
    for (const _ of wanted) accounts.push(this.free.pop() ?? (await this.signUp()));
    await this.server.sql(
      `update users u set email = w.email, name = w.name, proved_by = w.proved_by,
              proved_at = case when w.proved_by is not null then now() end, current_org_id = null, disabled_at = null
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as w (id, email, name, proved_by) where u.id = w.id`,
      [
        accounts.map(({ id }) => id),
        wanted.map(({ email }) => email),
        wanted.map(({ name }) => name),
        wanted.map(({ provedBy }) => provedBy),
      ],
    );
    return accounts;
  }

  /** Returns signed-in accounts to the pool. Their addresses can be used again when a sequence is replayed. */
  async release(accounts: readonly PooledAccount[]): Promise<void> {
    const remove = () =>
      this.server.sql(
        `with gone as (select unnest($1::uuid[]) as id),
            members as (delete from memberships where user_id in (select id from gone)),
            invited as (delete from invitations where invited_by in (select id from gone)),
            codes as (delete from address_codes where user_id in (select id from gone)),
            sessions as (update sessions set ended_at = null where user_id in (select id from gone) and ended_at is not null)
       update users set email = id || '@free.example' where id in (select id from gone)`,
        [accounts.map(({ id }) => id)],
      );
    // A job of the server that updates the same tasks may deadlock with this statement, so it is tried twice.
    await remove().catch(remove);
    this.free.push(...accounts);
  }

  private async signUp(): Promise<PooledAccount> {
    const person = await this.server.signUp();
    return { id: person.user.id, client: person };
  }
}
