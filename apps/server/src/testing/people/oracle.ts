import { type Escalation, type Hours, loosensEscalation, loosensHours } from './clocks.ts';
import { type Owned, deliveredTo, isOnePerson, mailboxOf } from './humans.ts';

export type Role = 'owner' | 'admin' | 'editor' | 'reviewer' | 'viewer';

/** An approval that the product shows with a live version. */
export type ShownApproval = { by: string; onBehalfOf?: string; marks: readonly string[] };
/** The information that the product shows with a live version. */
export type Shown = {
  /** The approvals that counted. */
  approvals: readonly ShownApproval[];
  withoutApproval: boolean;
  emergency: boolean;
};

/** The caller: an account, or a token with the account that created it. */
export type Caller = { account: string; token?: 'personal' | 'organization'; tokenId?: string };

/**
 * An event of the play: a call that the server granted, a refusal that the oracle checks, or days that passed. People
 * and drafts are given by their ids.
 */
export type Granted =
  | { kind: 'founded'; by: string }
  /** An invitation was sent, or sent again. */
  | { kind: 'invited'; by: string; email: string }
  | { kind: 'joined'; who: string; role: Role; invitedBy: string }
  | { kind: 'address proved'; who: string }
  | { kind: 'role given'; by: string; who: string; role: Role }
  | { kind: 'member gone'; who: string; by: string; takesTokensOver: boolean }
  | { kind: 'password reset'; who: string }
  /** The administrator of the server disabled the account, or enabled it again. */
  | { kind: 'account disabled'; who: string }
  | { kind: 'account enabled'; who: string }
  | { kind: 'token made'; by: string; id: string; of: 'personal' | 'organization' }
  | { kind: 'days passed'; days: number }
  | { kind: 'policy set'; by: string; policy: Partial<Policy>; alone: boolean; confirmedBy?: string }
  | { kind: 'member confirmed'; who: string; by: string; proposedBy: string }
  | { kind: 'draft made'; by: Caller; draft: string; key: string; content: string; hasControl: boolean }
  | { kind: 'draft saved'; by: Caller; draft: string; content: string; hasControl: boolean }
  | { kind: 'draft rebased'; by: Caller; draft: string; content: string; hasControl: boolean; rebased: boolean }
  | { kind: 'submitted'; draft: string }
  | { kind: 'approved'; by: Caller; onBehalfOf?: string | undefined; draft: string; ifMatch: boolean }
  | { kind: 'approval withdrawn'; by: Caller; onBehalfOf?: string | undefined; draft: string; ifMatch: boolean }
  | { kind: 'objected'; by: Caller; onBehalfOf?: string | undefined; draft: string }
  | { kind: 'objection set aside'; by: string; draft: string; objector: string }
  /** The server refused to set a request for changes aside because the objector could end it. */
  | { kind: 'set aside refused'; objector: string }
  | { kind: 'discarded'; by: Caller; draft: string; reason: boolean }
  | { kind: 'merged'; by: Caller; draft: string; version: number; shown: Shown }
  | { kind: 'rolled back'; by: Caller; key: string; version: number; emergency: boolean }
  | { kind: 'emergency ratified'; by: string; proposedBy: string; key: string; version: number }
  | { kind: 'working hours set'; by: string; hours: Hours; alone: boolean; confirmedBy?: string }
  | { kind: 'escalation set'; by: Caller; key: string; escalation: Escalation; alone: boolean; confirmedBy?: string }
  /** Changes to the members of the group that approval steps name. */
  | { kind: 'group changed'; by: string; added: string[]; removed: string[]; alone: boolean; confirmedBy?: string }
  /** `asksGroup` is true if the group has to approve drafts that lose a control. */
  | { kind: 'routes set'; by: string; asksGroup: boolean; alone: boolean; confirmedBy?: string }
  | { kind: 'reviewers named'; by: string; key: string; reviewers: string[]; alone: boolean; confirmedBy?: string }
  /** `from` and `until` are days of the play. */
  | {
      kind: 'delegated';
      by: Caller;
      id: string;
      to: string;
      reviews: boolean;
      key: string | null;
      from: number;
      until: number;
    }
  | { kind: 'delegation ended'; by: Caller; id: string }
  /** An approval that the server refused because it wouldn't count. */
  | { kind: 'approval refused'; by: Caller; onBehalfOf?: string | undefined; draft: string };

export type Policy = { requiredApprovals: number; strict: boolean };

const REVIEWERS: readonly Role[] = ['owner', 'admin', 'reviewer'];
const MANAGERS: readonly Role[] = ['owner', 'admin'];
const ROLES: readonly Role[] = ['owner', 'admin', 'editor', 'reviewer', 'viewer'];
const WEEK = 7;
/** Every manager can also review. */
const powerOf = (role: Role | null): number =>
  role === null ? 0 : Number(REVIEWERS.includes(role)) + Number(MANAGERS.includes(role));

/** A role that a person had for some time. Days are counted from the start of the play. */
type Holding = {
  who: string;
  role: Role;
  givenBy: string | null;
  /** The number of the granted call, which determines the order of events. */
  from: number;
  sinceDay: number;
  untilDay: number | null;
  /** True if the account was proved at any time while it had the role. */
  wasProved: boolean;
};
type Draft = {
  key: string;
  /** The version that was live when the draft was started or last rebased. */
  base: number | undefined;
  creator: string;
  content: string;
  hasControl: boolean;
  /** Counts the changes to the content and the base, because an approval applies to only one state. */
  state: number;
  firstSave: number;
  /** The accounts that wrote, and the accounts behind them while they weren't proved. */
  writers: Set<string>;
  behind: Set<string>;
  /** The approvals that weren't withdrawn. */
  approvals: Approval[];
  /** True if the group had to approve the draft when it was submitted or approved, and it wasn't changed since then. */
  asksGroup: boolean;
  isOpen: boolean;
};
type Approval = {
  by: string;
  /** The delegator, if a delegate gave the approval. */
  onBehalfOf: string | undefined;
  state: number;
  byToken: boolean;
  /** The requests for changes that the approval ended. */
  ended: Objection[];
  /** True once one of the people behind the approval has reviewed again. */
  isReplaced: boolean;
};
type Objection = { draft: string; content: string; by: string };
type Version = {
  content: string;
  approvals: readonly ShownApproval[];
  firstSave: number;
  isMarked: boolean;
  hasControl: boolean;
  emergency: 'waits' | 'ratified' | null;
  /** The number of the granted call that merged the version or, if later, of its last emergency. */
  since: number;
};
type Token = { of: 'personal' | 'organization'; owner: string; hasEnded: boolean };
/**
 * A person's membership in the group or among a workflow's reviewers: the people behind it, and the number of the
 * granted call.
 */
type Place = { by: readonly string[]; from: number };
type Places = Map<string, Place>;
type Delegation = {
  id: string;
  delegator: string;
  delegate: string;
  reviews: boolean;
  /** The key of the workflow. Null for all workflows. */
  key: string | null;
  from: number;
  until: number;
};
/**
 * The members of the group or the reviewers of a workflow. At least one of them has to approve a draft, even if it
 * already has enough approvals. If an author added them, their approval needs this mark.
 */
type Requirement = { name: string; places: Places; mark: string };

/**
 * Follows an organization through the calls that the server granted, and reports calls that break a promise about
 * people. It knows the humans behind the accounts. It is based on the promises in `docs/second-person.md`, and not on
 * the code.
 */
export class PeopleOracle {
  private calls = 0;
  private day = 0;
  private founder = '';
  private readonly byId: Map<string, Owned>;
  private readonly proved: Set<string>;
  /** The managers who confirmed each account, with the role that the account had. */
  private readonly confirmers = new Map<string, { by: string; role: Role | null }[]>();
  private readonly invitedBy = new Map<string, string>();
  /** The sender of the last invitation to each address, and whether it is revoked. */
  private readonly invitations = new Map<string, { by: string; isRevoked: boolean }>();
  /** Accounts that are disabled now. They count as if their person had left more than 7 days ago. */
  private readonly disabled = new Set<string>();
  private readonly holdings: Holding[] = [];
  /** Each time someone got a role that can review, with the giver and the people behind the giver. */
  private readonly gavePower: { by: string; to: string }[] = [];
  /** Each time someone got any role, with the giver and the people behind the giver. */
  private readonly added: { by: string; to: string }[] = [];
  private readonly drafts = new Map<string, Draft>();
  private objections: Objection[] = [];
  private readonly versions = new Map<string, Version>();
  private readonly live = new Map<string, number>();
  /**
   * The last reviewed version of each workflow: the one that was merged last through a review, or last went live in an
   * emergency that was ratified.
   */
  private readonly reviewed = new Map<string, Version>();
  private readonly tokens = new Map<string, Token>();
  /** Managers who took over tokens. Content that these tokens write counts as theirs too. */
  private readonly tookTokensOver = new Set<string>();
  private readonly escalations = new Map<string, Escalation>();
  private readonly group: Places = new Map();
  /** True if the group has to approve drafts that lose a control. */
  private asksGroup = false;
  /** The reviewers of each workflow. Their approval stays required if the last one leaves. */
  private readonly reviewers = new Map<string, Places>();
  private delegations: Delegation[] = [];
  hours: Hours = null;
  readonly policy: Policy = { requiredApprovals: 1, strict: false };

  /**
   * `proved` are accounts that were proved before the play starts, either by the identity provider or because they are
   * older.
   */
  constructor(people: readonly Owned[], proved: readonly string[] = []) {
    this.byId = new Map(people.map((each) => [each.id, each]));
    this.proved = new Set(proved);
  }

  /** Registers an account that was created during the play. */
  meet(owned: Owned): void {
    this.byId.set(owned.id, owned);
  }

  /** Records an event of the play. Returns the promises that it breaks. */
  record(call: Granted): string[] {
    this.calls += 1;
    const broken: string[] = [];
    const must: Must = (holds, what) => {
      if (!holds) broken.push(`${call.kind}: ${what}`);
    };
    if ('by' in call && typeof call.by === 'object') this.mustNotBeOver(call.by, must);
    this.mustNotBeDisabled(call, must);
    this.apply(call, must);
    return broken;
  }

  /** The state that the product must show for an emergency. Null for any other version. */
  emergencyOf(key: string, version: number): 'waits' | 'ratified' | null {
    return this.versions.get(`${key} ${version}`)?.emergency ?? null;
  }

  isLive(key: string, version: number): boolean {
    return this.live.get(key) === version;
  }

  isOpen(draft: string): boolean {
    return this.drafts.get(draft)?.isOpen === true;
  }

  escalationOf(key: string): Escalation {
    return this.escalations.get(key) ?? { tell: [], againAfterMinutes: null };
  }

  /** True if an account isn't proved and never had a role in the organization. */
  isStranger(who: string): boolean {
    return !this.proved.has(who) && !this.holdings.some((each) => each.who === who);
  }

  isDisabled(who: string): boolean {
    return this.disabled.has(who);
  }

  /** True if the person is a member and their account isn't disabled. */
  canAct(who: string): boolean {
    return this.roleOf(who) !== null && !this.disabled.has(who);
  }

  inviterOf(who: string): string | undefined {
    return this.invitedBy.get(who);
  }

  roleOf(who: string): Role | null {
    return this.holdings.find((each) => each.who === who && each.untilDay === null)?.role ?? null;
  }

  membersOfGroup(): string[] {
    return [...this.group.keys()];
  }

  /** The reviewers of a workflow. Null if it requires none. */
  reviewersOf(key: string): string[] | null {
    const places = this.reviewers.get(key);
    return places === undefined ? null : [...places.keys()];
  }

  isGroupAsked(): boolean {
    return this.asksGroup;
  }

  /** The delegations that nobody has ended, including planned and expired ones. */
  listDelegations(): readonly Delegation[] {
    return this.delegations;
  }

  /** The managers who confirmed an account when its role had at least as much power as the current one. */
  private confirmersOf(who: string): string[] {
    const power = powerOf(this.roleOf(who));
    return (this.confirmers.get(who) ?? []).filter(({ role }) => powerOf(role) >= power).map(({ by }) => by);
  }

  private isConfirmed(who: string): boolean {
    return this.confirmersOf(who).length > 0;
  }

  isProved(who: string): boolean {
    return this.proved.has(who) || this.isConfirmed(who) || this.founder === who;
  }

  private apply(call: Granted, must: Must): void {
    switch (call.kind) {
      case 'founded':
        this.founder = call.by;
        this.give(call.by, 'owner', null);
        break;
      case 'invited':
        this.canManage(call.by, must);
        this.invitations.set(call.email, { by: call.by, isRevoked: false });
        break;
      case 'joined':
        must(
          this.invitations.get(this.owned(call.who).email)?.isRevoked !== true,
          'with an invitation by someone who has left, no longer managed, or had a disabled account since',
        );
        this.invitedBy.set(call.who, call.invitedBy);
        this.give(call.who, call.role, call.invitedBy);
        break;
      case 'address proved':
        this.proved.add(call.who);
        this.noteProof(call.who);
        break;
      case 'role given':
        this.canManage(call.by, must);
        this.give(call.who, call.role, call.by);
        if (!MANAGERS.includes(call.role)) this.revokeInvitations(call.who);
        break;
      case 'member gone':
        if (call.by !== call.who) this.canManage(call.by, must);
        must(!call.takesTokensOver || call.by !== call.who, 'by someone who leaves and takes their own tokens over');
        this.end(call.who);
        this.endPlaces(call.who);
        this.revokeInvitations(call.who);
        if (call.takesTokensOver) this.tookTokensOver.add(call.by);
        this.endTokens(call.who, call.takesTokensOver ? call.by : null);
        break;
      case 'password reset':
        // The link was mailed, so the person who used it can read the mailbox. From now on, nobody else can use the
        // account.
        this.proved.add(call.who);
        this.noteProof(call.who);
        this.endPersonalTokens(call.who);
        break;
      case 'account disabled':
        this.disabled.add(call.who);
        this.endPersonalTokens(call.who);
        this.revokeInvitations(call.who);
        break;
      case 'account enabled':
        this.disabled.delete(call.who);
        break;
      case 'token made':
        if (call.of === 'organization') {
          this.canManage(call.by, must);
          must(this.isProved(call.by), "by an account that isn't proved, for the organization");
        }
        this.tokens.set(call.id, { of: call.of, owner: call.by, hasEnded: false });
        break;
      case 'working hours set':
        if (call.confirmedBy === undefined) this.canManage(call.by, must);
        this.mustBeConfirmed(call, loosensHours(this.hours, call.hours), must);
        this.hours = call.hours;
        break;
      case 'escalation set':
        if (call.confirmedBy === undefined && call.by.token !== 'organization') this.canMerge(call.by.account, must);
        this.mustBeConfirmed(
          { ...call, by: call.by.account },
          loosensEscalation(this.escalationOf(call.key), call.escalation),
          must,
          REVIEWERS,
        );
        this.escalations.set(call.key, call.escalation);
        break;
      case 'days passed':
        this.day += call.days;
        break;
      case 'policy set':
        this.setPolicy(call, must);
        break;
      case 'member confirmed':
        this.mustBeOthersMailbox(call.by, call.who, must);
        this.mustBeSecond(call.by, call.proposedBy, 'confirmed the proposal of', must);
        this.mustNotOweRole(call.by, call.proposedBy, must);
        this.confirmers.set(call.who, [
          ...(this.confirmers.get(call.who) ?? []),
          { by: call.by, role: this.roleOf(call.who) },
        ]);
        this.noteProof(call.who);
        break;
      case 'draft made':
        this.makeDraft(call);
        break;
      case 'draft saved':
      case 'draft rebased':
        this.save(call, must);
        break;
      case 'group changed':
        this.changeGroup(call, must);
        break;
      case 'routes set':
        if (call.confirmedBy === undefined) this.canManage(call.by, must);
        this.mustBeConfirmed(call, this.asksGroup && !call.asksGroup, must);
        this.asksGroup = call.asksGroup;
        break;
      case 'reviewers named':
        this.nameReviewers(call, must);
        break;
      case 'delegated':
        this.delegate(call, must);
        break;
      case 'delegation ended':
        must(
          call.by.token === undefined &&
            this.delegations.some(({ id, delegator }) => id === call.id && delegator === call.by.account),
          'by someone other than the delegator, or with a token',
        );
        this.delegations = this.delegations.filter(({ id }) => id !== call.id);
        break;
      case 'submitted': {
        const draft = this.open(call.draft, must);
        if (draft && this.mustAskGroup(draft)) draft.asksGroup = true;
        break;
      }
      case 'approved':
        this.approve(call, must);
        break;
      case 'approval refused':
        must(!this.mustCount(call), 'although they had no part in the draft and no author gave them their role');
        break;
      case 'approval withdrawn':
        this.withdrawApproval(call, must);
        break;
      case 'objected':
        this.object(call, must);
        break;
      case 'objection set aside':
        this.setAside(call, must);
        break;
      case 'set aside refused':
        must(!this.isAbandoned(call.objector), 'although the objector can no longer review');
        break;
      case 'discarded':
        this.discard(call, must);
        break;
      case 'merged':
        this.merge(call, must);
        break;
      case 'rolled back':
        this.rollBack(call, must);
        break;
      case 'emergency ratified': {
        this.canManage(call.by, must);
        this.mustBeSecond(call.by, call.proposedBy, 'ratified the emergency of', must);
        this.mustNotOweRole(call.by, call.proposedBy, must);
        const version = this.versions.get(`${call.key} ${call.version}`);
        if (version) {
          version.emergency = 'ratified';
          if (version.since > (this.reviewed.get(call.key)?.since ?? -1)) this.reviewed.set(call.key, version);
        }
        break;
      }
    }
  }

  // Roles and vouchers ----------------------------------------------------------------------------------------------

  private give(who: string, role: Role, givenBy: string | null): void {
    const before = this.roleOf(who);
    if (before === role) return;
    this.end(who);
    this.holdings.push({
      who,
      role,
      givenBy,
      from: this.calls,
      sinceDay: this.day,
      untilDay: null,
      wasProved: this.isProved(who),
    });
    if (givenBy === null) return;
    for (const by of [givenBy, ...this.behind(givenBy)]) {
      this.added.push({ by, to: who });
      if (REVIEWERS.includes(role)) this.gavePower.push({ by, to: who });
    }
  }

  private end(who: string): void {
    const holding = this.holdings.find((each) => each.who === who && each.untilDay === null);
    if (holding) holding.untilDay = this.day;
  }

  private endTokens(who: string, takenOverBy: string | null): void {
    for (const token of this.tokens.values()) {
      if (token.owner !== who) continue;
      if (token.of === 'organization' && takenOverBy !== null) token.owner = takenOverBy;
      else token.hasEnded = true;
    }
  }

  private endPersonalTokens(who: string): void {
    for (const token of this.tokens.values()) if (token.owner === who && token.of === 'personal') token.hasEnded = true;
  }

  /** Someone who can no longer manage must not return with an invitation that they sent before. */
  private revokeInvitations(sender: string): void {
    for (const invitation of this.invitations.values()) if (invitation.by === sender) invitation.isRevoked = true;
  }

  private mustNotBeOver({ tokenId }: Caller, must: Must): void {
    must(tokenId === undefined || this.tokens.get(tokenId)?.hasEnded === false, 'by a token that has ended');
  }

  /** A disabled account does nothing. Tokens of the organization that it created continue to work. */
  private mustNotBeDisabled(call: Granted, must: Must): void {
    const actorOf = (): string | undefined => {
      if ('confirmedBy' in call && call.confirmedBy !== undefined) return call.confirmedBy;
      if ('by' in call) {
        if (typeof call.by === 'string') return call.by;
        return call.by.token === 'organization' ? undefined : call.by.account;
      }
      return ['joined', 'address proved', 'password reset'].includes(call.kind) && 'who' in call ? call.who : undefined;
    };
    const actor = actorOf();
    must(actor === undefined || !this.disabled.has(actor), 'by a disabled account');
  }

  private noteProof(who: string): void {
    for (const holding of this.holdings) if (holding.who === who && holding.untilDay === null) holding.wasProved = true;
  }

  private owned(id: string): Owned {
    const found = this.byId.get(id);
    if (!found) throw new Error(`the oracle knows no account ${id}`);
    return found;
  }

  /** The inviters to whom the account's actions are also attributed while it isn't proved. */
  private behind(who: string): string[] {
    const found: string[] = [];
    for (let at = who; !this.isProved(at);) {
      const inviter = this.invitedBy.get(at);
      if (inviter === undefined || inviter === who || found.includes(inviter)) break;
      found.push(inviter);
      at = inviter;
    }
    return found;
  }

  private can(who: string, roles: readonly Role[]): boolean {
    const role = this.roleOf(who);
    return role !== null && roles.includes(role) && !this.disabled.has(who);
  }

  /**
   * The accounts that have one of these roles or had it in the last 7 days, and were proved at that time. Excludes
   * disabled accounts, those in `without`, and other accounts of the same human, unless they have different mailboxes.
   */
  private others(without: readonly string[], roles: readonly Role[]): Holding[] {
    return this.holdings.filter(
      (each) =>
        roles.includes(each.role) &&
        each.wasProved &&
        !this.disabled.has(each.who) &&
        (each.untilDay === null || this.day - each.untilDay < WEEK) &&
        !without.some((id) => id === each.who || isOnePerson(this.owned(id), this.owned(each.who))),
    );
  }

  /** An unproved account can manage, review and merge only if all proved managers are behind it. */
  private mustHaveStanding(who: string, must: Must): void {
    if (this.isProved(who)) return;
    const others = this.others([who, ...this.behind(who)], MANAGERS).filter(({ untilDay }) => untilDay === null);
    must(others.length === 0, 'by an account that is not proved, although there is another proved manager');
  }

  private canManage(who: string, must: Must): void {
    must(this.can(who, MANAGERS), "by someone who doesn't manage the organization");
    this.mustHaveStanding(who, must);
  }

  private canMerge(who: string, must: Must): void {
    must(this.can(who, REVIEWERS), "by someone who can't merge");
    this.mustHaveStanding(who, must);
  }

  /**
   * A manager's confirmation proves an account without a mailbox, even if the confirmation is false. The actions of
   * such an account are judged later. Nobody can confirm an account of their own mailbox.
   */
  private mustBeOthersMailbox(by: string, who: string, must: Must): void {
    const [own, other] = [mailboxOf(this.owned(by)), mailboxOf(this.owned(who))];
    must(by !== who && (own === null || own !== other), 'a manager confirmed an account of their own mailbox');
    must(this.can(by, MANAGERS) && this.isProved(by), 'confirmed by someone who is not a proved manager');
  }

  private mustBeSecond(second: string, first: string, what: string, must: Must): void {
    must(second !== first, `the same account ${what} itself`);
    must(!isOnePerson(this.owned(second), this.owned(first)), `one human ${what} an account of their own`);
    must(this.can(second, MANAGERS), "by someone who doesn't manage the organization");
    must(this.isProved(second), `someone who is not proved ${what} another`);
  }

  /**
   * A manager who got that role less than 7 days ago from the proposer, directly or through other new managers, can't
   * confirm. The same applies if the two are exchanged. All accounts of one mailbox are one person.
   */
  private mustNotOweRole(second: string, proposer: string, must: Must): void {
    must(
      !this.owesRole(second, proposer) && !this.owesRole(proposer, second),
      'by a manager who appointed the proposer, or was appointed by the proposer or by someone they appointed, less than 7 days ago',
    );
  }

  private owesRole(who: string, proposer: string, seen: readonly string[] = []): boolean {
    const isSame = (one: string, other: string): boolean =>
      one === other || (mailboxOf(this.owned(one)) !== null && isOnePerson(this.owned(one), this.owned(other)));
    return this.holdings.some(
      ({ who: holder, role, givenBy, sinceDay }) =>
        isSame(holder, who) &&
        MANAGERS.includes(role) &&
        givenBy !== null &&
        this.day - sinceDay < WEEK &&
        !this.wasManagerBefore(holder, sinceDay) &&
        (isSame(givenBy, proposer) || (!seen.includes(givenBy) && this.owesRole(givenBy, proposer, [...seen, who]))),
    );
  }

  /** True if this person was already a manager when they got a new role on this day. */
  private wasManagerBefore(who: string, day: number): boolean {
    return this.holdings.some(
      (each) => each.who === who && MANAGERS.includes(each.role) && each.untilDay === day && each.sinceDay < day,
    );
  }

  // Policy -----------------------------------------------------------------------------------------------------------

  private setPolicy(call: Extract<Granted, { kind: 'policy set' }>, must: Must): void {
    const { by, policy, alone, confirmedBy } = call;
    const isLowering =
      (policy.requiredApprovals ?? this.policy.requiredApprovals) < this.policy.requiredApprovals ||
      (this.policy.strict && policy.strict === false);
    if (confirmedBy === undefined) this.canManage(by, must);
    this.mustBeConfirmed({ by, alone, confirmedBy }, isLowering, must);
    Object.assign(this.policy, policy);
    must(!(this.policy.strict && this.policy.requiredApprovals === 0), 'strict without required approvals');
  }

  /**
   * Weakening a control requires two managers, or one who is marked as alone and was the only one for 7 days. The
   * person who proposed it must still have one of the roles in `proposers`, and not be disabled.
   */
  private mustBeConfirmed(
    { by, alone, confirmedBy }: { by: string; alone: boolean; confirmedBy?: string | undefined },
    isLooser: boolean,
    must: Must,
    proposers: readonly Role[] = MANAGERS,
  ): void {
    if (confirmedBy !== undefined) {
      must(this.can(by, proposers), 'proposed by someone who can no longer make the change');
      this.mustBeSecond(confirmedBy, by, 'confirmed the proposal of', must);
      this.mustNotOweRole(confirmedBy, by, must);
    } else if (isLooser) {
      must(alone, 'loosened by one person without the mark “alone”');
      must(
        this.others([by], MANAGERS).length === 0,
        'loosened by one person although another managed in the last 7 days',
      );
    }
  }

  // Drafts -----------------------------------------------------------------------------------------------------------

  private makeDraft({ by, draft, key, content, hasControl }: Extract<Granted, { kind: 'draft made' }>): void {
    this.drafts.set(draft, {
      key,
      base: this.live.get(key),
      creator: by.account,
      content,
      hasControl,
      state: 0,
      firstSave: this.calls,
      writers: new Set([by.account]),
      behind: new Set(this.behind(by.account)),
      approvals: [],
      asksGroup: false,
      isOpen: true,
    });
  }

  private open(id: string, must: Must): Draft | null {
    const draft = this.drafts.get(id);
    must(draft !== undefined && draft.isOpen, 'of a draft that is not open');
    return draft ?? null;
  }

  private save(call: Extract<Granted, { kind: 'draft saved' | 'draft rebased' }>, must: Must): void {
    const draft = this.open(call.draft, must);
    if (!draft) return;
    if (call.kind === 'draft saved' && call.content === draft.content) return;
    if (call.kind === 'draft rebased') {
      must(call.rebased || draft.base === this.live.get(draft.key), 'based on a version that is no longer live');
      if (!call.rebased) return;
      draft.base = this.live.get(draft.key);
    }
    // Decision 16: who edits a draft withdraws their own request for changes to it.
    if (call.kind === 'draft saved' && call.by.token !== 'organization')
      this.objections = this.objections.filter((each) => each.by !== call.by.account || each.draft !== call.draft);
    draft.hasControl = call.hasControl;
    draft.content = call.content;
    draft.state += 1;
    draft.asksGroup = false;
    draft.writers.add(call.by.account);
    for (const each of this.behind(call.by.account)) draft.behind.add(each);
  }

  private approve({ by, onBehalfOf, draft: id, ifMatch }: Extract<Granted, { kind: 'approved' }>, must: Must): void {
    const draft = this.open(id, must);
    if (!draft) return;
    must(by.token !== 'organization', 'by a token of the organization');
    must(by.token === undefined || ifMatch, 'by an API token without If-Match');
    must(by.token === undefined || !this.policy.strict, 'by an API token under strict review');
    this.canReview({ by: by.account, onBehalfOf }, draft, must);
    this.mustHaveStanding(onBehalfOf ?? by.account, must);
    if (onBehalfOf !== undefined) {
      this.mustBeNoContributor([by.account, onBehalfOf], draft, must);
      must(this.proved.has(by.account), 'by a delegate who has not proved their address');
    }
    // An approval for someone ends only that person's request for changes.
    const owner = onBehalfOf ?? by.account;
    const isEnded = (each: Objection): boolean =>
      each.by === owner && (each.draft === id || each.content === draft.content);
    const earlier = this.approvalBy(draft, by.account, onBehalfOf);
    const ended = [...(earlier?.state === draft.state ? earlier.ended : []), ...this.objections.filter(isEnded)];
    this.replaceReviews(draft, [by.account, owner]);
    draft.approvals.push({
      by: by.account,
      onBehalfOf,
      state: draft.state,
      byToken: by.token !== undefined,
      ended,
      isReplaced: false,
    });
    this.objections = this.objections.filter((each) => !isEnded(each));
    if (this.mustAskGroup(draft)) draft.asksGroup = true;
  }

  /** A review replaces the earlier reviews of everyone behind it. */
  private replaceReviews(draft: Draft, people: readonly string[]): void {
    for (const each of draft.approvals) if (peopleOf(each).some((id) => people.includes(id))) each.isReplaced = true;
  }

  private approvalBy(draft: Draft, by: string, onBehalfOf: string | undefined): Approval | undefined {
    return draft.approvals.findLast((each) => !each.isReplaced && each.by === by && each.onBehalfOf === onBehalfOf);
  }

  /** Checks that the reviewer can review, or acts for someone who can review and has delegated this to them. */
  private canReview(
    { by, onBehalfOf }: { by: string; onBehalfOf: string | undefined },
    draft: Draft,
    must: Must,
  ): void {
    must(this.can(onBehalfOf ?? by, REVIEWERS), "by or for someone who can't review");
    if (onBehalfOf === undefined) return;
    must(this.canAct(by), 'by a delegate who is no longer a member, or whose account is disabled');
    const isActive = this.delegations.some(
      ({ delegator, delegate, reviews, key, from, until }) =>
        delegator === onBehalfOf &&
        delegate === by &&
        reviews &&
        (key === null || key === draft.key) &&
        from <= this.day &&
        this.day < until,
    );
    must(isActive, `for someone who has not delegated reviews of ${draft.key} to them`);
  }

  /** Nobody can act for someone if either of them contributed, even if nobody else could review. */
  private mustBeNoContributor(people: readonly string[], draft: Draft, must: Must): void {
    for (const id of people)
      must(
        !draft.writers.has(id) && !draft.behind.has(id),
        `for someone, although ${this.owned(id).email} contributed to the draft`,
      );
    for (const id of people)
      for (const writer of draft.writers)
        must(
          !this.isOneMailbox(id, writer),
          `for someone, although ${this.owned(id).email} has the mailbox of a contributor`,
        );
  }

  /** True if both accounts are proved with the same mailbox, which the product knows. */
  private isOneMailbox(one: string, other: string): boolean {
    return (
      one === other ||
      (this.proved.has(one) &&
        this.proved.has(other) &&
        deliveredTo(this.owned(one).email) === deliveredTo(this.owned(other).email))
    );
  }

  private withdrawApproval(
    { by, onBehalfOf, draft: id, ifMatch }: Extract<Granted, { kind: 'approval withdrawn' }>,
    must: Must,
  ): void {
    const draft = this.open(id, must);
    if (!draft) return;
    must(by.token !== 'organization', 'by a token of the organization');
    must(by.token === undefined || ifMatch, 'by an API token without If-Match');
    this.canReview({ by: by.account, onBehalfOf }, draft, must);
    const isTheirs = (each: Approval): boolean =>
      onBehalfOf === undefined
        ? peopleOf(each).includes(by.account)
        : each.by === by.account && each.onBehalfOf === onBehalfOf;
    const theirs = draft.approvals.filter((each) => isTheirs(each) && each.state === draft.state);
    must(theirs.length > 0, 'without an approval of the current content');
    draft.approvals = draft.approvals.filter((each) => !theirs.includes(each));
    this.objections.push(...theirs.filter(({ isReplaced }) => !isReplaced).flatMap(({ ended }) => ended));
  }

  /**
   * True if the product must accept this approval: it is given without a token and not under strict review, and
   * everyone behind it is proved, has taken over no tokens, has written nothing with any account, isn't behind an
   * author, and didn't get their role from an author. They may review or, if they approve for someone, that person may.
   * Accounts of other people don't change this, regardless of their addresses or invitations.
   */
  private mustCount({ by, onBehalfOf, draft: id }: Extract<Granted, { kind: 'approval refused' }>): boolean {
    const draft = this.drafts.get(id);
    if (!draft?.isOpen || this.policy.strict || by.token !== undefined) return false;
    const owner = onBehalfOf ?? by.account;
    // An approval also ends a request for changes to the same content, which may have other authors.
    if (onBehalfOf !== undefined && this.objections.some((each) => each.by === owner)) return false;
    const authors = [...draft.writers, ...draft.behind];
    const isIndependent = (account: string, given: readonly { by: string; to: string }[]): boolean => {
      const { human } = this.owned(account);
      const isOf = (one: string): boolean => this.owned(one).human === human;
      const gaveRole = (author: string): boolean =>
        given.some(({ by: giver, to }) => isOf(to) && this.owned(giver).human === this.owned(author).human);
      return (
        this.proved.has(account) &&
        !this.tookTokensOver.has(account) &&
        !authors.some((author) => isOf(author) || gaveRole(author))
      );
    };
    return (
      this.can(owner, REVIEWERS) &&
      isIndependent(owner, this.gavePower) &&
      (onBehalfOf === undefined || isIndependent(by.account, this.added))
    );
  }

  private object({ by, onBehalfOf, draft: id }: Extract<Granted, { kind: 'objected' }>, must: Must): void {
    const draft = this.open(id, must);
    if (!draft) return;
    must(by.token !== 'organization', 'by a token of the organization');
    this.canReview({ by: by.account, onBehalfOf }, draft, must);
    const owner = onBehalfOf ?? by.account;
    if (onBehalfOf !== undefined)
      for (const writer of draft.writers)
        must(
          !this.isOneMailbox(by.account, writer) && !this.isOneMailbox(owner, writer),
          'for someone, by or for a contributor',
        );
    this.replaceReviews(draft, [by.account, owner]);
    this.objections.push({ draft: id, content: draft.content, by: owner });
  }

  private standingObjections(id: string, draft: Draft): Objection[] {
    return this.objections.filter((each) => each.draft === id || each.content === draft.content);
  }

  /** True if the person who requested changes can no longer end the request by a review. */
  private isAbandoned(objector: string): boolean {
    return !this.can(objector, REVIEWERS);
  }

  private setAside({ by, draft: id, objector }: Extract<Granted, { kind: 'objection set aside' }>, must: Must): void {
    const draft = this.open(id, must);
    if (!draft) return;
    this.canManage(by, must);
    must(this.isAbandoned(objector), 'although the objector can still review');
    const contributors = [...draft.writers, ...draft.behind];
    // The only manager could otherwise never end the request.
    const isAlone = this.others([by, ...contributors], MANAGERS).length === 0;
    for (const writer of contributors) {
      must(isAlone || !isOnePerson(this.owned(by), this.owned(writer)), 'by someone who contributed');
    }
    this.objections = this.objections.filter(
      (each) => each.by !== objector || (each.draft !== id && each.content !== draft.content),
    );
  }

  private discard({ by, draft: id, reason }: Extract<Granted, { kind: 'discarded' }>, must: Must): void {
    const draft = this.open(id, must);
    if (!draft) return;
    const isReviewed =
      this.standingObjections(id, draft).length > 0 ||
      draft.approvals.some(
        (each) =>
          !each.isReplaced &&
          each.state === draft.state &&
          this.can(each.onBehalfOf ?? each.by, REVIEWERS) &&
          !peopleOf(each).some((who) => draft.writers.has(who) || !this.canAct(who)),
      );
    if (isReviewed) {
      must(reason, 'without a reason although there is a valid review');
      must(
        by.token === 'organization' || by.account === draft.creator || this.can(by.account, MANAGERS),
        'by neither the author nor a manager although there is a valid review',
      );
    }
    draft.isOpen = false;
  }

  private merge({ by, draft: id, version, shown }: Extract<Granted, { kind: 'merged' }>, must: Must): void {
    const draft = this.open(id, must);
    if (!draft) return;
    draft.isOpen = false;
    const writers = [...draft.writers];
    must(this.can(by.account, REVIEWERS) || by.token === 'organization', "by someone who can't merge");
    if (by.token === undefined) this.mustHaveStanding(by.account, must);
    const merged: Version = {
      approvals: shown.approvals,
      firstSave: draft.firstSave,
      isMarked: shown.approvals.some(({ marks }) => marks.length > 0),
      hasControl: draft.hasControl,
      content: draft.content,
      emergency: shown.emergency ? 'waits' : null,
      since: this.calls,
    };
    this.versions.set(`${draft.key} ${version}`, merged);
    const liveBefore = this.live.get(draft.key);
    this.live.set(draft.key, version);
    if (shown.emergency) {
      must(this.roleOf(by.account) === 'owner', 'an emergency by someone who is not an owner');
      must(!this.policy.strict, 'an emergency under strict review');
      return;
    }
    must(this.standingObjections(id, draft).length === 0, 'although changes were requested');
    must(draft.base === liveBefore, 'of a draft based on a version that is no longer live');
    if (this.policy.requiredApprovals === 0) {
      must(by.token !== 'organization', 'by a token of the organization without an approval');
      must(shown.approvals.length > 0 || shown.withoutApproval, 'live without an approval or a mark');
    }
    const approvals = this.countedApprovals(draft, shown, must);
    must(
      approvals >= this.policy.requiredApprovals,
      `with only ${approvals} of ${this.policy.requiredApprovals} required approvals`,
    );
    this.mustBeMarked(shown.approvals, writers, must);
    this.mustBeAsked(draft, { liveBefore, approvals: shown.approvals }, must);
    if (this.policy.strict) {
      must(
        shown.approvals.filter(({ marks }) => marks.length === 0).length >= this.policy.requiredApprovals,
        'under strict review with marked approvals',
      );
    }
    this.reviewed.set(draft.key, merged);
  }

  /** Checks the approvals that the product counted. Returns the number of people who gave them. */
  private countedApprovals(draft: Draft, { approvals }: Shown, must: Must): number {
    const counted: string[][] = [];
    for (const { by, onBehalfOf, marks } of approvals) {
      const given = this.approvalBy(draft, by, onBehalfOf);
      const owner = onBehalfOf ?? by;
      must(
        given !== undefined && given.state === draft.state,
        'counts an approval of other content or of another base, or one that was replaced or withdrawn',
      );
      must(this.can(owner, REVIEWERS), "counts the approval of someone who can't review");
      must(!given?.byToken || marks.length > 0, 'counts an approval by an API token without a mark');
      if (onBehalfOf !== undefined) {
        must(this.canAct(by), 'counts the approval of a delegate who is no longer a member, or is disabled');
        must(!marks.includes('self_approved'), 'counts a self-approval by or for a delegate');
        must(this.proved.has(by), 'counts the approval of a delegate who has not proved their address');
        this.mustBeNoContributor([by, onBehalfOf], draft, must);
        must(!this.cameTooLate(draft, by, ROLES), 'counts a delegate added by a contributor after the first save');
        must(!this.cameTooLate(draft, owner), 'counts a delegator added by a contributor after the first save');
      } else if (draft.writers.has(by) || draft.behind.has(by) || marks.includes('self_approved')) {
        must(marks.includes('self_approved'), 'counts an approval by a contributor without a mark');
        must(
          this.couldHaveReviewed(draft, by).length === 0,
          'counts a self-approval although another could have reviewed in the last 7 days',
        );
      } else must(!this.cameTooLate(draft, by), 'counts a reviewer added by a contributor after the first save');
      // An approval for someone uses both people's votes, and an unproved account and the account behind it share one
      // vote.
      const people = peopleOf({ by, onBehalfOf }).flatMap((id) => [id, ...this.behind(id)]);
      if (!counted.some((others) => others.some((one) => people.some((other) => this.isOneMailbox(one, other)))))
        counted.push(people);
    }
    return counted.length;
  }

  // Groups and reviewers of workflows -------------------------------------------------------------------------------

  /**
   * True if the organization's rule requires the group's approval, because the draft lacks the approval step that its
   * base has. If the base is live, it is enough that the last reviewed version has the step.
   */
  private mustAskGroup({ key, base, hasControl }: Draft, live = this.live.get(key)): boolean {
    const reviewed = base !== undefined && base === live ? this.reviewed.get(key) : undefined;
    const before = [this.versions.get(`${key} ${base ?? live}`), reviewed];
    return this.asksGroup && !hasControl && before.some((version) => version?.hasControl);
  }

  /** The names of those who have to approve an open draft, in addition to the required number of approvals. */
  requirementsOf(id: string): string[] {
    const draft = this.drafts.get(id);
    return draft?.isOpen ? this.requiredFor(draft, this.live.get(draft.key)).map(({ name }) => name) : [];
  }

  private requiredFor(draft: Draft, live: number | undefined): Requirement[] {
    const reviewers = this.reviewers.get(draft.key);
    return [
      ...(draft.asksGroup || this.mustAskGroup(draft, live)
        ? [{ name: 'a member of the group', places: this.group, mark: 'added_to_group_by_author' }]
        : []),
      ...(reviewers ? [{ name: 'a reviewer of the workflow', places: reviewers, mark: 'named_by_author' }] : []),
    ];
  }

  /**
   * If the group's approval is required, or the workflow has reviewers, a different person has to approve for each of
   * these requirements. Someone who was added after the first save, or added themselves, doesn't count. If an author
   * added this person, the approval needs a mark, and under strict review it doesn't meet the requirement. The mark
   * names the group or the reviewers if the product knows that the author added them.
   */
  private mustBeAsked(
    draft: Draft,
    { liveBefore, approvals }: { liveBefore: number | undefined; approvals: readonly ShownApproval[] },
    must: Must,
  ): void {
    const required = this.requiredFor(draft, liveBefore);
    const fills = ({ places, mark }: Requirement, approval: ShownApproval, needsMark: boolean): boolean => {
      const voter = approval.onBehalfOf ?? approval.by;
      const place = places.get(voter);
      if (!place || place.from > draft.firstSave || this.addedThemselves(voter, place)) return false;
      const addedBy = (isSame: (adder: string, writer: string) => boolean): boolean =>
        [...draft.writers, ...draft.behind].some((writer) => place.by.some((adder) => isSame(adder, writer)));
      const isByAuthor = addedBy((adder, writer) => isOnePerson(this.owned(adder), this.owned(writer)));
      if (isByAuthor && this.policy.strict) return false;
      if (!needsMark || !isByAuthor) return true;
      // The product knows that the author added the approver only if it was the same account, or if both accounts are
      // proved with the same mailbox. Otherwise, any mark is enough.
      const isKnown = addedBy((adder, writer) => this.isOneMailbox(adder, writer));
      return isKnown ? approval.marks.includes(mark) : approval.marks.length > 0;
    };
    const canFill = (open: readonly Requirement[], left: readonly ShownApproval[], needsMark: boolean): boolean => {
      const [first, ...others] = open;
      return (
        first === undefined ||
        left.some(
          (each) =>
            fills(first, each, needsMark) &&
            canFill(
              others,
              left.filter((other) => other !== each),
              needsMark,
            ),
        )
      );
    };
    const names = required.map(({ name }) => name).join(' and ');
    must(canFill(required, approvals, false), `without an approval by ${names}`);
    must(canFill(required, approvals, true), `by ${names} whom an author added, without a mark`);
  }

  /**
   * True if someone gave themselves the membership, with any account of their mailbox, although a manager with another
   * mailbox existed. An account without a mailbox for which only they vouch counts as theirs too, unless all other
   * managers are such accounts.
   */
  private addedThemselves(who: string, { by }: Place): boolean {
    const mailbox = deliveredTo(this.owned(who).email);
    const others = this.others([who], MANAGERS).filter((each) => deliveredTo(this.owned(each.who).email) !== mailbox);
    if (by.some((adder) => this.isOneMailbox(adder, who))) return others.length > 0;
    const isTheirs = (id: string, seen: readonly string[] = []): boolean =>
      !this.proved.has(id) &&
      this.isConfirmed(id) &&
      !seen.includes(id) &&
      this.confirmersOf(id).every((other) => this.isOneMailbox(other, who) || isTheirs(other, [...seen, id]));
    return by.some((id) => isTheirs(id)) && others.some((each) => !isTheirs(each.who));
  }

  private isGroupNamed(): boolean {
    const live = [...this.live].some(([key, version]) => this.versions.get(`${key} ${version}`)?.hasControl);
    const open = [...this.drafts.values()].filter(({ isOpen }) => isOpen);
    return this.asksGroup || live || open.some(({ hasControl, asksGroup }) => hasControl || asksGroup);
  }

  private changeGroup(call: Extract<Granted, { kind: 'group changed' }>, must: Must): void {
    const { by, added, removed, confirmedBy } = call;
    if (confirmedBy === undefined) this.canManage(by, must);
    this.mustBeConfirmed(call, removed.length > 0 && this.isGroupNamed(), must);
    for (const who of removed) this.group.delete(who);
    for (const who of added) {
      must(this.canAct(who), 'adds someone who is not a member of the organization, or has a disabled account');
      this.group.set(who, { by: [by, ...this.behind(by)], from: this.calls });
    }
  }

  private nameReviewers(call: Extract<Granted, { kind: 'reviewers named' }>, must: Must): void {
    const { by, key, reviewers, confirmedBy } = call;
    const before = this.reviewers.get(key) ?? (new Map() as Places);
    const isLooser =
      (this.reviewers.has(key) && reviewers.length === 0) || [...before.keys()].some((who) => !reviewers.includes(who));
    if (confirmedBy === undefined) this.canManage(by, must);
    this.mustBeConfirmed(call, isLooser, must);
    const added = reviewers.filter((who) => !before.has(who));
    // The new reviewers count as added by the manager who confirms, unless that manager is among them.
    const adder = confirmedBy === undefined || added.includes(confirmedBy) ? by : confirmedBy;
    const place = { by: [adder, ...this.behind(adder)], from: this.calls };
    for (const who of added)
      must(confirmedBy !== undefined || this.can(who, REVIEWERS), "names someone who can't review");
    if (reviewers.length === 0) this.reviewers.delete(key);
    else this.reviewers.set(key, new Map(reviewers.map((who) => [who, before.get(who) ?? place])));
  }

  private endPlaces(who: string): void {
    this.group.delete(who);
    for (const places of this.reviewers.values()) places.delete(who);
    this.delegations = this.delegations.filter(({ delegator, delegate }) => delegator !== who && delegate !== who);
  }

  private delegate(
    { by, id, to, reviews, key, from, until }: Extract<Granted, { kind: 'delegated' }>,
    must: Must,
  ): void {
    must(by.token === undefined, 'with a token');
    must(by.account !== to && this.canAct(to), 'to oneself, or to someone who is not a member or is disabled');
    this.delegations.push({ id, delegator: by.account, delegate: to, reviews, key, from, until });
  }

  // Who could approve -----------------------------------------------------------------------------------------------

  /**
   * Other proved people who could review before the first save and in the last 7 days, and wrote nothing, except with
   * an account of another mailbox. People behind an unproved writer are among them if they proved their own mailbox,
   * because the writer can belong to only one of them. The founder is among them even without a proof. An account that
   * hasn't proved its address isn't among them if the address has the mailbox of `self`: the two could then be the same
   * person.
   */
  private couldHaveReviewed(draft: Draft, self: string): Holding[] {
    const isSameAddress = (id: string): boolean =>
      deliveredTo(this.owned(id).email) === deliveredTo(this.owned(self).email);
    const unknown = [...draft.behind].filter(
      (id) => !this.proved.has(id) && (id !== this.founder || isSameAddress(id)),
    );
    return this.others([self, ...draft.writers, ...unknown], REVIEWERS).filter(
      ({ who, from }) => from < draft.firstSave && (this.proved.has(who) || !isSameAddress(who)),
    );
  }

  /**
   * True if a contributor gave this person the permission after the first save, although another proved manager, who
   * isn't an author, could have confirmed them.
   */
  private cameTooLate(draft: Draft, who: string, powers = REVIEWERS): boolean {
    if (this.isConfirmed(who)) return false;
    const holding = this.holdings.findLast(
      (each) => each.who === who && powers.includes(each.role) && each.untilDay === null,
    );
    const before = this.holdings.findLast((each) => each.who === who && each.untilDay !== null);
    if (!holding || holding.from < draft.firstSave || holding.givenBy === null) return false;
    if (before && powers.includes(before.role)) return false;
    if (!draft.writers.has(holding.givenBy) && !draft.behind.has(holding.givenBy)) return false;
    const giver = holding.givenBy;
    const could = this.others([who, giver], MANAGERS).filter(
      (each) =>
        each.untilDay === null && each.givenBy !== giver && each.givenBy !== who && !draft.writers.has(each.who),
    );
    return could.length > 0;
  }

  private mustBeMarked(approvals: readonly ShownApproval[], writers: readonly string[], must: Must): void {
    const unmarked = approvals.filter(({ marks }) => marks.length === 0);
    unmarked.forEach((approval, at) => {
      for (const approver of peopleOf(approval)) {
        this.mustBeApart(approver, approval, writers, must);
        for (const other of unmarked.slice(at + 1).flatMap(peopleOf)) {
          must(
            !isOnePerson(this.owned(other), this.owned(approver)),
            `${this.owned(approver).email} and ${this.owned(other).email} are one human and both approved unmarked`,
          );
        }
      }
    });
  }

  /**
   * Checks that someone who approved without a mark isn't an author, as far as the product can know, and that no author
   * added them. For a delegate, any role given by an author matters; for others, only roles that can review.
   */
  private mustBeApart(
    approver: string,
    { by, onBehalfOf }: ShownApproval,
    writers: readonly string[],
    must: Must,
  ): void {
    const y = this.owned(approver);
    const isDelegate = onBehalfOf !== undefined && by === approver;
    const powers = isDelegate ? this.added : this.gavePower;
    for (const writer of writers) {
      const x = this.owned(writer);
      must(!isOnePerson(x, y), `${y.email} approved unmarked what the same human wrote as ${x.email}`);
      must(
        !powers.some(({ by: giver, to }) => giver === writer && to === approver) || this.isConfirmed(approver),
        `${y.email} approved unmarked, added by the author ${x.email}`,
      );
      must(
        x.human !== y.human ||
          this.isConfirmed(writer) ||
          !this.added.some(({ by: giver, to }) => giver === approver && to === writer),
        `${y.email} approved unmarked the work of an account that the same human added: ${x.email}`,
      );
    }
    for (const writer of writers) {
      const x = this.owned(writer);
      must(
        x.human !== y.human || isOnePerson(x, y) || !this.areLinked(x, y, powers),
        `${y.email} approved unmarked what the same human wrote as ${x.email}: one mailbox added the other`,
      );
    }
  }

  /**
   * True if one of a human's two mailboxes brought the other one into the organization, through any accounts and
   * without anyone else's confirmation. The product can detect that, so it must show it.
   */
  private areLinked(writer: Owned, approver: Owned, powers = this.gavePower): boolean {
    const [from, to] = [mailboxOf(writer), mailboxOf(approver)];
    const isOn = (id: string, mailbox: string | null): boolean => {
      const each = this.owned(id);
      return each.human === writer.human && mailboxOf(each) === mailbox;
    };
    const isKnown = (mailbox: string | null): boolean =>
      [...this.confirmers.keys()].some(
        (id) => isOn(id, mailbox) && this.confirmersOf(id).some((by) => this.owned(by).human !== writer.human),
      );
    if (isKnown(from) || isKnown(to)) return false;
    const addsOf = (mailbox: string | null): string[] =>
      this.added.flatMap(({ by, to: id }) => (isOn(id, mailbox) ? [by] : []));
    const powersOf = (mailbox: string | null): string[] =>
      powers.flatMap(({ by, to: id }) => (isOn(id, mailbox) ? [by] : []));
    // An account without a mailbox counts as the mailbox that brought it into the organization.
    const actsFor = (id: string, mailbox: string | null, seen: readonly string[] = []): boolean =>
      isOn(id, mailbox) ||
      (isOn(id, null) &&
        !seen.includes(id) &&
        this.added.some((each) => each.to === id && actsFor(each.by, mailbox, [...seen, id])));
    const common = powersOf(to).filter((id) => isOn(id, null) && addsOf(from).includes(id));
    return (
      common.length > 0 || powersOf(to).some((id) => actsFor(id, from)) || addsOf(from).some((id) => actsFor(id, to))
    );
  }

  private rollBack({ by, key, version, emergency }: Extract<Granted, { kind: 'rolled back' }>, must: Must): void {
    must(by.token !== 'organization', 'by a token of the organization');
    this.canMerge(by.account, must);
    const target = this.versions.get(`${key} ${version}`);
    const left = this.versions.get(`${key} ${this.live.get(key)}`);
    this.live.set(key, version);
    must(target !== undefined, 'to a version that was never live');
    if (!target) return;
    if (emergency) {
      must(this.roleOf(by.account) === 'owner', 'an emergency by someone who is not an owner');
      must(!this.policy.strict, 'an emergency under strict review');
      target.emergency = 'waits';
      target.since = this.calls;
      return;
    }
    must(target.emergency !== 'waits', 'to an emergency that nobody ratified');
    must(
      !this.objections.some(({ content }) => content === target.content),
      'to content that changes were requested for',
    );
    must(
      target.approvals.length >= this.policy.requiredApprovals,
      'to a version with fewer approvals than are required today',
    );
    must(!this.policy.strict || !target.isMarked, 'under strict review to a version with marked approvals');
    const isReduced = [left, this.reviewed.get(key)].some((version) => version?.hasControl) && !target.hasControl;
    must(!isReduced, 'removes an approval step');
    const reviewers = this.reviewers.get(key);
    const wasApprovedByOne = target.approvals.some(({ by: who, onBehalfOf, marks }) => {
      const place = reviewers?.get(onBehalfOf ?? who);
      return place !== undefined && place.from < target.firstSave && (!this.policy.strict || marks.length === 0);
    });
    must(!reviewers || wasApprovedByOne, 'to a version that no reviewer of the workflow approved');
  }
}

type Must = (holds: boolean, what: string) => void;

/** The people to whom an approval is attributed: the reviewer and, if they acted as a delegate, the delegator. */
const peopleOf = ({ by, onBehalfOf }: { by: string; onBehalfOf?: string | undefined }): string[] =>
  onBehalfOf === undefined ? [by] : [by, onBehalfOf];
