import type { Step } from '@stet/domain/steps';
import { isolated, keyFromTitle } from '@stet/domain/workflows';
import { useEffect, useEffectEvent } from 'react';
import { FailureNote } from '../../../../ui/note.tsx';
import { PageTitle } from '../../../../ui/page-title.tsx';
import { LostDraftNote } from '../../components/lost-draft-note.tsx';
import { ReviewNotes } from '../../components/review-notes.tsx';
import { reviewPath } from '../../components/step-comments.tsx';
import { authorsSentence } from '../../model/review-state.ts';
import { useUser } from '../../../../lib/session/signed-in.ts';
import { RestoreNote } from '../../components/restore-note.tsx';
import type { OpenDocument } from '../../components/open-document.ts';
import { LazyFlowPicture } from '../../flow-picture/components/lazy-flow-picture.tsx';
import { canRedo, canUndo } from '../../model/editor-state.ts';
import type { SourceRecord } from '../../model/source.ts';
import { loadSettingsWhenIdle } from '../../../../step-types/step-settings.tsx';
import { Builder } from './builder.tsx';

type BuilderViewProps = {
  document: OpenDocument;
  /** Receives the unsaved input of an open dialog; null if there is none. Always the same function. */
  onStepEdit: (step: Step | null) => void;
};

export function BuilderView({ document, onStepEdit }: BuilderViewProps) {
  const { source, editor, review, readOnly, suggestions, copy, now } = document;
  const { id: userId } = useUser();
  const { state, dispatch, content, dirty, record, trouble, key } = editor;
  useEffect(loadSettingsWhenIdle, []);
  const { open } = document.grid;
  const openedId = open?.part === 'step' ? open.stepId : null;
  const onStepOpened = useEffectEvent(() => void editor.nameTitledSteps());
  useEffect(() => {
    if (openedId !== null) onStepOpened();
  }, [openedId]);
  const title = document.title || 'New workflow';

  return (
    <>
      <PageTitle>{`${isolated(title)}, builder`}</PageTitle>
      <Builder
        document={{
          metadata: content.metadata,
          steps: content.steps,
          baseSteps: document.base.steps,
          record,
          authors: authorsSentence(review.authors, userId),
          comments: review.comments,
          reviewPath: reviewPath(editor),
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
          draftStep: document.draftStep,
          onSave: editor.save,
          onSwitch: document.onSwitch,
        }}
        grid={document.grid}
        scrolling={document.scrolling}
        readOnly={readOnly}
        suggestions={suggestions}
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
            <ReviewNotes document={document} />
            {source.lostDraftId !== undefined && <LostDraftNote />}
            <RestoreNote copy={copy} now={now} />
          </>
        }
        renderPicture={(props) => <LazyFlowPicture {...props} name={key || 'workflow'} />}
        onStepEdit={onStepEdit}
        onClose={document.onClose}
      />
    </>
  );
}

function versionOf(record: SourceRecord): string {
  const number = record.kind === 'live' ? record.version : record.kind === 'draft' ? record.baseVersion : null;
  return number === null || number === 0 ? 'no version yet' : `v${number}`;
}
