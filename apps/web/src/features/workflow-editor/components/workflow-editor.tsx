import type { Step } from '@stet/domain/steps';
import { displayTitle, replaceStep } from '@stet/domain/workflows';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useNow } from '../../../lib/use-now.ts';
import { useAssignees } from '../api/use-assignees.ts';
import { useBaseContent } from '../api/use-base-content.ts';
import { useReviewState } from '../api/use-review-state.ts';
import { BuilderView } from '../builder/components/builder-view.tsx';
import { useStepGrid } from '../grid/use-step-grid.ts';
import { editorReducer } from '../model/editor-state.ts';
import type { EditorView } from './use-editor-view.ts';
import { isClosed } from '../model/source.ts';
import type { EditorSource } from '../model/source.ts';
import { TableView } from '../table/table-view.tsx';
import type { EditorRights, OpenDocument } from './open-document.ts';
import { OpenDialog } from './open-dialog.tsx';
import type { DialogName } from './open-dialog.tsx';
import { SAVE_RULES } from './save-rules.ts';
import { useDraftStep } from './use-draft-step.ts';
import { useEditorKeys } from './use-editor-keys.ts';
import type { EditorEvents } from './use-finish-draft.ts';
import { useImport } from './use-import.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import { useUnsavedCopy } from './use-unsaved-copy.ts';
import { useWorkflowEditor } from './use-workflow-editor.ts';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';

type WorkflowEditorProps = EditorEvents & {
  source: EditorSource;
  organization: { id: string; type: 'individual' | 'team' };
  userId: string;
  rights: EditorRights;
  view: EditorView;
  onView: (view: EditorView) => void;
  /** Whether the document was opened only for reading. */
  viewOnly?: boolean;
  /** Links to the other pages of a saved workflow. */
  tabs?: ReactNode;
  onClose: () => void;
  onStartRun: (workflow: { key: string; title: string }) => void;
};

/** An open workflow, as a table or in the builder (specification, section 2). */
export function WorkflowEditor({
  source,
  organization,
  userId,
  rights,
  view,
  onView,
  viewOnly = false,
  tabs,
  onClose,
  onStartRun,
  ...events
}: WorkflowEditorProps) {
  const editor = useWorkflowEditor(source, events, SAVE_RULES[view]);
  const { dispatch, content, dirty, record, key } = editor;
  const base = useBaseContent(key, record, editor.state.saved);
  const review = useReviewState(key, record, source.draft);
  const readOnly = !rights.edit || viewOnly || isClosed(record);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const scrolling = useRef<(row: number) => void>(null);
  const grid = useStepGrid({
    steps: content.steps,
    ids: editor.state.ids,
    dispatch,
    announce: setAnnouncement,
    scrollToRow: (row) => scrolling.current?.(row),
  });
  // The table's pane stays open when the focus moves to a different step, and when the view is switched and back.
  const [isPaneOpen, setPaneOpen] = useState(false);
  if (view === 'table' && grid.open?.part === 'step' && !isPaneOpen) setPaneOpen(true);
  const [typed, setTyped] = useState<Step | null>(null);
  const leaving = useLeaveGuard((dirty || typed !== null) && !readOnly);
  // Input in an open dialog is stored as if the dialog had been saved.
  const withInput = useMemo(() => (typed === null ? editor : withTyped(editor, typed)), [editor, typed]);
  const copy = useUnsavedCopy({
    editor: withInput,
    owner: `${userId}/${organization.id}`,
    readOnly,
    lostDraftId: source.lostDraftId ?? null,
  });
  const imports = useImport(editor);
  const suggestions = useAssignees(readOnly ? null : organization.id);
  const draftStep = useDraftStep(editor, organization.type);
  const now = useNow(60_000);
  const title = displayTitle(key, content.metadata.title);
  useEditorKeys({
    onSave: () => !readOnly && editor.save(),
    onUndo: () => !readOnly && dispatch({ type: 'undone' }),
    onRedo: () => !readOnly && dispatch({ type: 'redone' }),
  });

  // The focused step, or else the first visible one, stays visible in the other view.
  const { active, grid: actions } = grid;
  const onSwitch = () => {
    const stepId = active?.stepId ?? firstVisibleStep();
    if (stepId !== null) actions.activate(stepId);
    actions.leave();
    onView(view === 'table' ? 'builder' : 'table');
  };
  const shown = useRef(view);
  useEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    if (active)
      actions.focusCell({ row: content.steps.findIndex(({ id }) => id === active.stepId), column: active.column });
  }, [view, active, actions, content.steps]);

  const document: OpenDocument = {
    source,
    editor,
    base,
    review,
    title,
    readOnly,
    rights,
    grid,
    scrolling,
    suggestions,
    draftStep: readOnly ? null : draftStep,
    copy,
    imports,
    now,
    isPaneOpen,
    onPaneClosed: () => setPaneOpen(false),
    onSwitch,
    onDialog: setDialog,
    onClose,
  };
  return (
    <>
      {view === 'builder' ? (
        <BuilderView document={document} onStepEdit={setTyped} />
      ) : (
        <TableView document={document} tabs={tabs} onStartRun={onStartRun} />
      )}
      <p className="vh" role="status">
        {announcement}
      </p>
      <OpenDialog
        name={dialog}
        editor={editor}
        imports={imports}
        copy={copy}
        title={title}
        leaving={leaving}
        now={now}
        onStep={actions.focusStep}
        onClose={() => setDialog(null)}
      />
    </>
  );
}

/** The document with the unsaved input of an open step dialog. */
function withTyped(editor: WorkflowEditorModel, step: Step): WorkflowEditorModel {
  const content = { ...editor.content, steps: replaceStep(editor.content.steps, step) };
  return { ...editor, content, state: editorReducer(editor.state, { type: 'content_replaced', content }) };
}

function firstVisibleStep(): string | null {
  const rows = document.querySelectorAll<HTMLElement>('[role="row"][data-step]');
  const first = [...rows].find((row) => row.getBoundingClientRect().top >= 0);
  return first?.dataset['step'] ?? null;
}
