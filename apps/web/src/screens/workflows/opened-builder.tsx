import type { Step } from '@stet/domain/steps';
import {
  builderSaveProblem,
  displayTitle,
  isolated,
  isWorkflowKey,
  keyFromTitle,
  replaceStep,
  withListSaveDefaults,
} from '@stet/domain/workflows';
import { Suspense, lazy, useEffect, useMemo, useState } from 'react';
import { firstProblem } from '../../features/workflow-editor/builder/model/step-notes.ts';
import { Builder } from '../../features/workflow-editor/builder/components/builder.tsx';
import { useAssignees } from '../../features/workflow-editor/api/use-assignees.ts';
import { canRedo, canUndo, editorReducer } from '../../features/workflow-editor/model/editor-state.ts';
import { isClosed, statusOf } from '../../features/workflow-editor/model/source.ts';
import type { EditorSource, SourceRecord } from '../../features/workflow-editor/model/source.ts';
import { LeaveDialog } from '../../features/workflow-editor/components/editor-dialogs.tsx';
import { MergeDialog } from '../../features/workflow-editor/components/merge-dialog.tsx';
import { LostDraftNote } from '../../features/workflow-editor/components/lost-draft-note.tsx';
import { OpenConflict } from '../../features/workflow-editor/components/open-dialog.tsx';
import { RestoreNote } from '../../features/workflow-editor/components/restore-note.tsx';
import { useEditorKeys } from '../../features/workflow-editor/components/use-editor-keys.ts';
import { useLeaveGuard } from '../../features/workflow-editor/components/use-leave-guard.ts';
import { useUnsavedCopy } from '../../features/workflow-editor/components/use-unsaved-copy.ts';
import { useWorkflowEditor } from '../../features/workflow-editor/components/use-workflow-editor.ts';
import type { SaveRules, WorkflowEditorModel } from '../../features/workflow-editor/components/use-workflow-editor.ts';
import type { EditorEvents } from '../../features/workflow-editor/components/use-finish-draft.ts';
import {
  loadStepFieldsWhenIdle,
  StepConfigFields,
} from '../../features/workflow-editor/step-settings/components/step-config-fields.tsx';
import { useCan, useUser } from '../../lib/session/signed-in.ts';
import type { Organization } from '../../lib/session/signed-in.ts';
import { useNow } from '../../lib/use-now.ts';
import { FailureNote } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

// The layout library is only loaded when a person opens the diagram.
const FlowPicture = lazy(async () => ({
  default: (await import('../../features/workflow-editor/flow-picture/components/flow-picture.tsx')).FlowPicture,
}));

type OpenedBuilderProps = {
  source: EditorSource;
  /** Whether it is opened read-only. */
  view: boolean;
  organization: Organization;
  onMoved: EditorEvents['onMoved'];
  onClose: () => void;
};

const RULES: SaveRules = {
  problem: (content, givenKey) =>
    givenKey !== '' && !isWorkflowKey(givenKey)
      ? 'A key has letters, digits, dots, underscores and hyphens'
      : (builderSaveProblem(content) ?? firstProblem(content.steps)),
  prepare: withListSaveDefaults,
  sentence: () => 'Workflow saved successfully',
};
const nowhere = () => undefined;

/**
 * The builder for a document. It saves, handles conflicts and stores unsaved copies like the editor, but with its own
 * rules.
 */
export function OpenedBuilder({ source, view, organization, onMoved, onClose }: OpenedBuilderProps) {
  const editor = useWorkflowEditor(source, { onMoved, onGone: nowhere }, RULES);
  const { state, dispatch, content, dirty, record, trouble, key } = editor;
  const { id: userId } = useUser();
  // An archived workflow has no drafts (rulings, section 4), so it is read-only at every address.
  const readOnly = !useCan('draft.edit') || view || isClosed(record);
  const [typed, setTyped] = useState<Step | null>(null);
  const leaving = useLeaveGuard((dirty || typed !== null) && !readOnly);
  // Input in an open dialog is stored as if it had been saved there.
  const kept = useMemo(() => (typed === null ? editor : withTyped(editor, typed)), [editor, typed]);
  const copy = useUnsavedCopy({
    editor: kept,
    owner: `${userId}/${organization.id}`,
    readOnly,
    lostDraftId: source.lostDraftId ?? null,
  });
  const suggestions = useAssignees(readOnly ? null : organization.id);
  const people = useMemo(
    () => suggestions.filter(({ tag }) => tag === 'email').map(({ value }) => value),
    [suggestions],
  );
  const now = useNow(60_000);
  useEffect(loadStepFieldsWhenIdle, []);
  const undo = () => dispatch({ type: 'undone' });
  const redo = () => dispatch({ type: 'redone' });
  const title = displayTitle(key, content.metadata.title) || 'New workflow';
  useEditorKeys({
    onSave: () => !readOnly && editor.save(),
    onUndo: () => !readOnly && undo(),
    onRedo: () => !readOnly && redo(),
  });

  return (
    <>
      <PageTitle>{`${isolated(title)}, builder`}</PageTitle>
      <Builder
        document={{
          metadata: content.metadata,
          steps: content.steps,
          savedSteps: state.saved.steps,
          status: statusOf(record),
          version: versionOf(record),
          key:
            record.kind === 'unsaved'
              ? {
                  value: editor.givenKey,
                  suggested: keyFromTitle(content.metadata.title) ?? '',
                  isFixed: false,
                  onChange: editor.chooseKey,
                }
              : { value: key, isFixed: true },
          dirty: dirty && !readOnly,
          saving: editor.busy === 'saving',
          canUndo: canUndo(state),
          canRedo: canRedo(state),
          dispatch,
          onSave: editor.save,
        }}
        readOnly={readOnly}
        people={people}
        banners={
          <>
            {trouble?.kind === 'failed' && (
              <FailureNote
                cause={trouble}
                title={trouble.title}
                message={trouble.message}
                onDismiss={editor.dismissTrouble}
              />
            )}
            {source.lostDraftId !== undefined && <LostDraftNote />}
            <RestoreNote copy={copy} now={now} />
          </>
        }
        renderFields={(props) => <StepConfigFields {...props} />}
        renderPicture={(props) => (
          <Suspense fallback={null}>
            <FlowPicture {...props} name={key || 'workflow'} />
          </Suspense>
        )}
        onStepEdit={setTyped}
        onClose={onClose}
      />
      {leaving ? (
        <LeaveDialog
          onStay={leaving.stay}
          onLeave={() => {
            copy.forget();
            leaving.leave();
          }}
        />
      ) : trouble?.kind === 'conflict' ? (
        <OpenConflict editor={editor} conflict={trouble} now={now} />
      ) : (
        copy.merging && <MergeDialog sides={copy.merging} onMerged={copy.finishMerge} onBack={copy.cancelMerge} />
      )}
    </>
  );
}

/** The document with one more change. */
function withTyped(editor: WorkflowEditorModel, step: Step): WorkflowEditorModel {
  const content = { ...editor.content, steps: replaceStep(editor.content.steps, step) };
  return { ...editor, content, state: editorReducer(editor.state, { type: 'content_replaced', content }) };
}

function versionOf(record: SourceRecord): string {
  const number = record.kind === 'live' ? record.version : record.kind === 'draft' ? record.baseVersion : null;
  return number === null || number === 0 ? 'no version yet' : `v${number}`;
}
