import { expect, test } from 'vitest';
import { aDraft } from '../testing/workflows.ts';
import { nextAct } from './next-act.ts';
import { recordOfDraft } from './source.ts';

const live = { kind: 'live', version: 3, updatedAt: '' } as const;
const draft = recordOfDraft(aDraft());
const inReview = { ...draft, abilities: { ...draft.abilities, submit: false, publish: false } };

test.each([
  ['what is not saved is to be saved', { kind: 'unsaved' } as const, false, 'save'],
  ['an edit is to be saved, whatever it is of', live, true, 'save'],
  [
    'a saved draft needs its next action',
    { ...draft, abilities: { ...draft.abilities, submit: true } },
    false,
    'draft',
  ],
  ['what is live is to be run', live, false, 'run'],
  ['a draft that waits for others leads to nothing here', inReview, false, null],
])('%s', (_, record, dirty, expected) => {
  expect(nextAct(record, dirty)).toBe(expected);
});
