import type { Chance } from './chance.ts';
import { GovernanceOracle, type TrailEvent } from './oracle.ts';
import type { Player, Reply } from './players.ts';

/** A state or an event that governance doesn't allow, with what led there. */
export class Violation extends Error {}

const ROLES = ['admin', 'editor', 'editor', 'reviewer', 'reviewer'] as const;

/** A step of play leaves few events behind. */
const PAGE = 15;

/** A team, one more who reads its trail and takes no part, and what the oracle knows of it. */
export class Table {
  readonly oracle = new GovernanceOracle();
  events = 0;
  private heard = 0;
  /** What stands behind a content hash, as it was sent. */
  private readonly contents = new Map<string, string>();

  private constructor(
    readonly orgId: string,
    readonly players: readonly Player[],
    private readonly observer: Player,
  ) {}

  /** Founds a team; the last one of the people watches. */
  static async found(people: readonly Player[], name: string): Promise<Table> {
    const players = people.slice(0, -1);
    const [founder] = players;
    const observer = people.at(-1);
    if (founder === undefined || observer === undefined) throw new RangeError('too few people');
    const founded = await founder.call('POST', '/api/organizations', { name, slug: name.toLowerCase() });
    const { currentOrgId } = granted(founded) as { currentOrgId: string };
    const table = new Table(currentOrgId, players, observer);
    await table.invite(founder, observer, 'editor');
    await table.hear(new Map());
    return table;
  }

  /** Brings back who left, and now and then a policy under which something can go live. */
  async refill(chance: Chance): Promise<void> {
    const owner = this.manager();
    for (const player of this.players) {
      if (!this.oracle.members.has(player.id)) await this.invite(owner, player, chance.pick(ROLES));
    }
    await this.hear(new Map());
    if (this.oracle.required > 1 && chance.in100(60)) {
      const path = `/api/organizations/${this.orgId}`;
      // It takes two: someone who ceased to be an owner or admin in this play is no reason to wait a week.
      const [by, second] = [this.manager(), this.players.find((player) => player.id !== this.manager().id)];
      granted(await by.call('PATCH', `${path}/users/${second?.id}`, { role: 'owner' }));
      granted(await by.call('PATCH', path, { requiredApprovals: 1 }));
      for (const player of this.players) await player.call('POST', `${path}/policy-change/confirm`);
      await this.hear(new Map());
    }
  }

  /** Reads what was recorded since, and throws what is wrong with it. `sent` is by draft and revision. */
  async hear(sent: ReadonlyMap<string, string>): Promise<void> {
    const events = await this.newEvents();
    const wrong: string[] = [];
    for (const event of events) {
      if (event.seq !== this.heard + 1) wrong.push(`no. ${event.seq} follows no. ${this.heard}`);
      this.heard = event.seq;
      this.events += 1;
      wrong.push(...this.oracle.hear(event), ...this.remember(event, sent));
    }
    if (wrong.length > 0) throw new Violation(wrong.join('\n'));
  }

  /** Throws where what the product shows as live is not what the trail says went live. */
  async compareLive(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const reply = await this.observer.call('GET', `/api/workflows/${key}`);
      const shown = reply.body as Shown;
      const told = this.oracle.live(key);
      const live = shown.versions?.find(({ status }) => status === 'live') ?? null;
      const is = live && { versionId: live.id, version: live.version, hash: live.contentHash };
      if (JSON.stringify(is) !== JSON.stringify(told)) {
        throw new Violation(`${key}: live is ${JSON.stringify(is)}, told was ${JSON.stringify(told)}`);
      }
      const content = told && this.contents.get(told.hash);
      const { metadata, steps } = shown;
      if (content && canonical({ metadata, steps }) !== canonical(JSON.parse(content))) {
        throw new Violation(`${key}: live is not the content that was sent under its hash`);
      }
    }
  }

  private async invite(by: Player, player: Player, role: string): Promise<void> {
    const path = `/api/organizations/${this.orgId}/invitations`;
    const { link } = granted(await by.call('POST', path, { email: player.email, role })) as { link: string };
    granted(await player.call('POST', `/api/invitations/${link.slice(link.lastIndexOf('/') + 1)}/join`));
  }

  private manager(): Player {
    const owner = this.players.find(({ id }) => this.oracle.members.get(id) === 'owner');
    // Nothing is told yet while the team is founded.
    const found = owner ?? this.players[0];
    if (found === undefined) throw new Violation('a team without an owner');
    return found;
  }

  private async newEvents(): Promise<TrailEvent[]> {
    const events: TrailEvent[] = [];
    let cursor = '';
    for (;;) {
      const reply = await this.observer.call('GET', `/api/audit/events?limit=${PAGE}${cursor}`);
      const page = granted(reply) as TrailEvent[];
      events.push(...page.filter(({ seq }) => seq > this.heard));
      const oldest = page.at(-1)?.seq ?? 0;
      if (oldest <= this.heard + 1) return events.toReversed();
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

function granted({ status, body }: Reply): unknown {
  if (status >= 400) throw new Violation(`refused: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** JSON with sorted names: what is stored may come back in another order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
