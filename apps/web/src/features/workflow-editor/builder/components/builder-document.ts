import type { Step } from '@stet/domain/steps';
import type { WorkflowMetadata } from '@stet/domain/workflows';
import type { DraftStep } from '../../components/editor-bar.tsx';
import type { EditorAction } from '../../model/editor-state.ts';
import type { ReviewState } from '../../model/review-state.ts';
import type { SourceRecord } from '../../model/source.ts';

/** The document that the builder shows and the actions that it may request. */
export type BuilderDocument = {
  metadata: WorkflowMetadata;
  steps: readonly Step[];
  /** The steps that rows are compared with to mark changes. */
  baseSteps: readonly Step[];
  record: SourceRecord;
  /** Says whose draft it is; empty without a draft. */
  authors: string;
  /** The open comments by step id, and the address of the review. */
  comments: ReviewState['comments'];
  reviewPath: string;
  /** For example `v7` or `no version yet`. */
  version: string;
  /** The key. Once the workflow is saved, it is fixed. Before that, it is the chosen one or derived from the title. */
  key:
    | { value: string; isFixed: true }
    | { value: string; suggested: string; isFixed: false; onChange: (key: string) => void };
  dirty: boolean;
  saving: boolean;
  canUndo: boolean;
  canRedo: boolean;
  dispatch: (action: EditorAction) => void;
  /** Submit, publish or withdraw; null if there is nothing to offer. */
  draftStep: DraftStep | null;
  onSave: () => void;
  /** Shows the workflow as a table. */
  onSwitch: () => void;
};
