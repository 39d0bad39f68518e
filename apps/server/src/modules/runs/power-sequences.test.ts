import type { Confirmation, Group, SentInvitation, Task } from '@stet/contract';
import type { OrgRole } from '@stet/domain/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { joinOrganization, publish } from '../../testing/organization.ts';
import { act, complete, letTimePass, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

/**
 * Sequences of allowed calls around a run in which `dora` does the work and `axel` then tries to approve it. Dora
 * founded the team. `hugo`, who is an honest manager, and everyone else join in the sequence.
 *
 * - `hugo proves later`: someone else founded the team and left it to Dora and Hugo, whose addresses aren't proved.
 * - `dora proves`: proves her address.
 * - `dora makes axel reviewer`: changes a role.
 * - `dora adds axel`: adds a member to the group that the step names.
 * - `hugo drops axel`, `dora agrees`: the removal from the group waits for the other manager, because the run names it.
 * - `dora invites paul admin`: invites someone who joins with the link that the inviter sees. With `mailed`, they join
 *   with the mailed link, which proves the address.
 * - `paul offers nina reviewer`, `hugo resends nina`, `nina accepts`: the same in several calls.
 * - `dora confirms paul`: confirms the account as a second manager.
 * - `hugo joins admin`: has a role from the beginning that nobody gave.
 * - `rick works`: someone else does the work.
 * - `nina is the approver`: instead of `axel`.
 * - `review becomes strict`: for the organization.
 * - `clock goes back`: by an hour or some days, to the right time.
 * - `clock was ahead`: by 60 days for a moment, after everything earlier in the sequence.
 * - `clock dates vera`: it was ahead by 60 days when Vera got her current role.
 */
type Sequence = readonly string[];
/**
 * What the approver can do. `free`: approve without a mark that says who gave them this power. `marked`: approve with
 * such a mark. `barred`: only reject, because of who gave them the power. `own`: only reject, because the work counts
 * as theirs. `vouched`: only reject, because only one manager vouches for them or for the account that did the work.
 * `unnamed`: nothing, because they gave themselves the role that the step names.
 */
type Outcome = 'barred' | 'own' | 'vouched' | 'unnamed' | 'marked' | 'free';

const START = 'run starts';
const WORK = 'dora works';
const STRICT = 'review becomes strict';
const BACK = 'clock goes back';
const FAR_BACK = 'clock goes back 60 days';
const AHEAD = 'clock was ahead';
/** Dora and Hugo manage a team that Dora founded long ago. */
const PROVED = ['hugo joins admin', 'axel joins viewer'] as const;
/** Hugo invited an account, and only Dora has confirmed it. So it could be hers. */
const VOUCHED = [...PROVED, 'hugo invites rick editor', 'dora confirms rick'] as const;
/** Like `VOUCHED`, but the account is an admin. */
const VOUCHED_ADMIN = [...PROVED, 'hugo invites rick admin', 'dora confirms rick'] as const;
/** Two such accounts, one of which manages the team. */
const VOUCHED_TWICE = [...VOUCHED, 'hugo invites paul admin', 'dora confirms paul'] as const;
/** The account confirmed another one, and so on. */
const VOUCHED_CHAIN = [...VOUCHED_ADMIN, '8 days pass', 'hugo invites paul admin', 'rick confirms paul'] as const;
const LONGER_CHAIN = [...VOUCHED_CHAIN, '8 days pass', 'hugo invites quin admin', 'paul confirms quin'] as const;
/** Dora and Hugo have confirmed the account that confirmed the other one. */
const VOUCHED_BY_TWO = [
  ...VOUCHED_ADMIN,
  'dora makes rick owner',
  'hugo confirms rick',
  '8 days pass',
  'hugo invites paul admin',
  'rick confirms paul',
] as const;
/** Someone else has confirmed the account too, but only as an editor. */
const VOUCHED_LATER = [
  ...PROVED,
  'vera joins admin',
  'hugo invites rick editor',
  'vera confirms rick',
  'dora makes rick admin',
  'dora confirms rick',
] as const;
/** Rick was an admin whom only Dora had confirmed as such, through Paul. Vera has confirmed him as a reviewer. */
const FORMER_ADMIN = [
  ...PROVED,
  'vera joins admin',
  'hugo invites rick reviewer',
  'vera confirms rick',
  'hugo invites paul admin',
  'dora confirms paul',
  'hugo makes rick admin',
  '8 days pass',
  'paul confirms rick',
  'hugo makes rick reviewer',
  'rick is the approver',
] as const;
/** Dora and Vera have confirmed the account. */
const CONFIRMED_TWICE = [
  ...PROVED,
  'vera joins admin',
  'hugo invites rick editor',
  'dora makes rick admin',
  'dora confirms rick',
  'vera confirms rick',
] as const;
/** The founder left, so managers whose addresses aren't proved manage the team. */
const UNPROVED = ['hugo proves later', 'axel joins viewer'] as const;
/** Dora invited an account that invited Rick, and removed it. She belongs to the group that can approve. */
const REMOVED_INVITER = [
  'hugo proves later',
  'hugo adds dora',
  'dora invites paul admin',
  'paul invites rick editor',
  'dora removes paul',
  'dora is the approver',
] as const;
/** Hugo invited Paul, and Paul invited Rick, before any of them had proved an address. Nobody else manages the team. */
const CHAIN = [
  'hugo proves later',
  'hugo removes dora',
  'hugo invites paul admin',
  'paul invites rick editor',
  'hugo adds paul',
  'hugo adds hugo',
  'paul is the approver',
] as const;

const SEQUENCES: readonly (readonly [Outcome, Sequence])[] = [
  // Given before the run, by anyone.
  ['free', [...PROVED, 'dora makes axel reviewer', START, WORK]],
  // Given during the run.
  ['barred', [...PROVED, START, 'dora makes axel reviewer', WORK]],
  ['barred', [...PROVED, START, WORK, 'dora makes axel reviewer']],
  ['barred', [...PROVED, START, WORK, 'dora makes axel editor', 'dora makes axel reviewer']],
  ['free', [...PROVED, START, 'hugo makes axel reviewer', WORK]],
  ['marked', [...PROVED, START, WORK, 'hugo makes axel reviewer']],
  ['marked', [...PROVED, START, WORK, 'dora makes axel editor', 'hugo makes axel reviewer']],
  // Nobody else can give it.
  ['marked', ['axel joins viewer', START, WORK, 'dora makes axel reviewer']],
  ['marked', [START, WORK, 'dora invites axel reviewer mailed']],
  ['barred', [...PROVED, START, WORK, 'dora removes hugo', 'dora makes axel reviewer']],
  ['marked', [...PROVED, START, WORK, 'dora removes hugo', '8 days pass', 'dora makes axel reviewer']],
  // Through someone whom Dora appointed during the run.
  ['barred', [...PROVED, 'vera joins viewer', START, 'dora makes vera admin', 'vera makes axel reviewer', WORK]],
  [
    'barred',
    [
      ...PROVED,
      'vera joins viewer',
      START,
      'dora makes vera admin',
      'vera makes axel reviewer',
      'hugo makes vera viewer',
      WORK,
    ],
  ],
  [
    'barred',
    [
      ...PROVED,
      'vera joins viewer',
      START,
      'dora makes vera admin',
      'vera makes axel reviewer',
      'dora removes vera',
      WORK,
    ],
  ],
  [
    'barred',
    [...PROVED, START, 'dora invites vera admin mailed', 'vera makes axel reviewer', 'dora removes vera', WORK],
  ],
  [
    'marked',
    [
      ...PROVED,
      'vera joins viewer',
      START,
      'hugo makes vera admin',
      'vera makes axel reviewer',
      'dora makes vera owner',
      WORK,
    ],
  ],
  // Dora gives back the role that Hugo took away.
  [
    'barred',
    ['hugo joins admin', 'axel joins reviewer', START, 'hugo makes axel viewer', 'dora makes axel reviewer', WORK],
  ],
  [
    'barred',
    [
      'hugo joins admin',
      'axel joins reviewer',
      START,
      'hugo makes axel viewer',
      'dora makes axel admin',
      'dora makes axel reviewer',
      WORK,
    ],
  ],
  [
    'barred',
    ['hugo joins admin', 'axel joins reviewer', START, 'hugo removes axel', 'dora invites axel reviewer', WORK],
  ],
  [
    'barred',
    [
      'hugo joins admin',
      'axel joins reviewer',
      'vera joins viewer',
      START,
      'hugo makes axel viewer',
      'dora makes vera admin',
      'vera makes axel reviewer',
      WORK,
    ],
  ],
  [
    'barred',
    [
      'hugo joins admin',
      'axel joins admin',
      START,
      'hugo makes axel viewer',
      'dora makes axel owner',
      'dora makes axel reviewer',
      WORK,
    ],
  ],
  [
    'barred',
    [
      'hugo joins admin',
      'vera joins admin',
      'axel joins viewer',
      START,
      'hugo makes vera viewer',
      'dora makes vera owner',
      'vera makes axel reviewer',
      WORK,
    ],
  ],
  [
    'barred',
    [
      'hugo joins admin',
      'axel joins reviewer',
      START,
      'dora makes axel viewer',
      'hugo removes axel',
      'dora invites axel reviewer',
      WORK,
    ],
  ],
  [
    'free',
    [
      'hugo joins admin',
      'axel joins reviewer',
      START,
      'dora makes axel viewer',
      'hugo removes axel',
      'hugo invites axel reviewer',
      WORK,
    ],
  ],
  [
    'free',
    ['hugo joins admin', 'axel joins reviewer', START, 'dora makes axel viewer', 'dora makes axel reviewer', WORK],
  ],
  [
    'free',
    ['hugo joins admin', 'axel joins reviewer', START, 'dora makes axel viewer', 'hugo makes axel reviewer', WORK],
  ],
  [
    'free',
    ['hugo joins admin', 'axel joins reviewer', START, 'hugo makes axel viewer', 'hugo makes axel reviewer', WORK],
  ],
  ['free', ['hugo joins admin', 'axel joins reviewer', START, 'axel leaves', 'hugo invites axel reviewer', WORK]],
  // Through an unproved account that Dora invited before the run.
  ['barred', [...UNPROVED, 'dora invites paul admin', START, 'paul makes axel reviewer', 'hugo proves', WORK]],
  [
    'barred',
    [
      ...UNPROVED,
      'dora invites paul admin',
      START,
      'paul makes axel reviewer',
      'dora removes paul',
      'hugo proves',
      WORK,
    ],
  ],
  [
    'barred',
    [...UNPROVED, 'dora invites paul admin', START, 'paul makes axel reviewer', WORK, 'hugo proves', 'paul leaves'],
  ],
  [
    'barred',
    [...UNPROVED, 'dora invites paul admin', START, 'paul makes axel reviewer', 'paul proves', 'hugo proves', WORK],
  ],
  [
    'barred',
    [
      ...UNPROVED,
      'dora invites paul admin',
      'paul invites rick admin',
      START,
      'rick makes axel reviewer',
      'dora removes paul',
      'dora removes rick',
      'hugo proves',
      WORK,
    ],
  ],
  [
    'barred',
    [
      ...UNPROVED,
      'dora invites paul admin',
      'paul invites rick admin',
      'dora removes paul',
      START,
      'rick makes axel reviewer',
      'hugo proves',
      WORK,
    ],
  ],
  [
    'marked',
    [
      ...UNPROVED,
      'dora invites paul admin',
      'paul invites rick admin',
      'dora removes paul',
      START,
      'rick makes axel reviewer',
      'hugo proves',
      WORK,
      'hugo makes axel editor',
      'hugo makes axel reviewer',
    ],
  ],
  [
    'barred',
    [...UNPROVED, 'dora invites paul admin', START, 'paul adds axel', 'dora removes paul', 'hugo proves', WORK],
  ],
  ['marked', [...UNPROVED, 'dora invites paul admin', START, 'paul makes axel reviewer', 'dora removes paul', WORK]],
  ['free', [...UNPROVED, 'hugo invites paul admin', START, 'paul makes axel reviewer', 'hugo removes paul', WORK]],
  [
    'free',
    [
      ...UNPROVED,
      'dora invites paul admin',
      'paul makes axel reviewer',
      START,
      'dora removes paul',
      'hugo proves',
      WORK,
    ],
  ],
  // Memberships in the group.
  ['barred', [...PROVED, START, 'dora adds axel', WORK]],
  [
    'barred',
    [...PROVED, 'vera joins viewer', START, 'dora makes vera admin', 'vera adds axel', 'dora removes vera', WORK],
  ],
  ['free', [...PROVED, START, 'hugo adds axel', WORK]],
  // Adding someone who already belongs to the group changes nothing.
  ['barred', [...PROVED, START, 'dora adds axel', 'hugo adds axel', WORK]],
  ['free', [...PROVED, START, 'hugo adds axel', 'dora adds axel', WORK]],
  ['barred', [...PROVED, START, 'dora adds axel', 'hugo drops axel', 'hugo adds axel', WORK]],
  ['free', [...PROVED, START, 'dora adds axel', 'hugo drops axel', 'dora agrees', 'hugo adds axel', WORK]],
  // Without the other manager's agreement, someone else can be added.
  ['free', [...PROVED, 'nina joins viewer', START, 'dora adds axel', 'hugo adds nina', 'nina is the approver', WORK]],
  ['marked', [...PROVED, START, WORK, 'hugo adds axel']],
  ['marked', ['axel joins viewer', START, WORK, 'dora adds axel']],
  // Through an unproved account that proved its address, or was removed, between the invitation and its acceptance.
  [
    'barred',
    [
      ...UNPROVED,
      'dora invites paul admin',
      START,
      'paul offers nina reviewer',
      'paul proves',
      'nina accepts',
      'nina proves',
      'nina is the approver',
      'dora proves',
      'hugo proves',
      WORK,
    ],
  ],
  ...['paul proves', 'dora removes paul'].map((change): readonly [Outcome, Sequence] => [
    'marked',
    [
      ...UNPROVED,
      'dora invites paul admin',
      START,
      'paul offers nina reviewer',
      'hugo resends nina',
      change,
      'nina accepts',
      'nina proves',
      'nina is the approver',
      'dora proves',
      'hugo proves',
      WORK,
    ],
  ]),
  [
    'free',
    [
      ...UNPROVED,
      'dora invites paul admin',
      'paul offers nina reviewer',
      'hugo resends nina',
      'dora removes paul',
      'nina accepts',
      'nina proves',
      'nina is the approver',
      START,
      WORK,
    ],
  ],
  // Work by an unproved account whose inviter was removed.
  ['own', [...REMOVED_INVITER, 'dora proves', 'hugo proves', START, 'rick works']],
  ['own', [...REMOVED_INVITER, START, 'dora proves', 'hugo proves', 'rick works']],
  [
    'own',
    [
      'hugo proves later',
      'hugo adds dora',
      'dora invites paul admin',
      'paul invites rick editor',
      'paul proves',
      'paul leaves',
      'dora is the approver',
      'dora proves',
      'hugo proves',
      START,
      'rick works',
    ],
  ],
  // Everyone who manages the team is behind the unproved account, but the managers are two people.
  ['own', [...CHAIN, 'hugo proves', 'paul proves', START, 'rick works']],
  ['own', [...CHAIN, START, 'paul proves', 'hugo proves', 'rick works']],
  ['own', [...CHAIN, 'hugo proves', 'paul proves', 'hugo is the approver', START, 'rick works']],
  // Rick proves his address, or joins again with an invitation by a proved manager.
  ['free', [...CHAIN, 'hugo proves', 'paul proves', 'rick proves', START, 'rick works']],
  [
    'free',
    [
      ...CHAIN,
      'hugo proves',
      'paul proves',
      'paul removes rick',
      'paul invites rick editor',
      'hugo is the approver',
      START,
      'rick works',
    ],
  ],
  // Paul could be Hugo's account, and nobody else manages the team.
  ['free', [...CHAIN, 'hugo proves', START, 'rick works']],
  // Nobody could confirm Rick.
  ['free', [...REMOVED_INVITER, START, 'rick works']],
  // Someone else invited Rick.
  [
    'free',
    [
      'hugo joins admin',
      'dora adds dora',
      'hugo invites rick editor',
      'hugo leaves',
      'dora is the approver',
      START,
      'rick works',
    ],
  ],
  // Work by an account that only Dora has confirmed, and a power that she gave.
  ['marked', [...VOUCHED, 'dora adds axel', START, 'rick works']],
  ['marked', [...VOUCHED, START, 'dora adds axel', 'rick works']],
  ['marked', [...VOUCHED, START, 'dora makes axel reviewer', 'rick works']],
  ['marked', [...VOUCHED, START, 'dora invites nina reviewer mailed', 'nina is the approver', 'rick works']],
  ['marked', [...VOUCHED, 'vera joins viewer', START, 'dora makes vera admin', 'vera adds axel', 'rick works']],
  ['marked', [...VOUCHED, 'dora adds axel', START, 'rick works', 'hugo removes rick']],
  ['barred', [...VOUCHED, STRICT, 'dora adds axel', START, 'rick works']],
  ['barred', [...VOUCHED, STRICT, START, 'dora adds axel', 'rick works']],
  ['barred', [...VOUCHED, STRICT, START, 'dora makes axel reviewer', 'rick works']],
  ['barred', [...VOUCHED, STRICT, START, 'dora invites nina reviewer mailed', 'nina is the approver', 'rick works']],
  ['barred', [...VOUCHED, STRICT, 'vera joins viewer', START, 'dora makes vera admin', 'vera adds axel', 'rick works']],
  // Rick proves his address, or someone else gave the power too.
  ...[[], [STRICT]].flatMap((strict): (readonly [Outcome, Sequence])[] => [
    ['free', [...VOUCHED, ...strict, 'dora adds axel', START, 'rick works', 'rick proves']],
    ['free', [...VOUCHED, ...strict, START, 'dora makes axel reviewer', 'rick works', 'rick proves']],
    ['free', [...VOUCHED, ...strict, 'hugo adds axel', START, 'rick works']],
    ['free', [...VOUCHED, ...strict, START, 'hugo makes axel reviewer', 'dora adds axel', 'rick works']],
    ['free', [...VOUCHED, ...strict, 'dora makes axel reviewer', 'dora adds axel', START, 'rick works']],
    [
      'free',
      [
        ...VOUCHED,
        ...strict,
        'dora adds axel',
        'hugo drops axel',
        'dora agrees',
        'hugo adds axel',
        START,
        'rick works',
      ],
    ],
  ]),
  // A power that such an account gave, for Dora's work.
  ['marked', [...VOUCHED_ADMIN, 'rick adds axel', START, WORK]],
  ['marked', [...VOUCHED_ADMIN, START, 'rick adds axel', WORK]],
  ['marked', [...VOUCHED_ADMIN, START, 'rick makes axel reviewer', WORK]],
  ['marked', [...VOUCHED_ADMIN, 'vera joins viewer', START, 'rick makes vera admin', 'vera adds axel', WORK]],
  ['marked', [...VOUCHED_TWICE, 'paul adds axel', START, 'rick works']],
  ['barred', [...VOUCHED_ADMIN, STRICT, 'rick adds axel', START, WORK]],
  ['barred', [...VOUCHED_ADMIN, STRICT, START, 'rick makes axel reviewer', WORK]],
  ['barred', [...VOUCHED_TWICE, STRICT, 'paul adds axel', START, 'rick works']],
  // The account proves its address, has nothing to do with the work, or someone else gave the power too.
  ...[[], [STRICT]].flatMap((strict): (readonly [Outcome, Sequence])[] => [
    ['free', [...VOUCHED_ADMIN, ...strict, 'rick adds axel', START, WORK, 'rick proves']],
    ['free', [...VOUCHED_ADMIN, ...strict, START, 'rick makes axel reviewer', WORK, 'rick proves']],
    ['free', [...VOUCHED_ADMIN, ...strict, 'rick adds axel', START, 'hugo works']],
    ['free', [...VOUCHED_ADMIN, ...strict, 'hugo adds axel', START, WORK]],
    ['free', [...VOUCHED_ADMIN, ...strict, START, 'hugo makes axel reviewer', 'rick adds axel', WORK]],
    ['free', [...VOUCHED_TWICE, ...strict, 'paul adds axel', START, 'rick works', 'paul proves']],
  ]),
  // Only Dora vouches for an account through other accounts.
  ...(['marked', 'barred'] as const).flatMap((outcome): (readonly [Outcome, Sequence])[] => {
    const strict = outcome === 'barred' ? [STRICT] : [];
    return [
      [outcome, [...VOUCHED_CHAIN, ...strict, 'paul adds axel', START, WORK]],
      [outcome, [...VOUCHED_CHAIN, ...strict, START, 'paul makes axel reviewer', WORK]],
      [outcome, [...VOUCHED_CHAIN, ...strict, 'paul adds axel', START, 'rick works']],
      [outcome, [...LONGER_CHAIN, ...strict, 'quin adds axel', START, WORK]],
    ];
  }),
  // Two people vouch for it, one of the accounts proves its address, or the work is someone else’s.
  ...[[], [STRICT]].flatMap((strict): (readonly [Outcome, Sequence])[] => [
    ['free', [...VOUCHED_BY_TWO, ...strict, 'paul adds axel', START, WORK]],
    ['free', [...VOUCHED_BY_TWO, ...strict, 'paul adds axel', START, 'hugo works']],
    ['free', [...VOUCHED_CHAIN, ...strict, 'paul adds axel', START, WORK, 'rick proves']],
    ['free', [...VOUCHED_CHAIN, ...strict, 'paul adds axel', START, WORK, 'paul proves']],
    ['free', [...VOUCHED_CHAIN, ...strict, 'paul adds axel', START, 'hugo works']],
  ]),
  // The account leaves, or becomes an editor again. For its powers as a manager, this changes nothing.
  ...['rick leaves', 'dora makes rick editor'].flatMap((end) =>
    (['marked', 'barred'] as const).flatMap((outcome): (readonly [Outcome, Sequence])[] => {
      const strict = outcome === 'barred' ? [STRICT] : [];
      const another = ['hugo invites paul admin', 'rick confirms paul', ...strict, 'paul adds axel', end, START];
      return [
        [outcome, [...VOUCHED_LATER, ...another, WORK]],
        [outcome, [...VOUCHED_LATER, ...strict, 'rick adds axel', end, START, WORK]],
        [outcome, [...VOUCHED_LATER, ...strict, START, 'rick makes axel reviewer', end, WORK]],
        ['free', [...VOUCHED_LATER, ...another, 'hugo works']],
        ['free', [...VOUCHED_LATER, 'dora makes rick owner', 'vera confirms rick', ...another, WORK]],
        [
          'free',
          [
            ...VOUCHED_LATER,
            'dora makes rick owner',
            'vera confirms rick',
            ...strict,
            'rick adds axel',
            end,
            START,
            WORK,
          ],
        ],
      ];
    }),
  ),
  // Dora gave herself the role through the account. Vera has confirmed it only as an editor.
  ...[[], ['rick leaves'], ['hugo makes rick editor']].flatMap((end): (readonly [Outcome, Sequence])[] => {
    const taken = ['hugo makes dora admin', 'rick makes dora reviewer', ...end, START, 'hugo works'];
    return [
      ['unnamed', [...VOUCHED_LATER, 'dora makes hugo owner', ...taken, 'dora is the approver']],
      [
        'free',
        [
          ...VOUCHED_LATER,
          'dora makes rick owner',
          'vera confirms rick',
          'dora makes hugo owner',
          ...taken,
          'dora is the approver',
        ],
      ],
    ];
  }),
  // Only confirmations that cover Rick's current role, by accounts with a proof of their own, prove him when he decides.
  ['free', [...FORMER_ADMIN, STRICT, START, WORK]],
  ['vouched', [...FORMER_ADMIN, STRICT, START, 'vera works']],
  // Two managers vouch for the account, so it isn't tied to either.
  ...[[], [STRICT]].flatMap((strict): (readonly [Outcome, Sequence])[] => [
    ['free', [...CONFIRMED_TWICE, ...strict, 'hugo adds dora', 'dora is the approver', START, 'rick works']],
    ['free', [...CONFIRMED_TWICE, ...strict, 'hugo adds vera', 'vera is the approver', START, 'rick works']],
    ['free', [...CONFIRMED_TWICE, ...strict, 'hugo adds rick', 'rick is the approver', START, WORK]],
  ]),
  ['vouched', [...VOUCHED, STRICT, 'hugo adds dora', 'dora is the approver', START, 'rick works']],
  ['vouched', [...VOUCHED, STRICT, 'hugo adds rick', 'rick is the approver', START, WORK]],
  // After a clock was set back, changes still have the order in which they were made.
  ['barred', [...PROVED, START, BACK, 'dora makes axel reviewer', WORK]],
  ['barred', [...PROVED, START, BACK, 'dora adds axel', WORK]],
  ['barred', [...PROVED, 'vera joins viewer', START, 'dora makes vera admin', BACK, 'vera adds axel', WORK]],
  [
    'barred',
    [
      ...PROVED,
      'vera joins viewer',
      START,
      'dora makes vera admin',
      BACK,
      'vera adds axel',
      'hugo makes vera viewer',
      WORK,
    ],
  ],
  [
    'barred',
    [
      ...PROVED,
      START,
      BACK,
      'dora invites nina viewer',
      'hugo confirms nina',
      'dora adds nina',
      'nina is the approver',
      WORK,
    ],
  ],
  [
    'marked',
    [...PROVED, START, WORK, 'dora invites nina reviewer', 'nina is the approver', BACK, 'hugo confirms nina'],
  ],
  // Steps become active at the time of the clock, so powers look newer until it has caught up.
  ['marked', [...PROVED, START, BACK, 'hugo makes axel reviewer', WORK]],
  ['marked', [...PROVED, START, BACK, 'dora adds axel', 'hugo drops axel', 'dora agrees', 'hugo adds axel', WORK]],
  // If it was far ahead, changes after that are dated as usual. But their order with earlier changes isn't known.
  ['free', [...PROVED, AHEAD, 'hugo makes axel reviewer', START, WORK]],
  ['free', [...PROVED, AHEAD, 'hugo adds axel', START, WORK]],
  ['barred', [...PROVED, START, AHEAD, 'dora makes axel reviewer', WORK]],
  ['barred', [...PROVED, START, AHEAD, 'dora adds axel', WORK]],
  ['barred', [...PROVED, START, 'dora adds axel', FAR_BACK, WORK]],
  ['free', [...PROVED, START, 'dora adds axel', FAR_BACK, 'hugo drops axel', 'dora agrees', 'hugo adds axel', WORK]],
  [
    'marked',
    [...PROVED, START, WORK, 'dora invites nina reviewer', 'nina is the approver', FAR_BACK, 'hugo confirms nina'],
  ],
  // The clock was far ahead when Dora founded the team.
  ['free', [...PROVED, 'clock dates dora', 'dora makes axel reviewer', START, WORK]],
  ['free', [...PROVED, 'clock dates dora', 'dora adds axel', START, 'hugo works']],
  ['barred', [...PROVED, 'clock dates dora', START, 'dora makes axel reviewer', WORK]],
  [
    'barred',
    [...PROVED, 'clock dates dora', START, 'hugo works', 'hugo invites nina reviewer mailed', 'nina is the approver'],
  ],
  [
    'marked',
    [
      ...PROVED,
      'clock dates dora',
      START,
      'hugo works',
      'hugo invites nina reviewer',
      'nina is the approver',
      'dora confirms nina',
    ],
  ],
  // It was far ahead when someone was appointed, in the run or before.
  ...['vera makes axel reviewer', 'vera adds axel'].flatMap((gift): (readonly [Outcome, Sequence])[] => [
    ['barred', [...PROVED, 'vera joins viewer', START, 'dora makes vera admin', 'clock dates vera', gift, WORK]],
    ['free', [...PROVED, 'vera joins viewer', START, 'hugo makes vera admin', 'clock dates vera', gift, WORK]],
    ['free', [...PROVED, 'vera joins viewer', 'dora makes vera admin', 'clock dates vera', gift, START, WORK]],
    ['barred', [...PROVED, 'vera joins viewer', 'dora makes vera admin', 'clock dates vera', START, gift, WORK]],
  ]),
  // Another manager agrees.
  ['marked', [...PROVED, START, WORK, 'dora invites nina reviewer', 'nina is the approver', 'hugo confirms nina']],
  [
    'barred',
    [
      ...PROVED,
      'vera joins viewer',
      START,
      WORK,
      'dora makes vera admin',
      'dora invites nina reviewer',
      'nina is the approver',
      'nina proves',
      '8 days pass',
      'vera confirms nina',
    ],
  ],
];

const PAYMENT = [
  { id: 'work', title: 'Work', next: ['check'] },
  {
    id: 'check',
    title: 'Check',
    type: 'approval',
    assignee: 'reviewer, group:finance',
    config: { separateFrom: true },
    next: [],
  },
];
const REFUSALS: Partial<Record<Outcome, object>> = {
  barred: refused(403, 'added_during_run'),
  own: refused(403, 'separate_from'),
  vouched: refused(409, 'reviewer_not_counted_yet'),
  unnamed: refused(403, 'not_assigned'),
};
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

describe('an approval after this sequence', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  /** Makes the calls of a sequence, which must all be allowed. */
  async function play(sequence: Sequence) {
    const { found, add, join, logIn, prove, remove, setRole, pass } = secondPersonBench(server);
    const isUnproved = sequence.includes('hugo proves later');
    const founder = await found(!isUnproved);
    const orgId = founder.user.currentOrgId ?? '';
    const players = new Map<string, Person>();
    const offers = new Map<string, SentInvitation>();
    const person = (name = ''): Person => {
      const known = players.get(name);
      if (!known) throw new Error(`Nobody is called ${name}`);
      return known;
    };
    await server.sql('update organizations set required_approvals = 0 where id = $1', [orgId]);
    const starter = await add(founder, 'editor', { mailed: true });
    const group = await founder.post<Group>('/api/groups', {
      name: 'Finance',
      slug: 'finance',
      members: [starter.user.id],
    });
    await publish(founder, founder, 'pay', PAYMENT);
    if (isUnproved) {
      players.set('dora', await add(founder, 'admin'));
      players.set('hugo', await add(founder, 'admin'));
      await setRole(founder, person('hugo'), 'owner');
      await remove(founder, founder);
      await pass(orgId, 30);
    } else players.set('dora', founder);
    let runId = '';
    let approver = 'axel';
    const invitations = `/api/organizations/${orgId}/invitations`;
    const allowed = (reply: { status: number }) => expect(reply.status).toBeLessThan(300);
    const invite = async (by: Person, name: string, role: string, isMailed: boolean) => {
      const former = players.get(name);
      if (!former) {
        players.set(name, await add(by, role as 'viewer', { mailed: isMailed }));
        return;
      }
      const { email } = former.user;
      const { link } = await by.post<SentInvitation>(invitations, { email, role });
      await (await logIn(email)).post(`/api/invitations/${link.split('/').at(-1)}/join`);
      players.set(name, await logIn(email));
    };
    for (const call of sequence) {
      const [who = '', verb, whom = '', what = '', how] = call.split(' ');
      if (call === STRICT) await server.sql('update organizations set strict = true where id = $1', [orgId]);
      else if (verb === 'dates')
        await server.sql(
          `update role_history set since = since + interval '60 days' where org_id = $1 and user_id = $2 and until is null`,
          [orgId, person(whom).user.id],
        );
      else if (verb === 'goes') {
        // As if everything until now had been stored while the clock was ahead.
        const ms = what ? Number(what) * DAY : HOUR;
        await letTimePass(server, runId, -ms);
        await moveTrail(server, orgId, ms);
      } else if (call === AHEAD) await moveTrail(server, orgId, 60 * DAY);
      else if (call === START) runId = (await start(starter, 'pay')).id;
      else if (verb === 'works') allowed(await complete(person(who), runId, 'work'));
      else if (verb === 'days') {
        if (runId === '') await pass(orgId, Number(who));
        else await letTimePass(server, runId, Number(who) * DAY);
      } else if (verb === 'is') approver = who;
      else if (verb === 'joins') {
        players.set(who, await server.signUp());
        await joinOrganization(server, person(who), orgId, whom as OrgRole);
        players.set(who, await logIn(person(who).user.email));
      } else if (verb === 'makes') allowed(await setRole(inTeam(person(who), orgId), person(whom), what as OrgRole));
      else if (verb === 'adds')
        allowed(await person(who).call('PATCH', `/api/groups/${group.id}`, { addMembers: [person(whom).user.id] }));
      else if (verb === 'drops')
        allowed(await person(who).call('PATCH', `/api/groups/${group.id}`, { removeMembers: [person(whom).user.id] }));
      else if (verb === 'agrees') {
        const waiting = await person(who).get<Confirmation[]>('/api/confirmations');
        const removal = waiting.find(({ kind }) => kind === 'group_members');
        allowed(await person(who).call('POST', `/api/confirmations/${removal?.id}/confirm`));
      } else if (verb === 'removes') allowed(await remove(inTeam(person(who), orgId), person(whom)));
      else if (verb === 'leaves') allowed(await remove(inTeam(person(who), orgId), person(who)));
      else if (verb === 'invites') await invite(inTeam(person(who), orgId), whom, what, how === 'mailed');
      else if (verb === 'offers') {
        const email = `${whom}-${orgId}@example.com`;
        offers.set(whom, await person(who).post<SentInvitation>(invitations, { email, role: what }));
      } else if (verb === 'resends')
        offers.set(whom, await person(who).post<SentInvitation>(`${invitations}/${offers.get(whom)?.id}/resend`));
      else if (verb === 'accepts') {
        const offer = offers.get(who);
        if (offer) players.set(who, await join(offer, offer.email));
      } else if (verb === 'confirms') {
        const waiting = await person(who).get<Confirmation[]>('/api/confirmations');
        const about = waiting.find(({ subjectId }) => subjectId === person(whom).user.id);
        allowed(await person(who).call('POST', `/api/confirmations/${about?.id}/confirm`));
      } else if (call.endsWith('proves')) await prove(person(who));
      else if (!call.endsWith('proves later')) throw new Error(`Unknown call: ${call}`);
    }
    return { approver: person(approver), runId };
  }

  it.each(SEQUENCES)('is %s: %j', async (outcome, sequence) => {
    const { approver, runId } = await play(sequence);
    const tasks = await approver.get<Task[]>('/api/tasks?limit=200');
    const refusal = REFUSALS[outcome];
    expect(tasks).toMatchObject(outcome === 'unnamed' ? [] : [{ stepId: 'check', onlyReject: refusal !== undefined }]);
    const reply = await act(approver, runId, 'check', 'approve');
    if (refusal) {
      expect(reply).toMatchObject(refusal);
      if (outcome === 'unnamed') return;
      expect((await act(approver, runId, 'check', 'reject', { comments: 'No' })).status).toBe(200);
      return;
    }
    expect(reply.status).toBe(200);
    expect(reply.body.run.status).toBe('completed');
    const marks = (reply.body.run.marks ?? []).filter((mark) => /^(?:role|added)_/.test(mark));
    expect(marks.length > 0).toBe(outcome === 'marked');
  });
});

/** Moves the time of the last event in the trail forward by `ms`, as if it had been recorded then. */
const moveTrail = ({ sql }: TestServer, orgId: string, ms: number) =>
  sql('update audit_heads set at = at + make_interval(secs => $2) where org_id = $1', [orgId, ms / 1000]);

const inTeam = (person: Person, orgId: string): Person => ({
  ...person,
  user: { ...person.user, currentOrgId: orgId },
});
