import { expect, test } from 'vitest';
import { aDraft } from '../testing/workflows.ts';
import { nextAct } from './next-act.ts';
import { recordOfDraft } from './source.ts';

const live = { kind: 'live', version: 3, updatedAt: '' } as const;
const draft = recordOfDraft(aDraft());
const inReview = { ...draft, abilities: { ...draft.abilities, submit: false, publish: false } };

test.each([
  ['an unsaved document must be saved first', { kind: 'unsaved' } as const, false, 'save'],
  ['changes must be saved first', live, true, 'save'],
  [
    'a saved draft needs its next action',
    { ...draft, abilities: { ...draft.abilities, submit: true } },
    false,
    'draft',
  ],
  ['a live version can be run', live, false, 'run'],
  ['a draft in review has no next action here', inReview, false, null],
])('%s', (_, record, dirty, expected) => {
  expect(nextAct(record, dirty)).toBe(expected);
});
