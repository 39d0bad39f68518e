import { formatDuration, targetMs } from '@stet/domain/sla';
import type { WorkflowContent } from '@stet/domain/workflows';
import { isolated, LIMITS } from '@stet/domain/workflows';
import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { formatDateTime, formatTime } from '../../../lib/format/time.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { Moment } from '../../../ui/moment.tsx';
import { FailureNote, Note } from '../../../ui/note.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { canRedo, canUndo } from '../model/editor-state.ts';
import { nextAct } from '../model/next-act.ts';
import { authorsSentence } from '../model/review-state.ts';
import { runRefusal } from '../model/run-refusal.ts';
import { isClosed, statusOf, wasLive } from '../model/source.ts';
import type { OpenDocument } from '../components/open-document.ts';
import { EditorBar, SaveBar } from '../components/editor-bar.tsx';
import { EditorIntro } from '../components/editor-intro.tsx';
import { EditorTools, ExportTools, SwitchButton } from '../components/editor-tools.tsx';
import { LostDraftNote } from '../components/lost-draft-note.tsx';
import { RestoreNote } from '../components/restore-note.tsx';
import { ReviewNotes } from '../components/review-notes.tsx';
import { loadSettingsWhenIdle } from '../../../step-types/step-settings.tsx';
import { StepPane } from './step-pane.tsx';
import { StepTable } from './step-table.tsx';
import { useExport } from '../components/use-export.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from '../components/workflow-editor.module.css';

type TableViewProps = {
  document: OpenDocument;
  /** Links to the other pages of a saved workflow. */
  tabs: ReactNode;
  onStartRun: (workflow: { key: string; title: string }) => void;
};

/** The workflow as a document with a table of its steps. */
export function TableView({ document, tabs, onStartRun }: TableViewProps) {
  const { source, editor, base, review, title, readOnly, rights, grid, copy, imports, now, onDialog } = document;
  const { state, dispatch, content, dirty, record, trouble, key } = editor;
  const { id: userId } = useUser();
  const addStep = useRef<HTMLButtonElement>(null);
  const exporting = useExport(editor);
  const { isPaneOpen } = document;
  useEffect(loadSettingsWhenIdle, []);
  // A draft's data doesn't say whether its workflow is archived, but if it is, not even editors can edit the draft.
  const isArchived = statusOf(record) === 'archived' || (rights.edit && isClosed(record));
  const startRun = () => {
    const refusal = runRefusal(record, dirty);
    if (refusal)
      editor.reportFailure({
        ...refusal,
        isOver: (now) => runRefusal(now.record, now.dirty)?.message !== refusal.message,
      });
    else onStartRun({ key, title });
  };
  const askToDelete = () => {
    const isUntitled = ({ metadata }: WorkflowContent) => metadata.title.trim() === '';
    if (isUntitled(content))
      editor.reportFailure({
        title: 'Error',
        message: 'No workflow to delete',
        isOver: (now) => !isUntitled(now.content),
      });
    else onDialog('delete');
  };
  const canDelete = record.kind !== 'unsaved' && (wasLive(record) ? rights.archive : rights.archiveUnmerged);
  const canDiscard = record.kind === 'draft' && record.abilities.discard && wasLive(record);
  const bar = {
    title,
    dirty,
    next: nextAct(record, dirty),
    lastSaved:
      record.kind === 'unsaved' ? null : <Moment at={record.updatedAt}>{savedAt(record.updatedAt, now)}</Moment>,
    readOnly,
    saving: editor.busy === 'saving',
    draftStep: document.draftStep,
    onBack: document.onClose,
    onViewChanges: () => onDialog('changes'),
    onStartRun: rights.run && !isArchived ? startRun : null,
    onSave: editor.save,
  };

  const pane = (
    <StepPane
      document={document}
      row={Math.max(
        0,
        content.steps.findIndex(({ id }) => id === grid.active?.stepId),
      )}
      onClose={() => {
        document.onPaneClosed();
        grid.grid.close();
      }}
    />
  );
  return (
    <div data-editor="frame" className={isPaneOpen ? styles.withPane : undefined}>
      <div>
        <PageTitle>{`${isolated(title)}, edit`}</PageTitle>
        <EditorBar {...bar} />
        {record.kind !== 'unsaved' && <div className={styles.editorTabs}>{tabs}</div>}
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
          <div className={styles.editorNote}>
            <ReviewNotes document={document} />
          </div>
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
            workflowKey={key}
            record={record}
            dirty={dirty}
            authors={authorsSentence(review.authors, userId)}
            metadata={content.metadata}
            original={base.metadata}
            readOnly={readOnly}
            dispatch={dispatch}
            isNew={source.opened === 'template' && grid.active === null}
            onNamed={() => grid.grid.focusCell({ row: 0 })}
          />
          {readOnly ? (
            <div className={styles.editorTools} role="toolbar" aria-label="Workflow tools">
              <SwitchButton onSwitch={document.onSwitch} />
              <ExportTools
                exporting={exporting.isPending}
                isSaved={record.kind !== 'unsaved'}
                onExport={(format) => exporting.mutate(format)}
              />
            </div>
          ) : (
            <EditorTools
              addStepRef={addStep}
              onSwitch={document.onSwitch}
              canUndo={canUndo(state)}
              canRedo={canRedo(state)}
              onAddStep={() => grid.grid.addTyped()}
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
              onSettings={() => onDialog('settings')}
              onDiscard={canDiscard ? () => onDialog('discard') : null}
              onDelete={canDelete ? askToDelete : null}
            />
          )}
          <StepTable
            steps={content.steps}
            saved={base.steps}
            cleared={state.cleared}
            comments={review.comments}
            suggestions={document.suggestions}
            readOnly={readOnly}
            grid={grid}
            scrolling={document.scrolling}
            onLeave={() => addStep.current?.focus()}
          />
          <EditorFoot steps={content.steps} readOnly={readOnly} />
        </div>
        <SaveBar {...bar} />
      </div>
      {isPaneOpen && pane}
    </div>
  );
}

export function EditorFoot({ steps, readOnly = false }: { steps: Parameters<typeof targetMs>[0]; readOnly?: boolean }) {
  // The longest path is computed from up to a thousand durations, so it may lag behind a committed cell.
  const deferredSteps = useDeferredValue(steps);
  const longest = useMemo(() => targetMs(deferredSteps), [deferredSteps]);
  return (
    <div className={styles.editorFoot}>
      <span>{steps.length === 1 ? '1 step' : `${steps.length} steps`}</span>
      {longest !== null && <span>Longest path {formatDuration(longest)}</span>}
      {!readOnly && <span className={styles.pasteHint}>You can paste rows from a spreadsheet into the table.</span>}
    </div>
  );
}

const savedAt = (moment: string, now: number): string =>
  new Date(moment).toDateString() === new Date(now).toDateString() ? formatTime(moment) : formatDateTime(moment, now);
