import { describe, expect, it } from 'vitest';
import type { Human, Owned } from './humans.ts';
import { type Granted, PeopleOracle, type Shown } from './oracle.ts';

const mallory: Human = { name: 'Mallory', mailboxes: ['m@one.example'], isHonest: false };
const mona: Human = { name: 'Mona', mailboxes: ['m1@one.example', 'm2@two.example'], isHonest: false };
const honest = (name: string): Human => ({ name, mailboxes: [`${name}@honest.example`], isHonest: true });

const PEOPLE: Owned[] = [
  { id: 'm', email: 'm@one.example', human: mallory },
  { id: 'm+', email: 'm+two@one.example', human: mallory },
  { id: 'ghost', email: 'ghost@nowhere.example', human: mallory },
  { id: 'ghost2', email: 'ghost2@nowhere.example', human: mallory },
  { id: 'hana+', email: 'hana+x@honest.example', human: mallory },
  { id: 'mona1', email: 'm1@one.example', human: mona },
  { id: 'mona2', email: 'm2@two.example', human: mona },
  { id: 'mona2+', email: 'm2+too@two.example', human: mona },
  ...['founder', 'nora', 'nick', 'hana', 'hugo', 'rita', 'ed'].map((id) => ({
    id,
    email: `${id}@honest.example`,
    human: honest(id),
  })),
];
/** Accounts that are proved from the beginning. */
const PROVED = ['m', 'm+', 'mona1', 'mona2', 'mona2+', 'hana', 'hugo', 'rita', 'ed'];

const founded = (by: string): Granted => ({ kind: 'founded', by });
const joined = (who: string, role: 'admin' | 'editor' | 'reviewer', invitedBy: string): Granted => ({
  kind: 'joined',
  who,
  role,
  invitedBy,
});
const made = (account: string, content = 'one', hasControl = false): Granted => ({
  kind: 'draft made',
  by: { account },
  draft: 'd',
  key: 'flow',
  content,
  hasControl,
});
const saved = (account: string, content: string): Granted => ({
  kind: 'draft saved',
  by: { account },
  draft: 'd',
  content,
  hasControl: false,
});
const approved = (account: string, token?: 'personal' | 'organization'): Granted => ({
  kind: 'approved',
  by: { account, ...(token && { token }) },
  draft: 'd',
  ifMatch: token !== undefined,
});
const merged = (account: string, approvals: Record<string, string[]>, shown: Partial<Shown> = {}): Granted => ({
  kind: 'merged',
  by: { account },
  draft: 'd',
  version: 1,
  shown: {
    approvals: Object.entries(approvals).map(([by, marks]) => ({ by, marks })),
    withoutApproval: false,
    emergency: false,
    ...shown,
  },
});
const policy = (
  by: string,
  wanted: { requiredApprovals?: number; strict?: boolean },
  more: { alone?: boolean; confirmedBy?: string } = {},
): Granted => ({ kind: 'policy set', by, policy: wanted, alone: false, ...more });
const gone = (who: string, takesTokensOver = false): Granted => ({
  kind: 'member gone',
  who,
  by: 'hana',
  takesTokensOver,
});
const days = (count: number): Granted => ({ kind: 'days passed', days: count });
const team = [
  founded('hana'),
  joined('hugo', 'admin', 'hana'),
  joined('rita', 'reviewer', 'hana'),
  joined('ed', 'editor', 'hana'),
];

function brokenIn(...calls: Granted[]): string[] {
  const oracle = new PeopleOracle(PEOPLE, PROVED);
  return calls.flatMap((call) => oracle.record(call));
}

/** Rita delegates her reviews, or only other work, to someone for 10 days. */
const delegated = (to: string, reviews = true): Granted => ({
  kind: 'delegated',
  by: { account: 'rita' },
  id: to,
  to,
  reviews,
  key: null,
  from: 0,
  until: 10,
});
const approvedFor = (onBehalfOf: string, account: string): Granted => ({
  kind: 'approved',
  by: { account },
  onBehalfOf,
  draft: 'd',
  ifMatch: false,
});
/** Makes a draft live with approvals by these people, given as `by` or `by for delegator`, without marks. */
const mergedWith = (...approvals: string[]): Granted => ({
  kind: 'merged',
  by: { account: 'rita' },
  draft: 'd',
  version: 1,
  shown: {
    approvals: approvals.map((each) => {
      const [by = '', onBehalfOf] = each.split(' for ');
      return { by, ...(onBehalfOf !== undefined && { onBehalfOf }), marks: [] };
    }),
    withoutApproval: false,
    emergency: false,
  },
});
const group = (
  by: string,
  change: { added?: string[]; removed?: string[]; alone?: boolean; confirmedBy?: string },
): Granted => ({ kind: 'group changed', by, added: [], removed: [], alone: false, ...change });
const reviewers = (by: string, named: string[], more: { alone?: boolean; confirmedBy?: string } = {}): Granted => ({
  kind: 'reviewers named',
  by,
  key: 'flow',
  reviewers: named,
  alone: false,
  ...more,
});
/** A version with an approval step goes live. From then on, the group has to approve drafts that remove the step. */
const routed: Granted[] = [
  made('ed', 'one', true),
  approved('rita'),
  mergedWith('rita'),
  { kind: 'routes set', by: 'hana', asksGroup: true, alone: false },
];
const dropped = (by = 'ed'): Granted => made(by, 'two');
const mergedAs = (version: number, approver: string): Granted => ({
  kind: 'merged',
  by: { account: 'rita' },
  draft: 'd',
  version,
  shown: { approvals: [{ by: approver, marks: [] }], withoutApproval: false, emergency: false },
});
/** A version without the approval step, then one with it. Drafts that remove the step need the group's approval. */
const guarded: Granted[] = [
  made('ed', 'one'),
  approved('rita'),
  mergedWith('rita'),
  made('ed', 'two', true),
  approved('rita'),
  mergedAs(2, 'rita'),
  { kind: 'routes set', by: 'hana', asksGroup: true, alone: false },
];
const rolledBack = (emergency = true): Granted => ({
  kind: 'rolled back',
  by: { account: 'hana' },
  key: 'flow',
  version: 1,
  emergency,
});
const ratified: Granted = { kind: 'emergency ratified', by: 'hugo', proposedBy: 'hana', key: 'flow', version: 1 };
/** A draft without the approval step is merged as version 3 with only Rita's approval. */
const withoutStep: Granted[] = [made('ed', 'three'), approved('rita'), mergedAs(3, 'rita')];
/** Mallory adds Rita to the group, and has another account without a mailbox, which Hana invited. */
const addedByGhostsOwner: Granted[] = [
  joined('m', 'admin', 'hana'),
  joined('ghost', 'editor', 'hana'),
  group('m', { added: ['rita'] }),
  ...routed,
];

describe('the people oracle', () => {
  it('reports nothing if different people act as the rules require', () => {
    expect(brokenIn(...team, made('ed'), approved('rita'), merged('rita', { rita: [] }))).toEqual([]);
    expect(
      brokenIn(...team, policy('hana', { strict: true }), made('ed'), approved('rita'), merged('hugo', { rita: [] })),
    ).toEqual([]);
    expect(brokenIn(...team, days(7), policy('hana', { requiredApprovals: 0 }, { confirmedBy: 'hugo' }))).toEqual([]);
    expect(
      brokenIn(
        founded('hana'),
        policy('hana', { requiredApprovals: 0 }, { alone: true }),
        made('hana'),
        merged('hana', {}, { withoutApproval: true }),
      ),
    ).toEqual([]);
    const refusedFor = (by: string): Granted => ({ kind: 'approval refused', by: { account: by }, draft: 'd' });
    expect(brokenIn(...team, made('hana'), refusedFor('rita'), refusedFor('hana'))).toEqual([]);
    expect(brokenIn(...team, joined('ghost', 'editor', 'hugo'), made('ghost'), refusedFor('hugo'))).toEqual([]);
    const marked = { ghost: ['added_by_author', 'address_not_proved'] };
    expect(
      brokenIn(founded('m'), joined('ghost', 'reviewer', 'm'), made('m'), approved('ghost'), merged('ghost', marked)),
    ).toEqual([]);
  });

  it('reports nothing if delegates, groups and reviewers of a workflow approve as the rules require', () => {
    expect(
      brokenIn(...team, made('ed'), delegated('hugo'), approvedFor('rita', 'hugo'), mergedWith('hugo for rita')),
    ).toEqual([]);
    // The delegation has ended, but the approval was given before.
    expect(
      brokenIn(
        ...team,
        made('ed'),
        delegated('hugo'),
        approvedFor('rita', 'hugo'),
        days(20),
        mergedWith('hugo for rita'),
      ),
    ).toEqual([]);
    expect(
      brokenIn(...team, group('hana', { added: ['rita'] }), ...routed, dropped(), approved('rita'), mergedWith('rita')),
    ).toEqual([]);
    // The ratification makes the version that the emergency restored the last reviewed one.
    expect(brokenIn(...team, days(8), ...guarded, rolledBack(), ratified, ...withoutStep)).toEqual([]);
    // A later draft doesn't lose the control again, because the version before it was merged through a review.
    const groupApproved = [group('hana', { added: ['rita'] }), rolledBack(), ...withoutStep];
    const later: Granted[] = [made('ed', 'four'), approved('hugo'), mergedAs(4, 'hugo')];
    expect(brokenIn(...team, ...guarded, ...groupApproved, ...later)).toEqual([]);
    // The approval that Rita's delegate gave counts for the group.
    const [away, back] = [delegated('hugo'), approvedFor('rita', 'hugo')];
    expect(
      brokenIn(
        ...team,
        group('hana', { added: ['rita'] }),
        ...routed,
        dropped(),
        away,
        back,
        mergedWith('hugo for rita'),
      ),
    ).toEqual([]);
    // Hana invited Mallory's account without a mailbox, so nobody can know that the person who added Rita wrote this.
    expect(
      brokenIn(
        ...team,
        ...addedByGhostsOwner,
        dropped('ghost'),
        approved('rita'),
        merged('rita', { rita: ['added_by_author', 'author_not_proved'] }),
      ),
    ).toEqual([]);
    expect(brokenIn(...team, reviewers('hana', ['rita']), made('ed'), approved('rita'), mergedWith('rita'))).toEqual(
      [],
    );
    expect(
      brokenIn(...team, days(8), reviewers('hana', ['rita']), reviewers('hana', [], { confirmedBy: 'hugo' })),
    ).toEqual([]);
    expect(brokenIn(...team, group('hana', { added: ['rita'] }), group('hana', { removed: ['rita'] }))).toEqual([]);
  });

  it('accepts reviewers who named themselves if every other manager has an address of their mailbox', () => {
    const team = [founded('hana+'), joined('hana', 'admin', 'hana+'), joined('ed', 'editor', 'hana+')];
    const marks = { hana: ['named_by_author'] };
    expect(brokenIn(...team, reviewers('hana', ['hana']), made('ed'), approved('hana'), merged('hana', marks))).toEqual(
      [],
    );
  });

  it('accepts a self-approval if every other reviewer has an unproved address of the same mailbox', () => {
    const own = [made('hana'), approved('hana'), merged('hana', { hana: ['self_approved'] })];
    expect(brokenIn(founded('hana+'), joined('hana', 'admin', 'hana+'), ...own)).toEqual([]);
    expect(brokenIn(founded('m'), joined('hana', 'admin', 'm'), ...own).join()).toMatch(
      /self-approval although another/,
    );
  });

  it('accepts a reviewer added by an author after the first save if every other manager is an author too', () => {
    const added = [founded('hana'), joined('m', 'admin', 'hana'), made('m'), joined('mona2', 'reviewer', 'm')];
    const marked = [approved('mona2'), merged('mona2', { mona2: ['added_by_author'] })];
    expect(brokenIn(...added, ...marked).join()).toMatch(/added by a contributor after the first save/);
    expect(brokenIn(...added, saved('hana', 'two'), ...marked)).toEqual([]);
  });

  it('accepts reviewers whom an account named for which only they vouch, if there is no other manager', () => {
    const guest = [founded('hana'), joined('ghost', 'admin', 'hana'), joined('ed', 'editor', 'hana')];
    const confirmed: Granted = { kind: 'member confirmed', by: 'hana', who: 'ghost', proposedBy: 'ed' };
    const named = [confirmed, reviewers('ghost', ['hana']), made('ed'), approved('hana'), mergedWith('hana')];
    const broken = (...calls: Granted[]) =>
      brokenIn(...calls).filter((each) => each.includes('reviewer of the workflow'));
    expect(broken(...guest, ...named)).toEqual([]);
    expect(broken(...guest, joined('hugo', 'admin', 'hana'), ...named)).not.toEqual([]);
  });

  it.each<[string, Granted[], RegExp]>([
    [
      'a delegate who approves their own content',
      [joined('m', 'editor', 'hana'), made('m'), delegated('m'), approvedFor('rita', 'm')],
      /for someone, although m@one.example contributed/,
    ],
    [
      'a delegate with the mailbox of an author',
      [
        joined('m', 'editor', 'hana'),
        joined('m+', 'editor', 'hana'),
        made('m'),
        delegated('m+'),
        approvedFor('rita', 'm+'),
      ],
      /has the mailbox of a contributor/,
    ],
    [
      'a delegate who approves for an author',
      [made('rita'), delegated('hugo'), approvedFor('rita', 'hugo')],
      /although rita@honest.example contributed/,
    ],
    [
      'a delegate whose address is not proved',
      [joined('ghost', 'editor', 'hana'), made('ed'), delegated('ghost'), approvedFor('rita', 'ghost')],
      /has not proved their address/,
    ],
    [
      'a delegate without a delegation of reviews',
      [made('ed'), delegated('hugo', false), approvedFor('rita', 'hugo')],
      /has not delegated reviews/,
    ],
    [
      'a delegate whose delegation is over',
      [made('ed'), delegated('hugo'), days(10), approvedFor('rita', 'hugo')],
      /has not delegated reviews/,
    ],
    [
      'a delegate who acts after the delegator has left',
      [made('ed'), delegated('hugo'), gone('rita'), approvedFor('rita', 'hugo')],
      /by or for someone who can't review/,
    ],
    [
      'a delegator and their delegate who count as two',
      [
        policy('hana', { requiredApprovals: 2 }),
        made('ed'),
        delegated('hugo'),
        approved('rita'),
        approvedFor('rita', 'hugo'),
        mergedWith('rita', 'hugo for rita'),
      ],
      /with only 1 of 2 required approvals/,
    ],
    [
      'a delegate whose own approval counts too',
      [
        policy('hana', { requiredApprovals: 2 }),
        made('ed'),
        delegated('hugo'),
        approved('hugo'),
        approvedFor('rita', 'hugo'),
        mergedWith('hugo', 'hugo for rita'),
      ],
      /with only 1 of 2 required approvals/,
    ],
    [
      'an approval by a delegate, withdrawn by the delegator',
      [
        made('ed'),
        delegated('hugo'),
        approvedFor('rita', 'hugo'),
        { kind: 'approval withdrawn', by: { account: 'rita' }, draft: 'd', ifMatch: false },
        mergedWith('hugo for rita'),
      ],
      /replaced or withdrawn/,
    ],
    [
      'a request for changes by a delegate, which stays the delegator’s',
      [
        made('ed'),
        delegated('hugo'),
        { kind: 'objected', by: { account: 'hugo' }, onBehalfOf: 'rita', draft: 'd' },
        approved('hugo'),
        mergedWith('hugo'),
      ],
      /changes were requested/,
    ],
    [
      'a delegate whom the author added, without a mark',
      [
        joined('mona2', 'editor', 'hugo'),
        days(8),
        made('hugo'),
        delegated('mona2'),
        approvedFor('rita', 'mona2'),
        mergedWith('mona2 for rita'),
      ],
      /approved unmarked, added by the author/,
    ],
    [
      'a refused delegate although neither had a part in the draft',
      [
        made('hugo'),
        delegated('mona2'),
        joined('mona2', 'editor', 'hana'),
        { kind: 'approval refused', by: { account: 'mona2' }, onBehalfOf: 'rita', draft: 'd' },
      ],
      /had no part in the draft/,
    ],
    [
      'a dropped control that nobody in the group approved',
      [...routed, dropped(), approved('hugo'), mergedWith('hugo')],
      /without an approval by a member of the group/,
    ],
    [
      'a control that an emergency rollback dropped, in a draft that nobody in the group approved',
      [...guarded, rolledBack(), ...withoutStep],
      /without an approval by a member of the group/,
    ],
    [
      'such a draft after the ratification, which was submitted before',
      [
        ...guarded,
        rolledBack(),
        made('ed', 'three'),
        { kind: 'submitted', draft: 'd' },
        ratified,
        approved('rita'),
        mergedAs(3, 'rita'),
      ],
      /without an approval by a member of the group/,
    ],
    [
      'a control that a draft takes from an emergency rollback in a rebase',
      [
        ...guarded,
        made('ed', 'three', true),
        rolledBack(),
        { kind: 'draft rebased', by: { account: 'ed' }, draft: 'd', content: 'four', hasControl: false, rebased: true },
        approved('rita'),
        mergedAs(3, 'rita'),
      ],
      /without an approval by a member of the group/,
    ],
    [
      'a dropped control approved by a delegate who is in the group, for someone who is not',
      [
        group('hana', { added: ['hugo'] }),
        ...routed,
        dropped(),
        delegated('hugo'),
        approvedFor('rita', 'hugo'),
        mergedWith('hugo for rita'),
      ],
      /without an approval by a member of the group/,
    ],
    [
      'someone who was added to the group after the draft was started',
      [...routed, dropped(), group('hana', { added: ['rita'] }), approved('rita'), mergedWith('rita')],
      /without an approval by a member of the group/,
    ],
    [
      'a manager who added another account of their mailbox to the group',
      [
        joined('m', 'admin', 'hana'),
        joined('m+', 'reviewer', 'hana'),
        group('m', { added: ['m+'] }),
        ...routed,
        dropped(),
        approved('m+'),
        mergedWith('m+'),
      ],
      /without an approval by a member of the group/,
    ],
    [
      'a member of the group whom the author added, without a mark',
      [group('hugo', { added: ['rita'] }), ...routed, dropped('hugo'), approved('rita'), mergedWith('rita')],
      /member of the group whom an author added, without a mark/,
    ],
    [
      'a member of the group whom the human behind an unproved author added, without a mark',
      [...addedByGhostsOwner, dropped('ghost'), approved('rita'), mergedWith('rita')],
      /member of the group whom an author added, without a mark/,
    ],
    [
      'a member of the group added with another account of the author’s mailbox, with only another mark',
      [
        ...addedByGhostsOwner,
        joined('m+', 'editor', 'hana'),
        dropped('m+'),
        approved('rita'),
        merged('rita', { rita: ['added_by_author'] }),
      ],
      /member of the group whom an author added, without a mark/,
    ],
    [
      'one person who is the group’s member and the workflow’s reviewer',
      [
        group('hana', { added: ['rita'] }),
        ...routed,
        reviewers('hana', ['rita']),
        dropped(),
        approved('rita'),
        mergedWith('rita'),
      ],
      /without an approval by a member of the group and a reviewer/,
    ],
    [
      'a member of a named group who was removed by one of two managers',
      [...routed, group('hana', { added: ['rita'] }), group('hana', { removed: ['rita'], alone: true })],
      /another managed/,
    ],
    [
      'a version that no reviewer of the workflow approved',
      [reviewers('hana', ['rita']), made('ed'), approved('hugo'), mergedWith('hugo')],
      /without an approval by a reviewer/,
    ],
    [
      'a rollback to a version that no reviewer of the workflow approved',
      [
        made('ed'),
        approved('hugo'),
        mergedWith('hugo'),
        reviewers('hana', ['rita']),
        { kind: 'rolled back', by: { account: 'rita' }, key: 'flow', version: 1, emergency: false },
      ],
      /no reviewer of the workflow approved/,
    ],
    [
      'reviewers of a workflow replaced by one of two managers',
      [reviewers('hana', ['rita']), reviewers('hugo', ['hana'], { alone: true })],
      /another managed/,
    ],
    [
      'a second account on the same mailbox',
      [
        joined('m', 'editor', 'hana'),
        joined('m+', 'reviewer', 'hana'),
        made('m'),
        approved('m+'),
        merged('m+', { 'm+': [] }),
      ],
      /the same human wrote/,
    ],
    [
      'an account without a mailbox that approves',
      [
        joined('m', 'editor', 'hana'),
        joined('ghost', 'reviewer', 'hana'),
        made('m'),
        approved('ghost'),
        merged('hana', { ghost: [] }),
      ],
      /the same human wrote/,
    ],
    [
      'an account without a mailbox that writes',
      [
        joined('m', 'reviewer', 'hana'),
        joined('ghost', 'editor', 'hana'),
        made('ghost'),
        approved('m'),
        merged('m', { m: [] }),
      ],
      /the same human wrote/,
    ],
    [
      'one human who approves twice although two people are required',
      [
        policy('hana', { requiredApprovals: 2 }),
        joined('m', 'reviewer', 'hana'),
        joined('m+', 'reviewer', 'hugo'),
        made('ed'),
        approved('m'),
        approved('m+'),
        merged('m', { m: [], 'm+': [] }),
      ],
      /are one human/,
    ],
    [
      'a merge under strict review with a marked approval',
      [
        policy('hana', { strict: true }),
        joined('m', 'admin', 'hana'),
        joined('ghost', 'reviewer', 'm'),
        made('m'),
        approved('ghost'),
        merged('m', { ghost: ['added_by_author'] }),
      ],
      /under strict review with marked/,
    ],
    [
      'two mailboxes, one added by the other',
      [
        joined('mona1', 'admin', 'hana'),
        joined('mona2', 'reviewer', 'mona1'),
        made('mona1'),
        approved('mona2'),
        merged('mona2', { mona2: [] }),
      ],
      /added by the author/,
    ],
    [
      'two mailboxes, the author added by the reviewer',
      [
        joined('mona1', 'admin', 'hana'),
        joined('mona2', 'editor', 'mona1'),
        made('mona2'),
        approved('mona1'),
        merged('mona1', { mona1: [] }),
      ],
      /that the same human added/,
    ],
    [
      'a reviewer whom the author made a reviewer long ago',
      [
        joined('mona1', 'reviewer', 'hana'),
        { kind: 'role given', by: 'hugo', who: 'rita', role: 'reviewer' },
        { kind: 'role given', by: 'hugo', who: 'ed', role: 'reviewer' },
        days(30),
        made('hugo'),
        approved('ed'),
        merged('ed', { ed: [] }),
      ],
      /added by the author/,
    ],
    ['too few approvals', [made('ed'), merged('rita', {})], /with only 0 of 1 required approvals/],
    [
      'an approval of content that was changed afterwards',
      [made('ed'), approved('rita'), saved('ed', 'two'), merged('rita', { rita: [] })],
      /other content/,
    ],
    [
      'an approval from before a rebase',
      [
        made('ed'),
        approved('rita'),
        { kind: 'draft rebased', by: { account: 'ed' }, draft: 'd', content: 'one', hasControl: false, rebased: true },
        merged('rita', { rita: [] }),
      ],
      /another base/,
    ],
    [
      'an approval by the person vouching for an unproved account',
      [joined('ghost', 'editor', 'hana'), made('ghost'), approved('hana'), merged('rita', { hana: [] })],
      /by a contributor without a mark/,
    ],
    [
      'a self-approval although someone else could review',
      [made('hana'), approved('hana'), merged('hana', { hana: ['self_approved'] })],
      /another could have reviewed/,
    ],
    [
      'a self-approval within 7 days after someone else left',
      [
        made('hana'),
        ...['hugo', 'rita', 'ed'].map((who) => gone(who)),
        days(3),
        approved('hana'),
        merged('hana', { hana: ['self_approved'] }),
      ],
      /another could have reviewed/,
    ],
    [
      'a reviewer added by the author after the first save',
      [
        made('hugo'),
        { kind: 'role given', by: 'hugo', who: 'ed', role: 'reviewer' },
        approved('ed'),
        merged('ed', { ed: ['added_by_author'] }),
      ],
      /after the first save/,
    ],
    [
      'an open request for changes',
      [
        made('ed'),
        { kind: 'objected', by: { account: 'rita' }, draft: 'd' },
        approved('hugo'),
        merged('hugo', { hugo: [] }),
      ],
      /changes were requested/,
    ],
    [
      'a request for changes on the same content in a discarded draft',
      [
        made('ed'),
        { kind: 'objected', by: { account: 'rita' }, draft: 'd' },
        { kind: 'discarded', by: { account: 'ed' }, draft: 'd', reason: true },
        made('ed'),
        approved('hugo'),
        merged('hugo', { hugo: [] }),
      ],
      /changes were requested/,
    ],
    [
      'a request set aside although its reviewer is still a member',
      [
        made('ed'),
        { kind: 'objected', by: { account: 'rita' }, draft: 'd' },
        { kind: 'objection set aside', by: 'hana', draft: 'd', objector: 'rita' },
      ],
      /can still review/,
    ],
    [
      'a reviewed draft discarded without a reason',
      [made('ed'), approved('rita'), { kind: 'discarded', by: { account: 'ed' }, draft: 'd', reason: false }],
      /without a reason/,
    ],
    [
      'an unproved account that reviews although there is a second manager',
      [joined('ghost', 'reviewer', 'hana'), made('ed'), approved('ghost')],
      /not proved/,
    ],
    [
      'a policy weakened by one of two managers',
      [policy('hana', { requiredApprovals: 0 }, { alone: true })],
      /another managed/,
    ],
    [
      'a policy weakened by one person alone, without a mark',
      [gone('hugo'), days(8), policy('hana', { requiredApprovals: 0 })],
      /without the mark/,
    ],
    [
      'a policy weakened by one human with two accounts',
      [
        joined('m', 'admin', 'hana'),
        joined('m+', 'admin', 'hana'),
        days(8),
        policy('m', { requiredApprovals: 0 }, { confirmedBy: 'm+' }),
      ],
      /one human/,
    ],
    [
      'a policy confirmed by someone who became a manager three days ago',
      [
        { kind: 'role given', by: 'hana', who: 'ed', role: 'admin' },
        days(3),
        policy('hana', { requiredApprovals: 0 }, { confirmedBy: 'ed' }),
      ],
      /less than 7 days/,
    ],
    [
      'a policy confirmed by the person who made its proposer a manager three days ago',
      [
        { kind: 'role given', by: 'hana', who: 'ed', role: 'admin' },
        days(3),
        policy('ed', { requiredApprovals: 0 }, { confirmedBy: 'hana' }),
      ],
      /less than 7 days/,
    ],
    [
      'a policy confirmed by someone appointed by a person who became a manager three days ago',
      [
        { kind: 'role given', by: 'hana', who: 'ed', role: 'admin' },
        { kind: 'role given', by: 'ed', who: 'rita', role: 'admin' },
        days(3),
        policy('hana', { requiredApprovals: 0 }, { confirmedBy: 'rita' }),
      ],
      /less than 7 days/,
    ],
    [
      'two mailboxes, through another account of one of them',
      [
        joined('mona1', 'admin', 'hana'),
        joined('mona2', 'admin', 'mona1'),
        joined('mona2+', 'reviewer', 'mona2'),
        made('mona1'),
        approved('mona2+'),
        merged('mona2+', { 'mona2+': [] }),
      ],
      /one mailbox added the other/,
    ],
    [
      'working hours with later due times, set by one of two managers',
      [
        {
          kind: 'working hours set',
          by: 'hana',
          alone: true,
          hours: { timeZone: 'UTC', week: [[{ from: 540, to: 600 }], [], [], [], [], [], []], holidays: [] },
        },
      ],
      /another managed/,
    ],
    [
      'an escalation that drops someone, set by one of two managers',
      [
        {
          kind: 'escalation set',
          by: { account: 'hana' },
          key: 'flow',
          escalation: { tell: ['owner'], againAfterMinutes: 60 },
          alone: false,
        },
        {
          kind: 'escalation set',
          by: { account: 'rita' },
          key: 'flow',
          escalation: { tell: ['owner'], againAfterMinutes: 90 },
          alone: true,
        },
      ],
      /another managed/,
    ],
    [
      'an escalation confirmed after its proposer was disabled',
      [
        joined('m', 'admin', 'hana'),
        days(8),
        {
          kind: 'escalation set',
          by: { account: 'rita' },
          key: 'flow',
          escalation: { tell: ['owner'], againAfterMinutes: 60 },
          alone: false,
        },
        { kind: 'account disabled', who: 'rita' },
        {
          kind: 'escalation set',
          by: { account: 'rita' },
          key: 'flow',
          escalation: { tell: [], againAfterMinutes: null },
          alone: false,
          confirmedBy: 'hana',
        },
      ],
      /can no longer make the change/,
    ],
    [
      'an escalation proposed with a token and confirmed by the token’s former owner',
      [
        joined('m', 'admin', 'hana'),
        { kind: 'token made', by: 'm', id: 't', of: 'organization' },
        gone('m', true),
        joined('m', 'admin', 'hana'),
        days(8),
        {
          kind: 'escalation set',
          by: { account: 'm', token: 'organization', tokenId: 't' },
          key: 'flow',
          escalation: { tell: ['owner'], againAfterMinutes: 60 },
          alone: false,
        },
        {
          kind: 'escalation set',
          by: { account: 'm' },
          key: 'flow',
          escalation: { tell: [], againAfterMinutes: null },
          alone: false,
          confirmedBy: 'm',
        },
      ],
      /the same account confirmed the proposal of itself/,
    ],
    [
      'a reviewer refused because of an account that others created',
      [
        joined('ghost', 'editor', 'hugo'),
        made('ghost'),
        { kind: 'approval refused', by: { account: 'rita' }, draft: 'd' },
      ],
      /no part in the draft/,
    ],
    [
      'a token that outlived a password reset',
      [
        { kind: 'token made', by: 'ed', id: 't', of: 'personal' },
        { kind: 'password reset', who: 'ed' },
        {
          kind: 'draft made',
          by: { account: 'ed', token: 'personal', tokenId: 't' },
          draft: 'd',
          key: 'flow',
          content: 'one',
          hasControl: false,
        },
      ],
      /token that has ended/,
    ],
    [
      'an emergency under strict review',
      [policy('hana', { strict: true }), made('ed'), merged('hana', {}, { emergency: true })],
      /emergency under strict/,
    ],
    [
      'a reviewer promoted by the author after they were confirmed as an editor',
      [
        days(8),
        { kind: 'member confirmed', who: 'ed', by: 'hugo', proposedBy: 'hana' },
        { kind: 'role given', by: 'hana', who: 'ed', role: 'reviewer' },
        made('hana'),
        approved('ed'),
        merged('ed', { ed: [] }),
      ],
      /added by the author/,
    ],
    [
      'a person confirmed by their other account',
      [
        joined('m', 'admin', 'hana'),
        joined('m+', 'reviewer', 'hana'),
        { kind: 'member confirmed', who: 'm+', by: 'm', proposedBy: 'hana' },
      ],
      /their own mailbox/,
    ],
    [
      "an organization's token that approves",
      [made('ed'), approved('hana', 'organization')],
      /token of the organization/,
    ],
    [
      'a token that approves under strict review',
      [policy('hana', { strict: true }), made('ed'), approved('rita', 'personal')],
      /under strict/,
    ],
    [
      'a token that approves without a mark',
      [made('ed'), approved('rita', 'personal'), merged('rita', { rita: [] })],
      /API token without a mark/,
    ],
    [
      'a version that went live without an approval or a mark',
      [policy('hana', { requiredApprovals: 0 }, { confirmedBy: 'hugo' }), made('ed'), merged('rita', {})],
      /live without an approval or a mark/,
    ],
    [
      'an emergency by someone who is not an owner',
      [made('ed'), merged('hugo', {}, { emergency: true })],
      /not an owner/,
    ],
    [
      'a rollback under strict review to a version with a marked approval',
      [
        joined('ghost', 'editor', 'hana'),
        gone('hugo'),
        days(8),
        made('ed'),
        approved('rita'),
        merged('rita', { rita: ['author_not_proved'] }),
        policy('hana', { strict: true }),
        { kind: 'rolled back', by: { account: 'rita' }, key: 'flow', version: 1, emergency: false },
      ],
      /under strict review to a version/,
    ],
    [
      'a rollback that removes an approval step',
      [
        made('ed'),
        approved('rita'),
        merged('rita', { rita: [] }),
        { kind: 'draft made', by: { account: 'ed' }, draft: 'e', key: 'flow', content: 'two', hasControl: true },
        { kind: 'approved', by: { account: 'rita' }, draft: 'e', ifMatch: false },
        {
          kind: 'merged',
          by: { account: 'rita' },
          draft: 'e',
          version: 2,
          shown: { approvals: [{ by: 'rita', marks: [] }], withoutApproval: false, emergency: false },
        },
        { kind: 'rolled back', by: { account: 'rita' }, key: 'flow', version: 1, emergency: false },
      ],
      /removes an approval step/,
    ],
  ])('reports %s', (_, calls, broken) => {
    const found = brokenIn(...team, ...calls);
    expect(found.join('\n')).toMatch(broken);
  });
});

it('an approval by one of two people behind unproved authors is reported only if the other could have reviewed', () => {
  const people = [founded('founder'), joined('hana', 'admin', 'founder')];
  const joins = [joined('ghost', 'editor', 'hana'), joined('ghost2', 'editor', 'founder')];
  const byGhosts = [made('ghost'), saved('ghost2', 'two')];
  const live = [approved('hana'), merged('hana', { hana: ['self_approved'] })];
  expect(brokenIn(...people, ...joins, ...byGhosts, ...live).join()).toMatch(/another could have reviewed/);
  expect(brokenIn(...people, ...joins, ...byGhosts, gone('founder'), ...live).join()).toMatch(
    /another could have reviewed/,
  );
  expect(brokenIn(...people, ...joins, ...byGhosts, gone('founder'), days(7), ...live)).toEqual([]);
  expect(brokenIn(...people, ...joins, ...byGhosts, saved('founder', 'three'), ...live)).toEqual([]);
  // The product can't know that the founder isn't Hana.
  const claimed = [founded('hana+'), joined('hana', 'admin', 'hana+')];
  const invited = [joined('nora', 'editor', 'hana'), joined('nick', 'editor', 'hana+')];
  expect(brokenIn(...claimed, ...invited, made('nora'), saved('nick', 'two'), ...live)).toEqual([]);
});

it('editing a draft withdraws only the editor’s own request for changes to it', () => {
  const objected = (account: string): Granted => ({ kind: 'objected', by: { account }, draft: 'd' });
  const live = [approved('rita'), merged('rita', { rita: [] })];
  expect(brokenIn(...team, made('ed'), objected('hugo'), saved('hugo', 'two'), ...live)).toEqual([]);
  const others = brokenIn(...team, made('ed'), objected('hugo'), saved('ed', 'two'), ...live);
  expect(others.join()).toMatch(/changes were requested/);
  const again = [saved('hugo', 'two'), { kind: 'discarded', by: { account: 'ed' }, draft: 'd', reason: true } as const];
  const elsewhere = brokenIn(...team, made('ed'), objected('hugo'), ...again, made('ed'), ...live);
  expect(elsewhere).toEqual([]);
});

describe('an account that the administrator disabled', () => {
  const disabled = (...who: string[]): Granted[] => who.map((id) => ({ kind: 'account disabled', who: id }));
  const enabled = (who: string): Granted => ({ kind: 'account enabled', who });
  const invited = (by: string, who: string): Granted => ({ kind: 'invited', by, email: `${who}@one.example` });
  const objected: Granted = { kind: 'objected', by: { account: 'rita' }, draft: 'd' };
  const setAside = (by: string): Granted => ({ kind: 'objection set aside', by, draft: 'd', objector: 'rita' });
  const selfApproved = [made('hana'), approved('hana'), merged('hana', { hana: ['self_approved'] })];

  it('counts as if its person had left long ago, until it is enabled again', () => {
    const loosened = [
      policy('hana', { requiredApprovals: 2 }),
      policy('hana', { requiredApprovals: 1 }, { alone: true }),
    ];
    expect(brokenIn(...team, ...loosened)).toHaveLength(1);
    expect(brokenIn(...team, ...disabled('hugo'), ...loosened)).toEqual([]);
    expect(brokenIn(...team, ...disabled('hugo'), enabled('hugo'), ...loosened)).toHaveLength(1);
    expect(brokenIn(...team, ...selfApproved).join()).toMatch(/another could have reviewed/);
    expect(brokenIn(...team, ...disabled('hugo', 'rita'), ...selfApproved)).toEqual([]);
  });

  it.each<[string, Granted[], RegExp]>([
    ['acts', [made('hana'), ...disabled('rita'), approved('rita')], /by a disabled account/],
    [
      'acts with its personal token',
      [made('ed'), ...disabled('rita'), approved('rita', 'personal')],
      /has ended|disabled/,
    ],
    [
      'confirms a change',
      [...disabled('hugo'), days(7), policy('hana', { requiredApprovals: 0 }, { confirmedBy: 'hugo' })],
      /by a disabled account/,
    ],
    [
      'proposed a change that is then confirmed',
      [...disabled('hana'), days(7), policy('hana', { requiredApprovals: 0 }, { confirmedBy: 'hugo' })],
      /proposed by someone who can no longer/,
    ],
    [
      'gave an approval that still counts',
      [made('ed'), approved('rita'), ...disabled('rita'), merged('hana', { rita: [] })],
      /can't review/,
    ],
    [
      'returns with an invitation',
      [invited('hugo', 'm'), ...disabled('hugo'), joined('m', 'admin', 'hugo')],
      /with an invitation by someone who/,
    ],
    [
      'was enabled again and returns with an invitation',
      [invited('hugo', 'm'), ...disabled('hugo'), enabled('hugo'), joined('m', 'admin', 'hugo')],
      /with an invitation by someone who/,
    ],
    [
      'has requested changes that nobody could set aside',
      [made('ed'), objected, ...disabled('rita'), { kind: 'set aside refused', objector: 'rita' }],
      /can no longer review/,
    ],
    [
      'has requested changes that the author set aside',
      [made('hana'), objected, ...disabled('rita'), setAside('hana')],
      /by someone who contributed/,
    ],
  ])('is reported if it %s', (_, calls, broken) => {
    expect(brokenIn(...team, ...calls).join('\n')).toMatch(broken);
  });

  it('has requested changes that another manager can set aside or, if there is none, the draft’s author', () => {
    const objection = [made('hana'), objected, ...disabled('rita')];
    expect(brokenIn(...team, ...objection, setAside('hugo'))).toEqual([]);
    expect(brokenIn(...team, ...objection, ...disabled('hugo'), setAside('hana'))).toEqual([]);
    expect(brokenIn(...team, made('ed'), objected, { kind: 'set aside refused', objector: 'rita' })).toEqual([]);
  });

  it('loses only the invitations that no other manager has sent again, like a removed or demoted manager', () => {
    const again = [invited('hugo', 'm'), invited('hana', 'm'), ...disabled('hugo'), joined('m', 'admin', 'hana')];
    expect(brokenIn(...team, ...again)).toEqual([]);
    for (const end of [gone('hugo'), { kind: 'role given', by: 'hana', who: 'hugo', role: 'editor' } as const])
      expect(brokenIn(...team, invited('hugo', 'm'), end, joined('m', 'admin', 'hugo')).join()).toMatch(
        /with an invitation/,
      );
  });
});
