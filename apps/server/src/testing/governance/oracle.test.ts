import { describe, expect, it } from 'vitest';
import { GovernanceOracle, type TrailEvent } from './oracle.ts';

const DRAFT = 'draft-1';
type Told = [actor: string, action: string, data?: object, subject?: string];

const team: Told[] = [
  ['ada', 'organization.created'],
  ['bo', 'member.joined', { role: 'reviewer' }, 'bo'],
  ['cy', 'member.joined', { role: 'reviewer' }, 'cy'],
  ['ed', 'member.joined', { role: 'editor' }, 'ed'],
  ['ed', 'draft.created', { key: 'flow', contentHash: 'h1', baseVersionId: null }],
  ['ed', 'draft.submitted', { key: 'flow' }],
];
const approved = (by: string, contentHash = 'h1'): Told => [by, 'draft.approved', { contentHash }];
const merged = (by = 'bo', contentHash = 'h1', version = 1): Told => [
  by,
  'draft.merged',
  { key: 'flow', contentHash, version },
];
const saved = (by: string, contentHash: string): Told => [by, 'draft.saved', { contentHash }];

function wrongIn(...told: Told[]): string[] {
  const oracle = new GovernanceOracle();
  return told.flatMap(([actor, action, data = {}, subject = DRAFT], index) => {
    const event: TrailEvent = {
      seq: index + 1,
      at: new Date(Date.UTC(2026, 10, 1) + index * 1000).toISOString(),
      actor: { id: actor },
      action,
      subject: { id: subject },
      data: { ...data },
    };
    return oracle.hear(event).map((each) => each.replace(/^no\. \d+, /, ''));
  });
}

describe('the oracle of governance', () => {
  it('has nothing to say of what is allowed', () => {
    expect(wrongIn(...team, approved('bo'), merged())).toEqual([]);
    expect(wrongIn(...team, ['bo', 'draft.changes_requested'], approved('bo'), merged('cy'))).toEqual([]);
    expect(wrongIn(...team, saved('bo', 'h2'), saved('ed', 'h1'), approved('cy'), merged('bo'))).toEqual([]);
  });

  it.each<[string, Told[], string]>([
    ['no approval', [], 'with 0 approvals that count where 1 were asked for'],
    [
      'too few',
      [
        ['ada', 'policy.changed', { before: { requiredApprovals: 1 }, after: { requiredApprovals: 2 } }],
        approved('bo'),
      ],
      'with 1 approvals that count where 2 were asked for',
    ],
    [
      'an approval of what was changed since and changed back',
      [approved('bo'), saved('ed', 'h2'), saved('ed', 'h1')],
      'with 0 approvals that count where 1 were asked for',
    ],
    [
      'the approval of someone who saved it later',
      [approved('bo'), saved('bo', 'h2'), saved('bo', 'h1')],
      'with 0 approvals that count where 1 were asked for',
    ],
    [
      'the approval of someone who was removed',
      [approved('cy'), ['ada', 'member.removed', {}, 'cy']],
      'with 0 approvals that count where 1 were asked for',
    ],
    [
      'the approval of someone who may not review any more',
      [approved('cy'), ['ada', 'member.role_changed', { after: { role: 'viewer' } }, 'cy']],
      'with 0 approvals that count where 1 were asked for',
    ],
    [
      'a standing request for changes',
      [approved('bo'), ['cy', 'draft.changes_requested'], ['ed', 'draft.submitted']],
      'although changes were requested',
    ],
    ['a draft that was taken back', [approved('bo'), ['ed', 'draft.withdrawn']], 'not submitted'],
  ])('finds a merge with %s', (_, told, wrong) => {
    expect(wrongIn(...team, ...told, merged())).toContain(`draft.merged: ${wrong}`);
  });

  it('finds a merge of other content, by someone who may not, over what went live since', () => {
    expect(wrongIn(...team, approved('bo'), merged('bo', 'h2'))).toEqual([
      'draft.merged: of content that the draft does not have',
    ]);
    expect(wrongIn(...team, approved('bo'), merged('ed'))).toEqual(['draft.merged: by someone who may not merge']);
    const second: Told[] = [
      ['ed', 'draft.created', { key: 'flow', contentHash: 'h9', baseVersionId: null }, 'draft-2'],
      ['bo', 'draft.approved', { contentHash: 'h9' }, 'draft-2'],
      approved('bo'),
      merged(),
      ['bo', 'draft.merged', { key: 'flow', contentHash: 'h9', version: 2 }, 'draft-2'],
    ];
    expect(wrongIn(...team, ...second)).toEqual(['draft.merged: its base was not live']);
  });

  it('finds an approval by a contributor, except where nobody else could give one', () => {
    expect(wrongIn(...team, saved('bo', 'h2'), approved('bo', 'h2'))).toEqual([
      'draft.approved: by a contributor although others could approve',
    ]);
    const alone: Told[] = [
      ['ada', 'organization.created'],
      ['ada', 'draft.created', { key: 'flow', contentHash: 'h1', baseVersionId: null }],
      approved('ada'),
    ];
    expect(wrongIn(...alone, merged('ada'))).toEqual([]);
    const late: Told = ['bo', 'member.joined', { role: 'reviewer' }, 'bo'];
    expect(wrongIn(...alone, late, merged('ada'))).toEqual([
      'draft.merged: with 0 approvals that count where 1 were asked for',
    ]);
  });

  it('finds a lowering that nobody confirmed, or its proposer did', () => {
    const second: Told[] = [...team, ['di', 'member.joined', { role: 'admin' }, 'di']];
    const change = { before: { requiredApprovals: 1 }, after: { requiredApprovals: 0 } };
    const proposed: Told = ['ada', 'policy.change_proposed', change];
    const lowered = 'policy.changed: lowered by one where another owner or admin could have confirmed';
    expect(wrongIn(...second, ['ada', 'policy.changed', change])).toEqual([lowered]);
    expect(wrongIn(...second, proposed, ['ada', 'policy.changed', { ...change, proposedBy: 'ada' }])).toEqual([
      lowered,
    ]);
    expect(wrongIn(...second, proposed, ['ed', 'policy.changed', { ...change, proposedBy: 'ada' }])).toContain(
      'policy.changed: by no owner or admin',
    );
    expect(wrongIn(...second, proposed, ['di', 'policy.changed', { ...change, proposedBy: 'ada' }])).toEqual([]);
    expect(wrongIn(...team, ['ada', 'policy.changed', change])).toEqual([]);
    const lately = 'policy.changed: lowered by one within a week of another owner or admin';
    const demoted: Told = ['ada', 'member.role_changed', { after: { role: 'viewer' } }, 'di'];
    const removed: Told = ['ada', 'member.removed', {}, 'di'];
    expect(wrongIn(...second, demoted, ['ada', 'policy.changed', change])).toEqual([lately]);
    expect(wrongIn(...second, removed, ['ada', 'policy.changed', change])).toEqual([lately]);
  });

  it('finds a rollback to what was never live', () => {
    expect(wrongIn(...team, ['bo', 'version.rolled_back', { key: 'flow', toVersionId: DRAFT }])).toEqual([
      'version.rolled_back: to what was never live',
    ]);
  });
});
