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

test.each<[string, Partial<SetupProgress>, string]>([
  ['an empty personal account', {}, 'write live run'],
  ['a personal account with a draft', { draft: DRAFT }, 'live run'],
  ['a personal account with a live workflow', { liveKey: 'hiring' }, 'run'],
  ['a personal account with a run', { liveKey: 'hiring', hasRuns: true }, ''],
  ['an empty team', { hasColleagues: false }, 'write invite live run'],
  ['a team whose reviewer is invited', { hasColleagues: false, pendingInvitations: 1, draft: DRAFT }, 'live run'],
  ['a team of two with a draft', { hasColleagues: true, draft: DRAFT }, 'live run'],
  ['a team of one with a live workflow', { hasColleagues: false, liveKey: 'hiring' }, 'run'],
])('%s has these open steps: %3$s', (_, beginnings, open) => {
  const left = firstSteps({ ...NOTHING, ...beginnings }).filter(({ isDone }) => !isDone);
  expect(left.map(({ name }) => name).join(' ')).toBe(open);
});

test('each open step links to the page where it is done, if there is one', () => {
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
