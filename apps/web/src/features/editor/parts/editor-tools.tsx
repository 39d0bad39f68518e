import { FileX2, Plus, Redo2, Settings, Trash2, Undo2 } from 'lucide-react';
import type { Ref } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';

type EditorToolsProps = {
  addStepRef: Ref<HTMLButtonElement>;
  canUndo: boolean;
  canRedo: boolean;
  onAddStep: () => void;
  /** Why no step can be added; undefined where one can. */
  addRefused: string | undefined;
  onUndo: () => void;
  onRedo: () => void;
  onSettings: () => void;
  onDiscard: (() => void) | null;
  onDelete: (() => void) | null;
};

/** The tools above the table. The file tools stand between adding and the settings. */
export function EditorTools(props: EditorToolsProps) {
  const { addStepRef, canUndo, canRedo, onAddStep, addRefused, onUndo, onRedo, onSettings, onDiscard, onDelete } =
    props;
  return (
    <div className="editor-tools" role="toolbar" aria-label="Workflow tools">
      <Button ref={addStepRef} size="sm" icon={Plus} onClick={onAddStep} disabledReason={addRefused}>
        Add Step
      </Button>
      <Button tone="quiet" size="sm" icon={Settings} onClick={onSettings}>
        Settings
      </Button>
      {onDiscard && (
        <Button tone="quiet-danger" size="sm" icon={FileX2} onClick={onDiscard}>
          Discard draft
        </Button>
      )}
      {onDelete && (
        <Button tone="quiet-danger" size="sm" icon={Trash2} onClick={onDelete}>
          Delete
        </Button>
      )}
      <span className="sep" />
      <IconButton
        label="Undo"
        icon={Undo2}
        size="sm"
        aria-disabled={!canUndo}
        aria-keyshortcuts="Control+Z Meta+Z"
        onClick={onUndo}
      />
      <IconButton
        label="Redo"
        icon={Redo2}
        size="sm"
        aria-disabled={!canRedo}
        aria-keyshortcuts="Control+Shift+Z Meta+Shift+Z"
        onClick={onRedo}
      />
      <span className="editor-tip">Drag the handle to reorder. Click a cell to edit and compare changes.</span>
    </div>
  );
}
