import { useMutation } from '@tanstack/react-query';
import type { VersionRecord, WholeDraft } from '@stet/contract';
import { useState } from 'react';
import { ApiError, errorSentence } from '../../../lib/api/api-error.ts';
import type { Submission } from '../../../ui/submit-form.tsx';
import { toast } from '../../../ui/toast.ts';
import { deleteWorkflow, discardDraft, publishDraft, submitDraft, withdrawDraft } from '../api/finish-draft.ts';
import { getDraft } from '../api/save-draft.ts';
import { recordOfDraft } from '../model/source.ts';
import type { SourceRecord } from '../model/source.ts';
import { type DraftRecord, NotSaved, isOpen } from '../model/write-target.ts';

export type EditorEvents = {
  /** Called when the document gets a new address, for example after its first save or its publication. */
  onMoved: (to: { key: string; draftId: string | null }) => void;
  onGone: () => void;
};

type Finishing = EditorEvents & {
  key: string;
  record: SourceRecord;
  title: string;
  /** Whether all content on the screen is saved. */
  isSaved: boolean;
  /** Saves the content on the screen and returns its draft. */
  write: () => Promise<DraftRecord>;
  onWriteError: (error: unknown) => void;
  /** Returns a handler that reports a failed call under this title. */
  failed: (title: string, fallback: string) => (error: unknown) => void;
  onRecord: (record: SourceRecord) => void;
  onDone: () => void;
  refreshLists: () => Promise<void>;
};

/**
 * Actions on a draft: submit, withdraw, publish or discard it, or delete its workflow. The first three save the content
 * if needed.
 */
export function useFinishDraft({
  key,
  record,
  title,
  isSaved,
  write,
  onWriteError,
  failed,
  onRecord,
  onDone,
  refreshLists,
  onMoved,
  onGone,
}: Finishing) {
  /** Saves the content on the screen if needed, and returns the draft. */
  const savedDraft = async (): Promise<DraftRecord> => {
    if (record.kind === 'draft' && isSaved && isOpen(record.status)) return record;
    return write();
  };
  const finishing =
    <T>(act: (draft: DraftRecord) => Promise<T>) =>
    async (): Promise<T> => {
      const draft = await savedDraft().catch((error: unknown) => {
        onWriteError(error);
        return null;
      });
      if (draft === null) throw new NotSaved();
      return act(draft);
    };
  const onFinishError = (title: string, fallback: string) => (error: unknown) => {
    if (!(error instanceof NotSaved)) failed(title, fallback)(error);
  };

  /** The saved draft that the dialog above the editor submits. */
  const [submitted, setSubmitted] = useState<WholeDraft | null>(null);
  const openSubmit = useMutation({
    mutationFn: finishing<WholeDraft>((draft) => getDraft(key, draft.draftId)),
    onSuccess: (draft) => {
      onRecord(recordOfDraft(draft));
      setSubmitted(draft);
    },
    onError: onFinishError('Error', 'Failed to submit for review'),
  });
  const submit = useMutation({
    mutationFn: async ({ draftId, submission }: { draftId: string; submission: Submission }) => {
      await submitDraft({ key, draftId }, submission);
      onRecord(recordOfDraft(await getDraft(key, draftId)));
    },
    onSuccess: () => {
      setSubmitted(null);
      onDone();
      toast.ok('Submitted for review');
      void refreshLists();
    },
  });
  const withdraw = useMutation({
    mutationFn: finishing(async (draft) => {
      await withdrawDraft({ key, draftId: draft.draftId });
      onRecord(recordOfDraft(await getDraft(key, draft.draftId)));
    }),
    onSuccess: () => toast.ok('Withdrawn from review'),
    onError: onFinishError('Error', 'Failed to withdraw the draft'),
  });
  const publish = useMutation({
    mutationFn: finishing<VersionRecord>((draft) =>
      publishDraft({ key, draftId: draft.draftId, submitted: draft.status === 'in_review' }),
    ),
    onSuccess: (version) => {
      onDone();
      onRecord({ kind: 'live', version: version.version ?? 1, versionId: version.id, updatedAt: version.updatedAt });
      toast.ok('Published', `${version.label} is live`);
      void refreshLists();
      onMoved({ key, draftId: null });
    },
    onError: (error) => {
      // Once the draft's state is loaded, the note above the document explains what to do.
      if (error instanceof ApiError && error.code === 'out_of_date' && record.kind === 'draft') {
        void getDraft(key, record.draftId).then(
          (draft) => onRecord(recordOfDraft(draft)),
          () => undefined,
        );
      }
      onFinishError('Error', 'Failed to publish')(error);
    },
  });
  const remove = useMutation({
    mutationFn: (why: { reason: string | undefined }) => deleteWorkflow(key, why),
    onSuccess: () => {
      toast.ok('Workflow Deleted', title, { forNextScreen: true });
      void refreshLists();
      onGone();
    },
  });
  const discard = useMutation({
    mutationFn: (why: { reason: string | undefined }) =>
      discardDraft({ key, draftId: record.kind === 'draft' ? record.draftId : '' }, why),
    onSuccess: () => {
      toast.ok('Draft discarded', undefined, { forNextScreen: true });
      void refreshLists();
      onGone();
    },
  });

  return {
    submit: () => {
      submit.reset();
      openSubmit.mutate();
    },
    /** The open dialog for a submission. Null if it is closed. */
    submission: submitted && {
      draft: submitted,
      busy: submit.isPending,
      error: submit.error && errorSentence(submit.error, 'Failed to submit for review'),
      onSubmit: (submission: Submission) => submit.mutate({ draftId: submitted.id, submission }),
      onClose: () => setSubmitted(null),
    },
    withdraw: () => withdraw.mutate(),
    publish: () => publish.mutate(),
    remove,
    discard,
    busy:
      openSubmit.isPending || submit.isPending || withdraw.isPending
        ? 'submitting'
        : publish.isPending
          ? 'publishing'
          : null,
  } as const;
}
