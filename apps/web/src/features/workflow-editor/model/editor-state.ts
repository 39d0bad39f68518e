import type { Step } from '@stet/domain/steps';
import {
  copyStep,
  insertSteps,
  moveStep,
  removeStep,
  replaceStep,
  stepIdReplacer,
  titledStepIds,
} from '@stet/domain/workflows';
import type { EditorField, StepIds, WorkflowContent } from '@stet/domain/workflows';
import { editCell, withSteps } from './document.ts';
import { endTyping, historyOf, mapHistory, record, redo, undo } from './history.ts';
import type { History } from './history.ts';
import { pasteRows } from './pasted-rows.ts';
import type { PastedRow } from './pasted-rows.ts';
import { sameContent } from './same-content.ts';

/**
 * A document being edited. Values that can be derived, for example whether there are unsaved changes, aren't stored.
 */
export type EditorState = {
  /** The server's version or, if nothing is saved yet, the content that the document started from. */
  readonly saved: WorkflowContent;
  /** Whether the document is a duplicate that was never saved. If so, it counts as unsaved even without changes. */
  readonly isUnsavedCopy: boolean;
  readonly history: History<WorkflowContent>;
  /**
   * The steps whose comparison the person closed, as they were at that time. If such a step changes again, its
   * comparison reappears.
   */
  readonly cleared: ReadonlyMap<string, Step>;
  /** The final ids that new steps got since the document was opened, by their provisional ids. */
  readonly ids: StepIds;
};

export type EditorAction =
  | { type: 'cell_edited'; stepId: string; field: EditorField; value: string }
  | { type: 'metadata_typed'; field: keyof WorkflowContent['metadata']; value: string }
  | { type: 'typing_ended' }
  /** `typed`: consecutive changes to the step form one undo step until the typing ends. */
  | { type: 'step_replaced'; step: Step; typed?: boolean }
  | { type: 'steps_added'; steps: readonly Step[]; at: number }
  | { type: 'step_duplicated'; stepId: string; newId: string }
  | { type: 'step_deleted'; stepId: string }
  | { type: 'step_moved'; stepId: string; to: number }
  | { type: 'rows_pasted'; at: number; rows: readonly PastedRow[]; fresh: readonly Step[] }
  /** New steps get the ids under which they are saved, including in the undo history. */
  | { type: 'ids_replaced'; ids: StepIds; replace: (content: WorkflowContent) => WorkflowContent }
  /** New steps with a title get their final ids before the save. `used`: the ids that the workflow uses or used. */
  | { type: 'titled_steps_named'; used: readonly string[] }
  | { type: 'content_replaced'; content: WorkflowContent }
  /** Default texts were filled in. They belong to the last change: undo removes both. */
  | { type: 'content_completed'; content: WorkflowContent }
  | { type: 'diff_cleared'; stepId: string }
  | { type: 'undone' }
  | { type: 'redone' }
  | { type: 'saved'; content: WorkflowContent };

/** `edited` differs from `saved` if the document is opened with changes, for example as a duplicate. */
export const openDocument = (saved: WorkflowContent, edited: WorkflowContent = saved): EditorState => ({
  saved,
  isUnsavedCopy: edited !== saved,
  history: historyOf(edited),
  cleared: new Map(),
  ids: new Map(),
});

export const editedContent = (state: EditorState): WorkflowContent => state.history.present;
export const isDirty = (state: EditorState): boolean =>
  state.isUnsavedCopy || !sameContent(state.saved, state.history.present);
export const canUndo = (state: EditorState): boolean => state.history.past.length > 0;
export const canRedo = (state: EditorState): boolean => state.history.future.length > 0;

export function editorReducer(state: EditorState, action: EditorAction): EditorState {
  const content = state.history.present;
  switch (action.type) {
    case 'cell_edited':
      return changed(state, editCell(content, action.stepId, action.field, action.value));
    case 'metadata_typed': {
      if (content.metadata[action.field] === action.value) return state;
      const metadata = { ...content.metadata, [action.field]: action.value };
      return changed(state, { ...content, metadata }, action.field);
    }
    case 'typing_ended':
      return withHistory(state, endTyping(state.history));
    case 'step_replaced':
      return changed(
        state,
        // A dialog that was opened before the save still has the provisional ids.
        withSteps(content, replaceStep(content.steps, stepIdReplacer(state.ids).step(action.step))),
        action.typed ? `step/${action.step.id}` : null,
      );
    case 'steps_added':
      return changed(state, withSteps(content, insertSteps(content.steps, action.steps, action.at)));
    case 'step_duplicated':
      return changed(state, withSteps(content, copyStep(content.steps, action.stepId, action.newId)));
    case 'step_deleted':
      return changed(state, withSteps(content, removeStep(content.steps, action.stepId)));
    case 'step_moved':
      return changed(state, withSteps(content, moveStep(content.steps, action.stepId, action.to)));
    case 'rows_pasted':
      return changed(state, pasteRows(content, action.at, action.rows, action.fresh));
    case 'ids_replaced':
      return withIds(state, action.ids, action.replace);
    case 'titled_steps_named': {
      const ids = titledStepIds(content.steps, action.used);
      return ids.size === 0 ? state : withIds(state, ids, stepIdReplacer(ids).content);
    }
    case 'content_completed':
      return withHistory(state, { ...state.history, present: action.content });
    case 'content_replaced':
      return changed(state, action.content);
    case 'diff_cleared': {
      const step = content.steps.find((candidate) => candidate.id === action.stepId);
      return step ? { ...state, cleared: new Map(state.cleared).set(step.id, step) } : state;
    }
    case 'undone':
      return withHistory(state, undo(state.history));
    case 'redone':
      return withHistory(state, redo(state.history));
    case 'saved':
      // Text that was typed during the save is still unsaved.
      return {
        ...state,
        saved: action.content,
        isUnsavedCopy: false,
        history: endTyping(state.history),
      };
  }
}

const changed = (state: EditorState, content: WorkflowContent, typing: string | null = null): EditorState =>
  withHistory(state, record(state.history, content, typing));

const withIds = (state: EditorState, ids: StepIds, replace: (content: WorkflowContent) => WorkflowContent) => ({
  ...state,
  history: mapHistory(state.history, replace),
  ids: new Map([...state.ids, ...ids]),
});

const withHistory = (state: EditorState, history: History<WorkflowContent>): EditorState =>
  history === state.history ? state : { ...state, history };
