import { expect, test } from 'vitest';
import { type SetupProgress, firstSteps } from './first-steps-done.ts';

const NOTHING: SetupProgress = {
  draft: null,
  liveKey: null,
  hasRuns: false,
  hasColleagues: null,
  pendingInvitations: 0,
};
const DRAFT = { key: 'hiring', id: 'd1' };

test.each<[string, string, Partial<SetupProgress>]>([
  ['an empty personal account', 'write live run', {}],
  ['a personal account with a draft', 'live run', { draft: DRAFT }],
  ['a personal account with a live workflow', 'run', { liveKey: 'hiring' }],
  ['a personal account with a run', '', { liveKey: 'hiring', hasRuns: true }],
  ['an empty team', 'write invite live run', { hasColleagues: false }],
  ['a team whose reviewer is invited', 'live run', { hasColleagues: false, pendingInvitations: 1, draft: DRAFT }],
  ['a team of two with a draft', 'live run', { hasColleagues: true, draft: DRAFT }],
  ['a team of one with a live workflow', 'run', { hasColleagues: false, liveKey: 'hiring' }],
])('%s has these open steps: %s', (_, open, beginnings) => {
  const left = firstSteps({ ...NOTHING, ...beginnings }).filter(({ isDone }) => !isDone);
  expect(left.map(({ name }) => name).join(' ')).toBe(open);
});

test('links a step to its page, if it is a different one and exists', () => {
  const places = (change: Partial<SetupProgress>) =>
    Object.fromEntries(firstSteps({ ...NOTHING, ...change }).map(({ name, action }) => [name, action?.to ?? null]));
  expect(places({})).toEqual({ write: null, live: null, run: null });
  expect(places({ draft: DRAFT, liveKey: 'other', hasColleagues: false })).toEqual({
    write: null,
    invite: '/app/settings/members?invite=reviewer',
    live: '/app/editor?key=hiring&mode=edit&draftId=d1',
    run: '/app/workflows/run/other',
  });
});
