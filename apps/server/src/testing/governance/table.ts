import type { Chance } from './random.ts';
import { GovernanceOracle, type TrailEvent } from './oracle.ts';
import type { Player, Reply } from './players.ts';

/** Thrown for a state, an event or a response that the rules don't allow. */
export class Violation extends Error {}

const ROLES = ['admin', 'editor', 'editor', 'reviewer', 'reviewer'] as const;

/** Number of events on a page. After each step, one page is usually enough. */
const PAGE = 15;

/** A team, an additional member who only observes it, and the oracle's state for the team. */
export class Table {
  readonly oracle = new GovernanceOracle();
  events = 0;
  private received = 0;
  /** The content sent for each content hash. */
  private readonly contents = new Map<string, string>();

  private constructor(
    readonly orgId: string,
    readonly players: readonly Player[],
    private readonly observer: Player,
  ) {}

  /** Founds a team. The last person is the observer. */
  static async found(people: readonly Player[], name: string): Promise<Table> {
    const players = people.slice(0, -1);
    const [founder] = players;
    const observer = people.at(-1);
    if (founder === undefined || observer === undefined) throw new RangeError('too few people');
    const founded = await founder.call('POST', '/api/organizations', { name, slug: name.toLowerCase() });
    const { currentOrgId } = unwrap(founded) as { currentOrgId: string };
    const table = new Table(currentOrgId, players, observer);
    await table.invite(founder, observer, 'editor');
    await table.receive(new Map());
    return table;
  }

  /** Invites all players who aren't members. Sometimes lowers the required approvals to 1, so that more drafts pass. */
  async refill(chance: Chance): Promise<void> {
    const owner = this.manager();
    for (const player of this.players) {
      if (!this.oracle.members.has(player.id)) await this.invite(owner, player, chance.pick(ROLES));
    }
    await this.receive(new Map());
    if (this.oracle.required > 1 && chance.in100(60)) {
      const path = `/api/organizations/${this.orgId}`;
      // Two managers are needed. With only one, the former managers of this play would cause a wait of one week.
      const [by, second] = [this.manager(), this.players.find((player) => player.id !== this.manager().id)];
      unwrap(await by.call('PATCH', `${path}/users/${second?.id}`, { role: 'owner' }));
      unwrap(await by.call('PATCH', path, { requiredApprovals: 1 }));
      for (const player of this.players) await player.call('POST', `${path}/policy-change/confirm`);
      await this.receive(new Map());
    }
  }

  /**
   * Reads the events recorded since the last call, and throws on a violation. `sent` contains the contents that were
   * sent, by draft and revision.
   */
  async receive(sent: ReadonlyMap<string, string>): Promise<void> {
    const events = await this.newEvents();
    const wrong: string[] = [];
    for (const event of events) {
      if (event.seq !== this.received + 1) wrong.push(`no. ${event.seq} follows no. ${this.received}`);
      this.received = event.seq;
      this.events += 1;
      wrong.push(...this.oracle.receive(event), ...this.remember(event, sent));
    }
    if (wrong.length > 0) throw new Violation(wrong.join('\n'));
  }

  /**
   * Throws if the product shows a different live version than the trail, or different content than the one that was
   * sent with its hash.
   */
  async compareLive(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const reply = await this.observer.call('GET', `/api/workflows/${key}`);
      const shown = reply.body as Shown;
      const expected = this.oracle.live(key);
      const live = shown.versions?.find(({ status }) => status === 'live') ?? null;
      const is = live && { versionId: live.id, version: live.version, hash: live.contentHash };
      if (JSON.stringify(is) !== JSON.stringify(expected)) {
        throw new Violation(`${key}: live is ${JSON.stringify(is)}, expected ${JSON.stringify(expected)}`);
      }
      const content = expected && this.contents.get(expected.hash);
      const { metadata, steps } = shown;
      if (content && canonical({ metadata, steps }) !== canonical(JSON.parse(content))) {
        throw new Violation(`${key}: the live content differs from the submitted content with the same hash`);
      }
    }
  }

  private async invite(by: Player, player: Player, role: string): Promise<void> {
    const path = `/api/organizations/${this.orgId}/invitations`;
    const { link } = unwrap(await by.call('POST', path, { email: player.email, role })) as { link: string };
    unwrap(await player.call('POST', `/api/invitations/${link.slice(link.lastIndexOf('/') + 1)}/join`));
  }

  private manager(): Player {
    const owner = this.players.find(({ id }) => this.oracle.members.get(id) === 'owner');
    // The oracle has no events yet while the team is being founded.
    const found = owner ?? this.players[0];
    if (found === undefined) throw new Violation('a team without an owner');
    return found;
  }

  private async newEvents(): Promise<TrailEvent[]> {
    const events: TrailEvent[] = [];
    let cursor = '';
    for (;;) {
      const reply = await this.observer.call('GET', `/api/audit/events?limit=${PAGE}${cursor}`);
      const page = unwrap(reply) as TrailEvent[];
      events.push(...page.filter(({ seq }) => seq > this.received));
      const oldest = page.at(-1)?.seq ?? 0;
      if (oldest <= this.received + 1) return events.toReversed();
      cursor = `&cursor=${oldest}`;
    }
  }

  private remember({ seq, action, subject, data }: TrailEvent, sent: ReadonlyMap<string, string>): string[] {
    if (action !== 'draft.created' && action !== 'draft.saved') return [];
    const hash = data?.['contentHash'];
    const content = sent.get(`${subject.id} ${Number(data?.['revision'] ?? 1)}`);
    if (typeof hash !== 'string' || content === undefined) return [];
    const known = this.contents.get(hash);
    this.contents.set(hash, content);
    return known !== undefined && known !== content ? [`no. ${seq}: one hash for two contents`] : [];
  }
}

type Shown = {
  metadata?: unknown;
  steps?: unknown;
  versions?: { id: string; status: string; version: number; contentHash: string }[];
};

function unwrap({ status, body }: Reply): unknown {
  if (status >= 400) throw new Violation(`refused: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Writes JSON with sorted names, because stored JSON may be returned in a different order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
