import type { Chance } from '../governance/random.ts';
import type { Client, Reply, TestServer } from '../server.ts';
import type { PooledAccount } from './accounts.ts';
import type { Owned } from './humans.ts';
import type { MailRoom } from './mail-room.ts';
import type { Granted, PeopleOracle, Role } from './oracle.ts';

/** Thrown if a rule is broken. */
export class Violation extends Error {}

/** The reason why a sequence ended early: the broken rule, or an error with its cause. */
export function reasonOf(error: unknown): string {
  if (error instanceof Violation) return error.message;
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `not finished: ${String(error)}${cause}`;
}

/** A player's account. */
export type Seat = Owned & {
  client: Client;
  pooled: PooledAccount;
  /** True for the one account of this human that honest managers know and would confirm. */
  isFace: boolean;
};
/** The caller: a person in a browser, or one of their tokens. */
export type Hand = { seat: Seat; client: Client; token?: 'personal' | 'organization'; tokenId?: string };
export type Invitation = {
  email: string;
  role: Role;
  by: Seat;
  token: string;
  /** True if the inviter passes on the link that they saw. */
  isShared: boolean;
  day: number;
};
export type DraftAt = { key: string; id: string; revision: number };
export type VersionAt = { id: string; key: string; version: number; content: Content };
export type Content = { title: string; hasControl: boolean };

export type Answer = Reply<Record<string, unknown>>;

/** One organization in one sequence: the players, their work, and the oracle. */
export class Board {
  orgId = '';
  groupId = '';
  readonly invitations: Invitation[] = [];
  readonly drafts: DraftAt[] = [];
  readonly versions: VersionAt[] = [];
  readonly contents = new Map<string, Content>();
  readonly tokens: Hand[] = [];
  /** The account that first made each proposal for a weaker escalation. The product may show a different proposer. */
  readonly proposers = new Map<string, string>();
  /** Accounts whose address was later used to sign up a new account. */
  readonly left: PooledAccount[] = [];
  /** Every call and its response, in words. */
  readonly calls: string[] = [];
  /** The number of all calls. */
  readonly totals = { tried: 0, granted: 0 };
  /** Counts of all calls, by move, and of the calls that the oracle judged, by kind. */
  readonly counts: Record<string, { tried: number; granted: number }> = {};
  /** The number of versions that went live, by their marks. */
  readonly live: Record<string, number> = {};
  /** The number of days that have passed in the play. */
  day = 0;
  /** The name of the current move. */
  move = '';

  constructor(
    readonly server: TestServer,
    readonly mail: MailRoom,
    readonly seats: readonly Seat[],
    readonly oracle: PeopleOracle,
    readonly chance: Chance,
  ) {}

  get honest(): Seat[] {
    return this.seats.filter(({ human }) => human.isHonest);
  }
  get attackers(): Seat[] {
    return this.seats.filter(({ human }) => !human.isHonest);
  }
  with(seats: readonly Seat[], roles: readonly Role[]): Seat[] {
    return seats.filter(({ id }) => roles.includes(this.oracle.roleOf(id) ?? ('' as Role)));
  }
  /** The members whose account isn't disabled. */
  get able(): Seat[] {
    return this.seats.filter(({ id }) => this.oracle.canAct(id));
  }
  get organization(): string {
    return `/api/organizations/${this.orgId}`;
  }

  /**
   * Calls the server as someone. If their session was ended but their account is enabled, reopens their sessions in the
   * database and calls again.
   */
  async call(
    hand: Hand | Seat,
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Answer> {
    const { seat, client, token } = 'seat' in hand ? hand : { seat: hand, client: hand.client, token: undefined };
    const send = (): Promise<Answer> => client.call<Record<string, unknown>>(method, path, body, headers);
    let reply = await send();
    if (reply.status === 401 && token === undefined && !this.oracle.isDisabled(seat.id)) {
      await this.server.sql('update sessions set ended_at = null where user_id = $1', [seat.id]);
      reply = await send();
    }
    const count = (this.counts[this.move] ??= { tried: 0, granted: 0 });
    for (const each of [count, this.totals]) {
      each.tried += 1;
      if (reply.status < 400) each.granted += 1;
    }
    const code = typeof reply.body?.['code'] === 'string' ? ` ${reply.body['code']}` : '';
    this.calls.push(
      `  ${this.move}: ${seat.email}${token ? ` by ${token} token` : ''} ${method} ${this.inWords(path)}${body ? ` ${this.inEmails(JSON.stringify(body)).slice(0, 200)}` : ''}: ${reply.status}${code}`,
    );
    if (reply.status >= 500) throw new Violation(`${method} ${path} answered ${reply.status}`);
    return reply;
  }

  /** The path with people's addresses instead of their ids. */
  private inWords(path: string): string {
    const named = this.orgId === '' ? path : path.replace(this.orgId, '{org}');
    return this.inEmails(named);
  }

  private inEmails(text: string): string {
    return this.seats.reduce((sentence, { id, email }) => sentence.replaceAll(id, `{${email}}`), text);
  }

  /** Passes a granted call to the oracle. */
  judge(granted: Granted): void {
    const count = (this.counts[granted.kind] ??= { tried: 0, granted: 0 });
    count.tried += 1;
    count.granted += 1;
    const broken = this.oracle.record(granted);
    if (broken.length > 0) throw new Violation(broken.join('\n'));
  }
}
