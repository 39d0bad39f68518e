import { ChevronDown, FileDown, FileUp, FileX2, Plus, Redo2, Settings, Trash2, Undo2, Workflow } from 'lucide-react';
import { useRef } from 'react';
import type { Ref } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { FILE_ENDINGS } from '../model/workflow-file.ts';
import type { FileFormat } from '../model/workflow-file.ts';
import styles from './workflow-editor.module.css';

type EditorToolsProps = {
  addStepRef: Ref<HTMLButtonElement>;
  canUndo: boolean;
  canRedo: boolean;
  onAddStep: () => void;
  /** Shows the workflow in the builder. */
  onSwitch: () => void;
  /** The reason why no step can be added. Undefined if one can. */
  addRefused: string | undefined;
  onUndo: () => void;
  onRedo: () => void;
  importing: boolean;
  onImport: (file: File) => void;
  onExport: (format: FileFormat) => void;
  /** Whether the workflow was ever saved. If not, it can only be exported as JSON. */
  isSaved: boolean;
  exporting: boolean;
  onSettings: () => void;
  onDiscard: (() => void) | null;
  onDelete: (() => void) | null;
};

/** The tools above the table. */
export function EditorTools(props: EditorToolsProps) {
  const { addStepRef, canUndo, canRedo, onAddStep, addRefused, onUndo, onRedo, onSettings, onDiscard, onDelete } =
    props;
  const { importing, onImport, onExport, exporting, isSaved } = props;
  return (
    <div className={styles.editorTools} role="toolbar" aria-label="Workflow tools">
      <Button ref={addStepRef} size="sm" icon={Plus} onClick={onAddStep} disabledReason={addRefused}>
        Add Step
      </Button>
      <SwitchButton onSwitch={props.onSwitch} />
      <ImportButton importing={importing} onImport={onImport} />
      <ExportTools exporting={exporting} isSaved={isSaved} onExport={onExport} />
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
      <span className={styles.sep} />
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
      <span className={styles.editorTip}>Drag the handle to reorder. Click a cell to edit and compare changes.</span>
    </div>
  );
}

/** Switches to the other view of the same document. */
export function SwitchButton({ onSwitch }: Pick<EditorToolsProps, 'onSwitch'>) {
  return (
    <Button tone="quiet" size="sm" icon={Workflow} onClick={onSwitch}>
      Open in builder
    </Button>
  );
}

type ExportToolsProps = Pick<EditorToolsProps, 'exporting' | 'isSaved' | 'onExport'>;

/**
 * A button that exports YAML and, for a saved workflow, a menu with all formats. A workflow that was never saved is
 * exported as JSON.
 */
export function ExportTools({ exporting, isSaved, onExport }: ExportToolsProps) {
  return (
    <>
      <Button
        tone="quiet"
        size="sm"
        icon={FileDown}
        onClick={() => onExport('yaml')}
        busy={exporting && 'Exporting...'}
      >
        Export
      </Button>
      {isSaved && <FormatMenu onExport={onExport} />}
    </>
  );
}

function FormatMenu({ onExport }: Pick<EditorToolsProps, 'onExport'>) {
  const entry = (label: string, format: FileFormat) => ({ label, onPick: () => onExport(format) });
  const entries = [entry('YAML', 'yaml'), entry('JSON', 'json'), entry('BPMN diagram', 'bpmn')];
  return (
    <Menu target={<IconButton size="sm" label="Other file formats" icon={ChevronDown} />} groups={[{ entries }]} />
  );
}

function ImportButton({ importing, onImport }: Pick<EditorToolsProps, 'importing' | 'onImport'>) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        tone="quiet"
        size="sm"
        icon={FileUp}
        onClick={() => chooser.current?.click()}
        busy={importing && 'Reading...'}
      >
        Import
      </Button>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label="Workflow file to import"
        accept={FILE_ENDINGS}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // Cleared, so that choosing the same file again fires an event.
          currentTarget.value = '';
          if (file) onImport(file);
        }}
      />
    </>
  );
}
