import type { Step, WorkflowMetadata } from '@stet/domain/workflows';

/** The document as the builder is handed it, and what it may ask of it. */
export type BuilderDocument = {
  metadata: WorkflowMetadata;
  steps: readonly Step[];
  /** The steps as they are saved, to mark what differs. */
  savedSteps: readonly Step[];
  status: string;
  /** `v7`, or `no version yet`. */
  version: string;
  /** The key, fixed once it is saved; before that what is chosen, and what the title suggests. */
  key:
    | { value: string; isFixed: true }
    | { value: string; suggested: string; isFixed: false; onChange: (key: string) => void };
  dirty: boolean;
  saving: boolean;
  history: { canUndo: boolean; canRedo: boolean; onUndo: () => void; onRedo: () => void };
  onMetadata: (field: keyof WorkflowMetadata, value: string) => void;
  onTypingEnd: () => void;
  onSteps: (steps: Step[]) => void;
  onSave: () => void;
};
