import { checkGraph, newStep, provisionalStepId } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canRedo, canUndo, editedContent, editorReducer, isDirty, openDocument } from './editor-state.ts';
import type { EditorAction, EditorState } from './editor-state.ts';
import { sameContent } from './same-content.ts';

const ids = ['a', 'b', 'c', 'd'];
const content: WorkflowContent = {
  metadata: { title: 'Vendor onboarding', description: '' },
  steps: ids.map((id, at) => ({ ...newStep(id), next: ids.slice(at + 1, at + 2) })),
};
const run = (state: EditorState, ...actions: EditorAction[]): EditorState => actions.reduce(editorReducer, state);
const open = openDocument(content);
const edit = (value: string, stepId = 'a'): EditorAction => ({ type: 'cell_edited', stepId, field: 'task', value });
const name = (value: string): EditorAction => ({ type: 'metadata_typed', field: 'title', value });

test('an opened document has no unsaved changes; a duplicate has some', () => {
  expect(isDirty(open)).toBe(false);
  const copy = { ...content, metadata: { ...content.metadata, title: 'Vendor onboarding (Copy)' } };
  const duplicate = openDocument(content, copy);
  expect(isDirty(duplicate)).toBe(true);
  const renamed = run(duplicate, name('Vendor onboarding'));
  expect(isDirty(renamed), 'even with the name of its original').toBe(true);
  expect(isDirty(run(renamed, { type: 'saved', content }))).toBe(false);
});

test('reverting an edit by hand leaves no unsaved changes', () => {
  const before = content.steps[0]?.description ?? '';
  expect(isDirty(run(open, edit('x')))).toBe(true);
  expect(isDirty(run(open, edit('x'), edit(before)))).toBe(false);
});

test('consecutive typing in a field is one undo step until the field is left', () => {
  const typed = run(open, name('V'), name('Ve'), { type: 'typing_ended' }, name('Ven'));
  expect(editedContent(run(typed, { type: 'undone' })).metadata.title).toBe('Ve');
  expect(editedContent(run(typed, { type: 'undone' }, { type: 'undone' })).metadata.title).toBe('Vendor onboarding');
});

test('undo removes default texts together with the change that they complete', () => {
  const completed = { ...content, metadata: { title: 'V', description: 'No description provided' } };
  const state = run(open, name('V'), { type: 'content_completed', content: completed });
  expect(editedContent(state)).toBe(completed);
  expect(editedContent(run(state, { type: 'undone' }))).toBe(content);
});

test('new steps with a title get their final ids wherever they are named, including in the undo history', () => {
  const id = provisionalStepId('00000000-0000-4000-8000-000000000001');
  const added = run(open, { type: 'steps_added', steps: [newStep(id)], at: 1 });
  const named = (state: EditorState) => run(state, { type: 'titled_steps_named', used: ['check-stock'] });
  expect(named(added), 'a step without a title keeps its id').toBe(added);
  const title = { type: 'cell_edited', stepId: id, field: 'step', value: 'Check stock' } as const;
  const state = named(run(added, title, edit('After {{output.' + id + '.text}}', 'b')));
  expect(editedContent(state).steps.map((step) => step.id)).toEqual(['a', 'check-stock-2', 'b', 'c', 'd']);
  expect(editedContent(state).steps[0]?.next).toEqual(['check-stock-2']);
  expect(editedContent(state).steps[2]?.description).toBe('After {{output.check-stock-2.text}}');
  const undone = run(state, { type: 'undone' }, { type: 'undone' });
  expect(editedContent(undone).steps[1]).toMatchObject({ id: 'check-stock-2', title: 'New Step' });
  // A dialog that was open keeps the provisional id in its own copy of the step.
  const replaced = run(state, { type: 'step_replaced', step: { ...newStep(id), title: 'Check all stock' } });
  expect(editedContent(replaced).steps[1]).toMatchObject({ id: 'check-stock-2', title: 'Check all stock' });
});

test('an edit elsewhere in between splits typing into two undo steps', () => {
  const typed = run(open, name('V'), edit('x'), name('Ve'));
  expect(editedContent(run(typed, { type: 'undone' })).metadata.title).toBe('V');
});

test('a new edit clears the redo history', () => {
  const undone = run(open, edit('x'), { type: 'undone' });
  expect(canRedo(undone)).toBe(true);
  expect(canRedo(run(undone, edit('y')))).toBe(false);
});

test('an action that changes nothing records no undo step', () => {
  const before = content.steps[0]?.description ?? '';
  const state = run(
    open,
    edit(before),
    { type: 'step_moved', stepId: 'a', to: 0 },
    { type: 'undone' },
    { type: 'redone' },
  );
  expect(state).toBe(open);
});

describe('saving', () => {
  test('leaves text that was typed during the save unsaved', () => {
    const sent = run(open, edit('sent'));
    const later = run(sent, edit('later'), { type: 'saved', content: editedContent(sent) });
    expect(isDirty(later)).toBe(true);
    expect(later.saved.steps[0]?.description).toBe('sent');
  });
  test('keeps earlier changes undoable; undoing them leaves unsaved changes', () => {
    const edited = run(open, edit('x'));
    const back = run(edited, { type: 'saved', content: editedContent(edited) }, { type: 'undone' });
    expect(sameContent(editedContent(back), content)).toBe(true);
    expect(isDirty(back)).toBe(true);
  });
});

test('adopting another person’s content is one undo step', () => {
  const theirs = { ...content, metadata: { title: 'Theirs', description: '' } };
  const mine = run(open, edit('mine'));
  const taken = run(mine, { type: 'content_replaced', content: theirs }, { type: 'saved', content: theirs });
  expect(isDirty(taken)).toBe(false);
  expect(editedContent(run(taken, { type: 'undone' }))).toBe(editedContent(mine));
});

const stepId = fc.constantFrom(...ids, 'new-0', 'new-1', 'gone');
const anyAction: fc.Arbitrary<EditorAction> = fc.oneof(
  fc.record({
    type: fc.constant('cell_edited' as const),
    stepId,
    field: fc.constantFrom('step' as const, 'assignee' as const, 'sla' as const, 'task' as const),
    value: fc.constantFrom('', 'x', '1 day', 'Unassigned'),
  }),
  fc.record({
    type: fc.constant('metadata_typed' as const),
    field: fc.constantFrom('title' as const, 'description' as const),
    value: fc.string({ maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('step_moved' as const), stepId, to: fc.integer({ min: -1, max: 6 }) }),
  fc.record({ type: fc.constant('step_deleted' as const), stepId }),
  fc.record({ type: fc.constant('step_duplicated' as const), stepId, newId: fc.uuid() }),
  fc.record({ type: fc.constant('steps_added' as const), steps: fc.uuid().map((id) => [newStep(id)]), at: fc.nat(6) }),
  fc.constant<EditorAction>({ type: 'typing_ended' }),
);
const toStart = (state: EditorState): EditorState => (canUndo(state) ? toStart(run(state, { type: 'undone' })) : state);
const toEnd = (state: EditorState): EditorState => (canRedo(state) ? toEnd(run(state, { type: 'redone' })) : state);

test('any sequence of edits can be undone to the beginning and redone to the end', () => {
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 30 }), (actions) => {
      const edited = run(open, ...actions);
      const start = toStart(edited);
      expect(editedContent(start)).toBe(content);
      expect(isDirty(start)).toBe(false);
      expect(editedContent(toEnd(start))).toBe(editedContent(edited));
    }),
  );
});

test('any sequence of edits keeps ids unique and the graph valid', () => {
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 30 }), (actions) => {
      const { steps } = editedContent(run(open, ...actions));
      expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
      expect(checkGraph(steps)).toEqual([]);
    }),
  );
});
