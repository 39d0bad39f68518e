import { describe, expect, it } from 'vitest';
import { GovernanceOracle, type TrailEvent } from './oracle.ts';

const DRAFT = 'draft-1';
type Recorded = [actor: string, action: string, data?: object, subject?: string];

const team: Recorded[] = [
  ['ada', 'organization.created'],
  ['bo', 'member.joined', { role: 'reviewer' }, 'bo'],
  ['cy', 'member.joined', { role: 'reviewer' }, 'cy'],
  ['ed', 'member.joined', { role: 'editor' }, 'ed'],
  ['ed', 'draft.created', { key: 'flow', contentHash: 'h1', baseVersionId: null }],
  ['ed', 'draft.submitted', { key: 'flow' }],
];
const approved = (by: string, contentHash = 'h1'): Recorded => [by, 'draft.approved', { contentHash }];
const merged = (by = 'bo', contentHash = 'h1', version = 1): Recorded => [
  by,
  'draft.merged',
  { key: 'flow', contentHash, version },
];
const undone = (by: string): Recorded => [by, 'draft.approval_withdrawn'];
const saved = (by: string, contentHash: string): Recorded => [by, 'draft.saved', { contentHash }];

function wrongIn(...recorded: Recorded[]): string[] {
  const oracle = new GovernanceOracle();
  return recorded.flatMap(([actor, action, data = {}, subject = DRAFT], index) => {
    const event: TrailEvent = {
      seq: index + 1,
      at: new Date(Date.UTC(2026, 10, 1) + index * 1000).toISOString(),
      actor: { id: actor },
      action,
      subject: { id: subject },
      data: { ...data },
    };
    return oracle.receive(event).map((each) => each.replace(/^no\. \d+, /, ''));
  });
}

describe('the governance oracle', () => {
  it('reports nothing for allowed actions', () => {
    expect(wrongIn(...team, approved('bo'), merged())).toEqual([]);
    expect(wrongIn(...team, ['bo', 'draft.changes_requested'], approved('bo'), merged('cy'))).toEqual([]);
    expect(wrongIn(...team, saved('bo', 'h2'), saved('ed', 'h1'), approved('cy'), merged('bo'))).toEqual([]);
  });

  it.each<[string, Recorded[], string]>([
    ['no approval', [], 'only 0 of 1 required approvals count'],
    [
      'too few approvals',
      [
        ['ada', 'policy.changed', { before: { requiredApprovals: 1 }, after: { requiredApprovals: 2 } }],
        approved('bo'),
      ],
      'only 1 of 2 required approvals count',
    ],
    ['a withdrawn approval', [approved('bo'), undone('bo')], 'only 0 of 1 required approvals count'],
    [
      'a request for changes that a withdrawn approval had ended',
      [['cy', 'draft.changes_requested'], approved('cy'), approved('bo'), undone('cy')],
      'although changes were requested',
    ],
    [
      'an approval of content that was changed and changed back',
      [approved('bo'), saved('ed', 'h2'), saved('ed', 'h1')],
      'only 0 of 1 required approvals count',
    ],
    [
      'the approval of someone who later saved the draft',
      [approved('bo'), saved('bo', 'h2'), saved('bo', 'h1')],
      'only 0 of 1 required approvals count',
    ],
    [
      'the approval of someone who was removed',
      [approved('cy'), ['ada', 'member.removed', {}, 'cy']],
      'only 0 of 1 required approvals count',
    ],
    [
      'the approval of someone who can no longer review',
      [approved('cy'), ['ada', 'member.role_changed', { after: { role: 'viewer' } }, 'cy']],
      'only 0 of 1 required approvals count',
    ],
    [
      'an open request for changes',
      [approved('bo'), ['cy', 'draft.changes_requested'], ['ed', 'draft.submitted']],
      'although changes were requested',
    ],
    ['a draft that was withdrawn', [approved('bo'), ['ed', 'draft.withdrawn']], 'not submitted'],
  ])('reports a merge with %s', (_, recorded, wrong) => {
    expect(wrongIn(...team, ...recorded, merged())).toContain(`draft.merged: ${wrong}`);
  });

  it('reports a merge of different content, without permission, or over a newer live version', () => {
    expect(wrongIn(...team, approved('bo'), merged('bo', 'h2'))).toEqual([
      "draft.merged: of content that the draft doesn't have",
    ]);
    expect(wrongIn(...team, approved('bo'), merged('ed'))).toEqual(["draft.merged: by someone who can't merge"]);
    const second: Recorded[] = [
      ['ed', 'draft.created', { key: 'flow', contentHash: 'h9', baseVersionId: null }, 'draft-2'],
      ['bo', 'draft.approved', { contentHash: 'h9' }, 'draft-2'],
      approved('bo'),
      merged(),
      ['bo', 'draft.merged', { key: 'flow', contentHash: 'h9', version: 2 }, 'draft-2'],
    ];
    expect(wrongIn(...team, ...second)).toEqual(['draft.merged: its base was not live']);
  });

  it('reports an approval by a contributor, unless nobody else could approve', () => {
    expect(wrongIn(...team, saved('bo', 'h2'), approved('bo', 'h2'))).toEqual([
      'draft.approved: by a contributor although others could approve',
    ]);
    const alone: Recorded[] = [
      ['ada', 'organization.created'],
      ['ada', 'draft.created', { key: 'flow', contentHash: 'h1', baseVersionId: null }],
      approved('ada'),
    ];
    expect(wrongIn(...alone, merged('ada'))).toEqual([]);
    const late: Recorded = ['bo', 'member.joined', { role: 'reviewer' }, 'bo'];
    expect(wrongIn(...alone, late, merged('ada'))).toEqual(['draft.merged: only 0 of 1 required approvals count']);
  });

  it('reports a weakening that nobody confirmed or that its proposer confirmed', () => {
    const second: Recorded[] = [...team, ['di', 'member.joined', { role: 'admin' }, 'di']];
    const change = { before: { requiredApprovals: 1 }, after: { requiredApprovals: 0 } };
    const proposed: Recorded = ['ada', 'policy.change_proposed', change];
    const lowered = 'policy.changed: lowered by one person although another owner or admin could have confirmed';
    expect(wrongIn(...second, ['ada', 'policy.changed', change])).toEqual([lowered]);
    expect(wrongIn(...second, proposed, ['ada', 'policy.changed', { ...change, proposedBy: 'ada' }])).toEqual([
      lowered,
    ]);
    expect(wrongIn(...second, proposed, ['ed', 'policy.changed', { ...change, proposedBy: 'ada' }])).toContain(
      'policy.changed: by someone who is not an owner or admin',
    );
    expect(wrongIn(...second, proposed, ['di', 'policy.changed', { ...change, proposedBy: 'ada' }])).toEqual([]);
    expect(wrongIn(...team, ['ada', 'policy.changed', change])).toEqual([]);
    const lately = 'policy.changed: lowered by one person within a week of another owner or admin';
    const demoted: Recorded = ['ada', 'member.role_changed', { after: { role: 'viewer' } }, 'di'];
    const removed: Recorded = ['ada', 'member.removed', {}, 'di'];
    expect(wrongIn(...second, demoted, ['ada', 'policy.changed', change])).toEqual([lately]);
    expect(wrongIn(...second, removed, ['ada', 'policy.changed', change])).toEqual([lately]);
  });

  it('reports a rollback to a version that was never live', () => {
    expect(wrongIn(...team, ['bo', 'version.rolled_back', { key: 'flow', toVersionId: DRAFT }])).toEqual([
      'version.rolled_back: to a version that was never live',
    ]);
  });
});
