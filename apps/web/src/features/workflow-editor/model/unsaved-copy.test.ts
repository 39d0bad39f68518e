import { describe, expect, test } from 'vitest';
import { aDraft, STEPS } from '../testing/workflows.ts';
import { editCell } from './document.ts';
import { recordOfDraft } from './source.ts';
import { readUnsavedCopy, restorationOf, subjectOf } from './unsaved-copy.ts';

const base = { metadata: aDraft().metadata, steps: [...STEPS] };
const edited = editCell(base, 's1', 'task', 'Mine');
const copy = { base, edited, revision: 3 };

test('reads a copy as it was written and rejects other data', () => {
  expect(readUnsavedCopy(JSON.parse(JSON.stringify(copy)))).toEqual(copy);
  const broken = [
    null,
    5,
    [],
    {},
    { ...copy, revision: '3' },
    { ...copy, edited: { ...edited, steps: {} } },
    { ...copy, base: { steps: base.steps } },
    { ...copy, edited: { ...edited, steps: [{ ...STEPS[0], type: 'dance' }] } },
  ];
  for (const value of broken) expect(readUnsavedCopy(value)).toBeNull();
});

test('drafts, live workflows and new documents have separate copies', () => {
  expect(subjectOf(recordOfDraft(aDraft({ id: 'd1' })), 'k')).toBe('draft/d1');
  expect(subjectOf({ kind: 'live', version: 1, updatedAt: '' }, 'k')).toBe('live/k');
  expect(subjectOf({ kind: 'unsaved' }, 'approval-process-1790000000')).toBe('new/approval-process-');
  expect(subjectOf({ kind: 'unsaved' }, 'approval-process-1790000001')).toBe('new/approval-process-');
  expect(subjectOf({ kind: 'unsaved' }, '')).toBe('new/');
});

describe('restoring a copy', () => {
  test('applies it unchanged if nothing was saved in the meantime', () => {
    expect(restorationOf(copy, recordOfDraft(aDraft({ revision: 3 })), base)).toEqual({
      how: 'replace',
      content: edited,
    });
  });

  test('merges it with a newer save if there is no conflict', () => {
    const saved = editCell(base, 's2', 'sla', '1h');
    const back = restorationOf(copy, recordOfDraft(aDraft({ revision: 4 })), saved);
    expect(back).toEqual({ how: 'replace', content: editCell(saved, 's1', 'task', 'Mine') });
  });

  test('asks for a choice if both changed the same field', () => {
    const saved = editCell(base, 's1', 'task', 'Theirs');
    const back = restorationOf(copy, recordOfDraft(aDraft({ revision: 4 })), saved);
    expect(back).toEqual({ how: 'merge', sides: { base, theirs: saved, mine: edited } });
  });
});

test('accepts a document without steps', () => {
  const empty = { base: { ...copy.base, steps: [] }, edited: { ...copy.edited, steps: [] }, revision: null };
  expect(readUnsavedCopy(empty)).toEqual(empty);
});
