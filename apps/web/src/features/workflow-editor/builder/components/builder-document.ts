import type { Step } from '@stet/domain/steps';
import type { WorkflowMetadata } from '@stet/domain/workflows';

/** The document given to the builder, and the actions it may request. */
export type BuilderDocument = {
  metadata: WorkflowMetadata;
  steps: readonly Step[];
  /** The saved steps, to mark differences. */
  savedSteps: readonly Step[];
  status: string;
  /** `v7`, or `no version yet`. */
  version: string;
  /** The key, fixed once saved; before that, the chosen one and the one derived from the title. */
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
