import { expect, test } from 'vitest';
import { aDraft } from '../testing/workflows.ts';
import { runRefusal } from './run-refusal.ts';
import { recordOfDraft } from './source.ts';

const live = { kind: 'live', version: 3, updatedAt: '' } as const;

test('a run can only be started from a saved workflow without unsaved changes', () => {
  expect(runRefusal(live, false)).toBeNull();
  expect(runRefusal({ kind: 'unsaved' }, true)).toEqual({
    title: 'Unable to start run',
    message: 'Save the workflow before starting a run',
  });
  expect(runRefusal(live, true)).toEqual({
    title: 'Unsaved Changes',
    message: 'Please save your workflow before starting a run',
    tone: 'warn',
  });
});

test('a run can only be started from a saved draft that is based on a version', () => {
  expect(runRefusal(recordOfDraft(aDraft({ baseVersion: 7 })), false)).toBeNull();
  expect(runRefusal(recordOfDraft(aDraft({ baseVersion: null })), false)?.message).toMatch(
    /^This workflow isn’t live yet/,
  );
});
