import { formatDuration, targetMs } from '@stet/domain/sla';
import { displayTitle, isolated, LIMITS, newStep } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { randomKey } from '../../../lib/api/random-key.ts';
import { formatDateTime, formatTime } from '../../../lib/format/time.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Moment } from '../../../ui/moment.tsx';
import { FailureNote, Note } from '../../../ui/note.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { useAssignees } from '../api/use-assignees.ts';
import { canRedo, canUndo } from '../model/editor-state.ts';
import { nextAct } from '../model/next-act.ts';
import { runRefusal } from '../model/run-refusal.ts';
import { isClosed, statusOf } from '../model/source.ts';
import type { EditorSource } from '../model/source.ts';
import { EditorBar, SaveBar } from './editor-bar.tsx';
import { EditorIntro } from './editor-intro.tsx';
import { EditorTools, ExportTools } from './editor-tools.tsx';
import { LostDraftNote } from './lost-draft-note.tsx';
import { RestoreNote } from './restore-note.tsx';
import { OpenDialog } from './open-dialog.tsx';
import { OvertakenNote } from './overtaken-note.tsx';
import type { DialogName } from './open-dialog.tsx';
import { useStepGrid } from '../grid/use-step-grid.ts';
import { StepTable } from '../table/step-table.tsx';
import { useDraftStep } from './use-draft-step.ts';
import { useEditorKeys } from './use-editor-keys.ts';
import { useExport } from './use-export.ts';
import { useImport } from './use-import.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import { useUnsavedCopy } from './use-unsaved-copy.ts';
import { useWorkflowEditor } from './use-workflow-editor.ts';
import type { EditorEvents } from './use-finish-draft.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './workflow-editor.module.css';

type EditorRights = {
  edit: boolean;
  run: boolean;
  /** Whether the workflow can be archived (if it was live) or deleted (if it never was). */
  archive: boolean;
  archiveUnmerged: boolean;
};

type WorkflowEditorProps = EditorEvents & {
  source: EditorSource;
  organization: { id: string; type: 'individual' | 'team' };
  userId: string;
  rights: EditorRights;
  onBack: () => void;
  onStartRun: (workflow: { key: string; title: string }) => void;
};

/** Edit mode: a workflow as a document (specification, section 2). Without permission to edit, it is read-only. */
export function WorkflowEditor({
  source,
  organization,
  userId,
  rights,
  onBack,
  onStartRun,
  ...events
}: WorkflowEditorProps) {
  const editor = useWorkflowEditor(source, events);
  const { state, dispatch, content, dirty, record, trouble } = editor;
  const readOnly = !rights.edit || isClosed(record);
  // A draft's record doesn't say whether its workflow is archived. If an editor can't edit the draft, it is.
  const isArchived = statusOf(record) === 'archived' || (rights.edit && readOnly);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const addStep = useRef<HTMLButtonElement>(null);
  const scrolling = useRef<(row: number) => void>(null);
  const grid = useStepGrid({
    steps: content.steps,
    dispatch,
    announce: setAnnouncement,
    scrollToRow: (row) => scrolling.current?.(row),
  });
  const leaving = useLeaveGuard(dirty);
  const copy = useUnsavedCopy({
    editor,
    owner: `${userId}/${organization.id}`,
    readOnly,
    lostDraftId: source.lostDraftId ?? null,
  });
  const imports = useImport(editor);
  const exporting = useExport(editor);
  const suggestions = useAssignees(organization.id);
  const draftStep = useDraftStep(editor, organization.type);
  const now = useNow(60_000);
  const title = displayTitle(source.key, content.metadata.title);
  useEditorKeys({
    onSave: () => !readOnly && editor.save(),
    onUndo: () => dispatch({ type: 'undone' }),
    onRedo: () => dispatch({ type: 'redone' }),
  });

  const startRun = () => {
    const refusal = runRefusal(record, dirty);
    if (refusal)
      editor.reportFailure({
        ...refusal,
        isOver: (now) => runRefusal(now.record, now.dirty)?.message !== refusal.message,
      });
    else onStartRun({ key: source.key, title });
  };
  const appendStep = () => {
    grid.grid.add(newStep(randomKey()));
  };
  const askToDelete = () => {
    const isUntitled = ({ metadata }: WorkflowContent) => metadata.title.trim() === '';
    if (isUntitled(content))
      editor.reportFailure({
        title: 'Error',
        message: 'No workflow to delete',
        isOver: (now) => !isUntitled(now.content),
      });
    else setDialog('delete');
  };
  const mayDelete = record.kind !== 'unsaved' && (wasLive(record) ? rights.archive : rights.archiveUnmerged);
  const mayDiscard = record.kind === 'draft' && record.abilities.discard && wasLive(record);
  const bar = {
    title,
    dirty,
    next: nextAct(record, dirty),
    lastSaved:
      record.kind === 'unsaved' ? null : <Moment at={record.updatedAt}>{savedAt(record.updatedAt, now)}</Moment>,
    readOnly,
    saving: editor.busy === 'saving',
    draftStep,
    onBack,
    onViewChanges: () => setDialog('changes'),
    onStartRun: rights.run && !isArchived ? startRun : null,
    onSave: editor.save,
  };

  return (
    <div data-editor="frame">
      <PageTitle>{`${isolated(title)}, edit`}</PageTitle>
      <EditorBar {...bar} />
      <div className={classNames('sheet', styles.editorDoc)} data-editor="document">
        {trouble?.kind === 'failed' && (
          <div className={styles.editorNote}>
            <FailureNote
              cause={trouble}
              title={trouble.title}
              message={trouble.message}
              tone={trouble.tone}
              onDismiss={editor.dismissTrouble}
            />
          </div>
        )}
        {readOnly && (
          <div className={styles.editorNote}>
            <Note>
              {isArchived
                ? 'This workflow is archived: it can be read, exported and duplicated.'
                : 'You have read-only access to this workflow.'}
            </Note>
          </div>
        )}
        {record.kind === 'draft' && record.overtakenBy !== null && isOpenDraft(record.status) && (
          <OvertakenNote at={{ key: source.key, id: record.draftId }} by={record.overtakenBy} readOnly={readOnly} />
        )}
        {source.lostDraftId !== undefined && (
          <div className={styles.editorNote}>
            <LostDraftNote />
          </div>
        )}
        <div className={styles.editorNote}>
          <RestoreNote copy={copy} now={now} />
        </div>
        <h1 className="vh">{title}</h1>
        <EditorIntro
          workflowKey={source.key}
          record={record}
          metadata={content.metadata}
          original={state.saved.metadata}
          readOnly={readOnly}
          dispatch={dispatch}
        />
        {readOnly ? (
          <div className={styles.editorTools} role="toolbar" aria-label="Workflow tools">
            <ExportTools
              exporting={exporting.isPending}
              isSaved={record.kind !== 'unsaved'}
              onExport={(format) => exporting.mutate(format)}
            />
          </div>
        ) : (
          <EditorTools
            addStepRef={addStep}
            canUndo={canUndo(state)}
            canRedo={canRedo(state)}
            onAddStep={appendStep}
            addRefused={
              content.steps.length >= LIMITS.steps ? `A workflow has at most ${LIMITS.steps} steps` : undefined
            }
            onUndo={() => dispatch({ type: 'undone' })}
            onRedo={() => dispatch({ type: 'redone' })}
            importing={imports.state.stage === 'reading'}
            onImport={imports.pick}
            exporting={exporting.isPending}
            onExport={(format) => exporting.mutate(format)}
            isSaved={record.kind !== 'unsaved'}
            onSettings={() => setDialog('settings')}
            onDiscard={mayDiscard ? () => setDialog('discard') : null}
            onDelete={mayDelete ? askToDelete : null}
          />
        )}
        <StepTable
          steps={content.steps}
          saved={state.saved.steps}
          cleared={state.cleared}
          suggestions={suggestions}
          readOnly={readOnly}
          grid={grid}
          scrolling={scrolling}
          onLeave={() => addStep.current?.focus()}
        />
        <EditorFoot steps={content.steps} />
      </div>
      <SaveBar {...bar} />
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
        onClose={() => setDialog(null)}
      />
    </div>
  );
}

export function EditorFoot({ steps }: { steps: Parameters<typeof targetMs>[0] }) {
  // Computing this parses up to a thousand durations, so it may lag behind editing.
  const deferredSteps = useDeferredValue(steps);
  const longest = useMemo(() => targetMs(deferredSteps), [deferredSteps]);
  return (
    <div className={styles.editorFoot}>
      <span>{steps.length === 1 ? '1 step' : `${steps.length} steps`}</span>
      {longest !== null && <span>Longest path {formatDuration(longest)}</span>}
    </div>
  );
}

const isOpenDraft = (status: string): boolean => status === 'draft' || status === 'in_review';

const wasLive = (record: EditorSource['record']): boolean =>
  record.kind === 'live' || (record.kind === 'draft' && record.baseVersion !== null);

const savedAt = (moment: string, now: number): string =>
  new Date(moment).toDateString() === new Date(now).toDateString() ? formatTime(moment) : formatDateTime(moment, now);
