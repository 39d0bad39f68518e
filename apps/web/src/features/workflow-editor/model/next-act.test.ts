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
  ['a saved draft can be submitted', { ...draft, abilities: { ...draft.abilities, submit: true } }, false, 'draft'],
  ['a live version can be run', live, false, 'run'],
  ['a draft that the person can neither submit nor publish has no next action', inReview, false, null],
])('%s', (_, record, dirty, expected) => {
  expect(nextAct(record, dirty)).toBe(expected);
});
