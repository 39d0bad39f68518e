import { describe, expect, it } from 'vitest';
import { type Asked, disagreements, judge } from './verdict.ts';

const asked = (more: Partial<Asked>): Asked => ({ kind: 'run', id: 'a', acknowledged: true, unanswered: 0, ...more });

describe('the verdict on a fault run', () => {
  it.each<[string, Partial<Asked>, number, object]>([
    ['acknowledged and present', {}, 1, { acknowledged: 1, lost: [], duplicated: [], inDoubt: 0, unacknowledged: 0 }],
    ['acknowledged but missing', {}, 0, { acknowledged: 1, lost: ['run a'], duplicated: [] }],
    ['acknowledged and present twice', {}, 2, { acknowledged: 1, lost: [], duplicated: ['run a'] }],
    [
      'without a response and not applied',
      { acknowledged: false, unanswered: 3 },
      0,
      { lost: [], inDoubt: 1, unacknowledged: 1 },
    ],
    ['never answered but present', { acknowledged: false, unanswered: 1 }, 1, { lost: [], duplicated: [], inDoubt: 1 }],
    ['never answered and present twice', { acknowledged: false, unanswered: 1 }, 2, { duplicated: ['run a'] }],
    [
      'resolved by a repeated request',
      { unanswered: 2 },
      1,
      { acknowledged: 1, lost: [], inDoubt: 1, unacknowledged: 0 },
    ],
    ['refused and not applied', { acknowledged: false }, 0, { lost: [], inDoubt: 0, unacknowledged: 1 }],
  ])('judges a change that is %s (%j, seen %d times): %j', (_, change, times, expected) => {
    expect(judge([asked(change)], new Map([['run a', times]]))).toMatchObject({ unasked: [], ...expected });
  });

  it('treats changes of different kinds as different, even if they have the same id', () => {
    const changes = [asked({ kind: 'save' }), asked({ kind: 'merge' })];
    expect(judge(changes, new Map([['save a', 1]]))).toMatchObject({ acknowledged: 2, lost: ['merge a'] });
  });

  it('reports changes that no client requested', () => {
    expect(judge([asked({})], new Map([['run a', 1], ['run b', 1], ['step a/one', 0]]))).toMatchObject({ unasked: ['run b'] }); // prettier-ignore
  });

  it.each([
    ['as many events as the server shows', 2, []],
    ['fewer events than the server shows', 1, ['the audit trail has 1 × run.started, but 2 are shown']],
    ['more events than the server shows', 3, ['the audit trail has 3 × run.started, but 2 are shown']],
  ])('compares a trail that has %s (%d): %j', (_, count, expected) => {
    const seen = new Map([['run a', 1], ['run b', 1]]); // prettier-ignore
    expect(disagreements(seen, [{ action: 'run.started', count }])).toEqual(expected);
  });

  it('detects a change that is missing from the trail', () => {
    expect(disagreements(new Map([['merge a', 1]]), [])).toHaveLength(1);
  });
});
