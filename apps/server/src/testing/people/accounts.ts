import type { Client, TestServer } from '../server.ts';

export type PooledAccount = { id: string; client: Client };

/**
 * Accounts for one sequence after another. A password costs 40 ms of hashing, so an account is signed up once and then gets a new
 * address, no proof and no membership, as if it had just been signed up.
 */
export class AccountPool {
  private readonly free: PooledAccount[] = [];

  constructor(private readonly server: TestServer) {}

  /** An account under an address that is new to the server; `provedBy` is how it is proved from the start. */
  async take(email: string, name: string, provedBy: 'earlier' | 'provider' | null = null): Promise<PooledAccount> {
    const account = this.free.pop() ?? (await this.signUp());
    await this.server.sql(
      'update users set email = $2, name = $3, proved_by = $4, proved_at = case when $4::text is null then null else now() end, current_org_id = null where id = $1',
      [account.id, email, name, provedBy],
    );
    return account;
  }

  async release(accounts: readonly PooledAccount[]): Promise<void> {
    const ids = accounts.map(({ id }) => id);
    await this.server.sql('delete from memberships where user_id = any($1)', [ids]);
    await this.server.sql('delete from invitations where invited_by = any($1)', [ids]);
    await this.server.sql('delete from address_codes where user_id = any($1)', [ids]);
    await this.signInAgain(ids);
    // The address is free for a replay.
    await this.server.sql(`update users set email = id || '@free.example' where id = any($1)`, [ids]);
    this.free.push(...accounts);
  }

  /** Opens sessions that the server ended, without the cost of a password. */
  async signInAgain(ids: readonly string[]): Promise<void> {
    await this.server.sql('update sessions set ended_at = null where user_id = any($1) and ended_at is not null', [
      ids,
    ]);
  }

  private async signUp(): Promise<PooledAccount> {
    const person = await this.server.signUp();
    return { id: person.user.id, client: person };
  }
}
