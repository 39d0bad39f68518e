import type { RefObject } from 'react';
import type { StepGridState } from '../grid/use-step-grid.ts';
import type { AssigneeSuggestion } from '../model/assignee-suggestions.ts';
import type { ReviewState } from '../model/review-state.ts';
import type { EditorSource } from '../model/source.ts';
import type { WorkflowContent } from '@stet/domain/workflows';
import type { DraftStep } from './editor-bar.tsx';
import type { DialogName } from './open-dialog.tsx';
import type { ImportModel } from './use-import.ts';
import type { UnsavedCopyModel } from './use-unsaved-copy.ts';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';

export type EditorRights = {
  edit: boolean;
  run: boolean;
  /** `archive`: whether workflows that were live can be archived. `archiveUnmerged`: whether others can be deleted. */
  archive: boolean;
  archiveUnmerged: boolean;
};

/** The data that an open document's views share. */
export type OpenDocument = {
  source: EditorSource;
  editor: WorkflowEditorModel;
  /** The content that the document is compared with to mark changes. */
  base: WorkflowContent;
  review: ReviewState;
  title: string;
  readOnly: boolean;
  rights: EditorRights;
  grid: StepGridState;
  /** Receives the view's function that scrolls a row into view. */
  scrolling: RefObject<((row: number) => void) | null>;
  suggestions: readonly AssigneeSuggestion[];
  draftStep: DraftStep | null;
  copy: UnsavedCopyModel;
  imports: ImportModel;
  now: number;
  /** Whether the table shows all fields of the active step in a pane beside it. */
  isPaneOpen: boolean;
  onPaneClosed: () => void;
  /** Shows the document in the other view. */
  onSwitch: () => void;
  onDialog: (name: DialogName) => void;
  onClose: () => void;
};
