/** An event of the audit trail, as `GET /api/audit/events` returns it. */
export type TrailEvent = {
  seq: number;
  /** ISO 8601. */
  at: string;
  actor: { id: string };
  action: string;
  subject: { id: string };
  data: Readonly<Record<string, unknown>> | null;
};

type Role = 'owner' | 'admin' | 'editor' | 'reviewer' | 'viewer';
type Word = {
  verdict: 'approved' | 'changes_requested';
  hash: string;
  dismissed: boolean;
  /** The person's request for changes that this approval ended. */
  request?: Word | undefined;
};
type Draft = {
  key: string;
  base: string | null;
  hash: string;
  submitted: boolean;
  contributors: Set<string>;
  /** The latest decision of each reviewer. */
  words: Map<string, Word>;
  merged: boolean;
};
type Live = { versionId: string; version: number; hash: string };

const REVIEWERS: readonly Role[] = ['owner', 'admin', 'reviewer'];
const MANAGERS: readonly Role[] = ['owner', 'admin'];
const WEEK = 7 * 24 * 3_600_000;

/**
 * A model of the rules for drafts and for the number of required approvals (`docs/second-person.md`) that shares no
 * code with the product. It follows one organization's audit trail and reports the events that these rules don't allow.
 * It must receive every event in order.
 */
export class GovernanceOracle {
  readonly members = new Map<string, Role>();
  required = 1;
  pending: { required: number; by: string } | null = null;
  /** When people stopped being owners or admins, in epoch milliseconds. */
  private readonly managedUntil = new Map<string, number>();
  private readonly drafts = new Map<string, Draft>();
  private readonly liveOf = new Map<string, Live>();
  private readonly merged = new Map<string, Live & { key: string }>();

  /** Returns a key's live version according to the events so far. Null if there is none. */
  live(key: string): Live | null {
    return this.liveOf.get(key) ?? null;
  }

  /** Processes an event; returns its violations. */
  receive(event: TrailEvent): string[] {
    const wrong: string[] = [];
    const must = (holds: boolean, what: string): void => {
      if (!holds) wrong.push(`no. ${event.seq}, ${event.action}: ${what}`);
    };
    const { actor, subject } = event;
    const data = event.data ?? {};
    switch (event.action) {
      case 'organization.created':
        this.members.set(actor.id, 'owner');
        break;
      case 'member.joined':
        this.members.set(subject.id, data['role'] as Role);
        break;
      case 'member.role_changed':
        this.cease(event, (data['after'] as { role: Role }).role);
        this.members.set(subject.id, (data['after'] as { role: Role }).role);
        break;
      case 'member.removed':
      case 'member.left':
        this.cease(event, null);
        this.members.delete(subject.id);
        break;
      case 'policy.change_proposed':
        must(this.holds(actor.id, MANAGERS), 'proposed by someone who is not an owner or admin');
        this.pending = { required: requiredIn(data['after']), by: actor.id };
        break;
      case 'policy.change_refused':
      case 'policy.change_withdrawn':
        must(this.pending !== null, 'nothing was proposed');
        this.pending = null;
        break;
      case 'policy.changed':
        this.changePolicy(event, must);
        break;
      case 'draft.created':
      case 'draft.imported':
        this.begin(event, must);
        break;
      case 'draft.saved':
      case 'draft.rebased':
        this.save(event, must);
        break;
      case 'draft.submitted':
        this.open(subject.id, must, (draft) => (draft.submitted = true));
        break;
      case 'draft.withdrawn':
        this.open(subject.id, must, (draft) => (draft.submitted = false));
        break;
      case 'draft.approved':
        this.open(subject.id, must, (draft) => this.approve(draft, actor.id, text(data, 'contentHash'), must));
        break;
      case 'draft.approval_withdrawn':
        this.open(subject.id, must, (draft) => this.withdrawApproval(draft, actor.id, must));
        break;
      case 'draft.changes_requested':
        this.open(subject.id, must, (draft) => {
          must(this.holds(actor.id, REVIEWERS), "requested by someone who can't review");
          draft.words.set(actor.id, { verdict: 'changes_requested', hash: draft.hash, dismissed: false });
          draft.submitted = false;
        });
        break;
      case 'draft.discarded':
        this.drafts.delete(subject.id);
        break;
      case 'draft.merged':
        this.open(subject.id, must, (draft) => this.merge(draft, event, must));
        break;
      case 'version.rolled_back':
        this.rollBack(event, must);
        break;
      default:
    }
    return wrong;
  }

  private holds(person: string, roles: readonly Role[]): boolean {
    const role = this.members.get(person);
    return role !== undefined && roles.includes(role);
  }

  private cease({ at, subject }: TrailEvent, to: Role | null): void {
    if (this.holds(subject.id, MANAGERS) && (to === null || !MANAGERS.includes(to)))
      this.managedUntil.set(subject.id, Date.parse(at));
  }

  private reviewers(): string[] {
    return [...this.members].flatMap(([id, role]) => (REVIEWERS.includes(role) ? [id] : []));
  }

  /**
   * Returns the people whose approval counts: reviewers who didn't contribute to the draft or, if there are none, all
   * reviewers.
   */
  private approversOf(draft: Draft): string[] {
    const others = this.reviewers().filter((id) => !draft.contributors.has(id));
    return others.length > 0 ? others : this.reviewers();
  }

  private open(id: string, must: Must, change: (draft: Draft) => unknown): void {
    const draft = this.drafts.get(id);
    if (draft === undefined) return must(false, 'on a draft that nobody created');
    must(!draft.merged, 'on a draft that was merged');
    change(draft);
  }

  private begin({ actor, subject, data }: TrailEvent, must: Must): void {
    const key = text(data, 'key');
    const base = (data?.['baseVersionId'] as string | null | undefined) ?? null;
    must(base === (this.live(key)?.versionId ?? null), 'based on something other than the live version');
    this.drafts.set(subject.id, {
      key,
      base,
      hash: text(data, 'contentHash'),
      submitted: false,
      contributors: new Set([actor.id]),
      words: new Map(),
      merged: false,
    });
  }

  private save({ action, actor, subject, data }: TrailEvent, must: Must): void {
    this.open(subject.id, must, (draft) => {
      const hash = text(data, 'contentHash');
      if (action === 'draft.rebased') {
        draft.base = text(data, 'ontoVersionId');
        must(draft.base === this.live(draft.key)?.versionId, 'onto something other than the live version');
      }
      if (hash === draft.hash) return;
      draft.hash = hash;
      draft.contributors.add(actor.id);
      for (const word of draft.words.values()) word.dismissed ||= word.verdict === 'approved';
    });
  }

  private approve(draft: Draft, person: string, hash: string, must: Must): void {
    must(this.holds(person, REVIEWERS), "by someone who can't review");
    must(hash === draft.hash, "of content that the draft doesn't have");
    must(this.approversOf(draft).includes(person), 'by a contributor although others could approve');
    const previous = draft.words.get(person);
    const isRepeated = previous?.verdict === 'approved';
    const request = !isRepeated ? previous : previous.dismissed ? undefined : previous.request;
    draft.words.set(person, { verdict: 'approved', hash, dismissed: false, request });
    draft.submitted = true;
  }

  /** If an approval is withdrawn, the request for changes that it had ended is open again. */
  private withdrawApproval(draft: Draft, person: string, must: Must): void {
    const word = draft.words.get(person);
    must(draft.submitted, 'of a draft that is not in review');
    must(word?.verdict === 'approved' && !word.dismissed, 'without an approval');
    if (word?.request) draft.words.set(person, word.request);
    else draft.words.delete(person);
  }

  private merge(draft: Draft, { actor, subject, data }: TrailEvent, must: Must): void {
    const live = this.live(draft.key);
    must(this.holds(actor.id, REVIEWERS), "by someone who can't merge");
    must(draft.base === (live?.versionId ?? null), 'its base was not live');
    must(text(data, 'contentHash') === draft.hash, "of content that the draft doesn't have");
    must(draft.submitted || this.required === 0, 'not submitted');
    const approvers = this.approversOf(draft);
    const words = [...draft.words].filter(([person]) => approvers.includes(person));
    must(
      words.every(([, { verdict }]) => verdict === 'approved'),
      'although changes were requested',
    );
    const approvals = words.filter(
      ([, { verdict, hash, dismissed }]) => verdict === 'approved' && !dismissed && hash === draft.hash,
    );
    must(approvals.length >= this.required, `only ${approvals.length} of ${this.required} required approvals count`);
    draft.merged = true;
    const version = { versionId: subject.id, version: Number(data?.['version']), hash: draft.hash };
    must(
      ![...this.merged.values()].some((each) => each.key === draft.key && each.version >= version.version),
      'under a used number',
    );
    this.merged.set(subject.id, { ...version, key: draft.key });
    this.liveOf.set(draft.key, version);
  }

  private rollBack({ actor, data }: TrailEvent, must: Must): void {
    const target = this.merged.get(text(data, 'toVersionId'));
    must(this.holds(actor.id, REVIEWERS), "by someone who can't roll back");
    if (target === undefined) return must(false, 'to a version that was never live');
    must(target.key === data?.['key'], 'to a version of another workflow');
    const { key, ...version } = target;
    this.liveOf.set(key, version);
  }

  private changePolicy({ at, actor: { id: person }, data }: TrailEvent, must: Must): void {
    const wanted = requiredIn(data?.['after']);
    must(this.holds(person, MANAGERS), 'by someone who is not an owner or admin');
    must(requiredIn(data?.['before']) === this.required, 'from a different number than the current one');
    if (wanted < this.required) {
      const others = [...this.members.keys()].filter((id) => id !== person && this.holds(id, MANAGERS));
      const isConfirmed = this.pending !== null && this.pending.by !== person && this.pending.required === wanted;
      must(
        isConfirmed || others.length === 0,
        'lowered by one person although another owner or admin could have confirmed',
      );
      const lately = [...this.managedUntil].some(([id, until]) => id !== person && Date.parse(at) - until < WEEK);
      must(isConfirmed || !lately, 'lowered by one person within a week of another owner or admin');
      if (isConfirmed) must(data?.['proposedBy'] === this.pending?.by, "confirmed without the proposer's name");
    }
    this.required = wanted;
    this.pending = null;
  }
}

type Must = (holds: boolean, what: string) => void;

const text = (data: TrailEvent['data'], name: string): string => {
  const value = data?.[name];
  return typeof value === 'string' ? value : '';
};
const requiredIn = (value: unknown): number => (value as { requiredApprovals: number }).requiredApprovals;
