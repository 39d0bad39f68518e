import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WholeDraft } from '@stet/contract';
import { displayTitle, isolated, keyFromTitle, newWorkflowKey } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import { useReducer, useRef, useState } from 'react';
import { ApiError, errorSentence } from '../../../lib/api/api-error.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { toast } from '../../../ui/toast.ts';
import { inTheWay } from '../api/in-the-way.ts';
import { getDraft, saveDraft } from '../api/save-draft.ts';
import type { Saved } from '../api/save-draft.ts';
import { editedContent, editorReducer, isDirty, openDocument } from '../model/editor-state.ts';
import { saveRefusal } from '../model/cell-problem.ts';
import { sameContent } from '../model/same-content.ts';
import { recordOfDraft } from '../model/source.ts';
import type { EditorSource, ServerSide } from '../model/source.ts';
import {
  Conflict,
  type DraftRecord,
  Unfit,
  type WriteTarget,
  draftOf,
  draftOnlySaved,
  targetOf,
} from '../model/write-target.ts';
import { type EditorEvents, useFinishDraft } from './use-finish-draft.ts';

/** What went wrong with the last try, for the note above the document; `conflict` carries what somebody else saved. */
export type EditorTrouble =
  | { kind: 'failed'; title: string; message: string }
  | { kind: 'conflict'; sentence: string; theirs: ServerSide };

/** What a document has to be like to be saved, which differs between those who edit it. */
export type SaveRules = {
  /** Why it can't be saved as it is, else null. */
  problem: (content: WorkflowContent) => string | null;
  /** The document as it is saved; `saved` is what the server has. */
  prepare: (content: WorkflowContent, saved: WorkflowContent) => WorkflowContent;
  /** What a toast says of a save. */
  sentence: (title: string) => string;
};

const EDITOR_RULES: SaveRules = {
  problem: ({ metadata, steps }) =>
    metadata.title.trim() === '' ? 'Workflow key and title are required' : saveRefusal(steps),
  prepare: (content) => content,
  sentence: (title) => `${isolated(title)} saved as a draft`,
};

/** One opened document: what it says, what the server has of it, and the calls that bring the two together. */
export function useWorkflowEditor(
  source: EditorSource,
  { onMoved, onGone }: EditorEvents,
  rules: SaveRules = EDITOR_RULES,
) {
  const [state, dispatch] = useReducer(editorReducer, source, ({ saved, edited }) => openDocument(saved, edited));
  const [record, setRecord] = useState(source.record);
  const [trouble, setTrouble] = useState<EditorTrouble | null>(null);
  const intent = useIntent();
  const queries = useQueryClient();
  const content = editedContent(state);
  const dirty = isDirty(state);
  // A document that was never saved may still get its key: the one that is chosen, else what its title suggests.
  const [givenKey, setGivenKey] = useState(source.key);
  const [openedAt] = useState(Date.now);
  const key = givenKey || (keyFromTitle(content.metadata.title) ?? '');

  const refreshLists = () => queries.invalidateQueries({ queryKey: ['workflows'] });
  const told = useRef<number | null>(null);
  const takeBack = () => {
    if (told.current !== null) toast.dismiss(told.current);
    told.current = null;
  };
  const reportFailure = (title: string, message: string) => {
    setTrouble({ kind: 'failed', title, message });
    takeBack();
    told.current = toast.bad(title, message);
  };
  /** A failure that is over is no longer told anywhere. */
  const endTrouble = () => {
    setTrouble(null);
    takeBack();
  };
  const failed = (title: string, fallback: string) => (error: unknown) =>
    reportFailure(title, errorSentence(error, fallback));
  const adopt = (draft: WholeDraft): DraftRecord => {
    const adopted = recordOfDraft(draft);
    setRecord(adopted);
    return adopted;
  };

  /** What may be done with the draft now. It is saved whatever the answer to this question: without one, only saving is offered. */
  const adoptSaved = async (at: string, saved: Saved, before: DraftRecord | null): Promise<DraftRecord> => {
    const whole = await getDraft(at, saved.draftId).catch(() => null);
    if (whole) return adopt(whole);
    const unknown = draftOnlySaved(saved, before?.baseVersion ?? (record.kind === 'live' ? record.version : null));
    setRecord(unknown);
    return unknown;
  };

  /** Writes the document to its draft and answers that draft. `over` writes over what somebody else saved. */
  const write = async (over?: WriteTarget): Promise<DraftRecord> => {
    const refusal = rules.problem(content);
    if (refusal !== null) throw new Unfit(refusal);
    const written = rules.prepare(content, state.saved);
    if (written !== content) dispatch({ type: 'content_replaced', content: written });
    const { draft, isNew } = over ?? targetOf(record);
    const at = key || newWorkflowKey(openedAt);
    const input = { key: at, isNew, content: written, draft };
    try {
      const saved = await saveDraft({ ...input, idempotencyKey: intent.keyFor(input) });
      intent.settle();
      setGivenKey(at);
      dispatch({ type: 'saved', content: written });
      const adopted = await adoptSaved(at, saved, draft);
      if (draft === null) onMoved({ key: at, draftId: saved.draftId });
      void refreshLists();
      return adopted;
    } catch (error) {
      intent.settle(error);
      if (!(error instanceof ApiError) || draft === null) throw error;
      const theirs = await inTheWay(error, { key, draftId: draft.draftId, saved: state.saved });
      if (theirs === null) throw error;
      // The answer to an earlier try was lost: what is there is one's own.
      if (
        theirs.record.kind === 'draft' &&
        theirs.record.draftId === draft.draftId &&
        sameContent(theirs.content, written)
      ) {
        dispatch({ type: 'saved', content: written });
        setRecord(theirs.record);
        return theirs.record;
      }
      throw new Conflict(error.message, theirs);
    }
  };

  const onWriteError = (error: unknown): void => {
    if (error instanceof Conflict) setTrouble({ kind: 'conflict', sentence: error.message, theirs: error.theirs });
    else if (error instanceof Unfit) reportFailure('Validation Error', error.message);
    else failed('Save Error', 'Failed to save workflow')(error);
  };

  const isSaving = useRef(false);
  const save = useMutation({
    mutationFn: write,
    onSettled: () => {
      isSaving.current = false;
    },
    onSuccess: () => {
      endTrouble();
      toast.ok('Workflow Saved', rules.sentence(displayTitle(key, content.metadata.title)));
    },
    onError: onWriteError,
  });

  const finish = useFinishDraft({
    key,
    record,
    title: displayTitle(key, content.metadata.title),
    isSettled: !dirty,
    write,
    onWriteError,
    failed,
    onRecord: setRecord,
    onDone: endTrouble,
    refreshLists,
    onMoved,
    onGone,
  });

  return {
    key,
    /** The key that was chosen, empty while the title's is meant; choosing is for what was never saved. */
    givenKey,
    chooseKey: setGivenKey,
    state,
    dispatch,
    content,
    dirty,
    record,
    trouble,
    dismissTrouble: endTrouble,
    /** Says what went wrong above the document, until it is dismissed, and in a toast. */
    reportFailure,
    save: () => {
      // Clicks that follow each other at once come before the page has heard of the first.
      if (isSaving.current) return;
      // A draft of what is live already would ask for a review of nothing.
      if (!dirty && record.kind === 'live') return toast.ok('Nothing to save', 'This is what is live');
      isSaving.current = true;
      save.mutate(undefined);
    },
    /** Theirs on the screen, or both merged, on top of their revision; what one had oneself is one undo away. */
    takeTheirs: (theirs: ServerSide, merged?: WorkflowContent) => {
      dispatch({ type: 'content_replaced', content: merged ?? theirs.content });
      dispatch({ type: 'saved', content: theirs.content });
      setRecord(theirs.record);
      setTrouble(null);
      if (draftOf(theirs.record) !== draftOf(record)) onMoved({ key, draftId: draftOf(theirs.record) });
    },
    /** Over what somebody saved to the draft; as a new draft where the draft is gone. */
    keepMine: (theirs: ServerSide) =>
      save.mutate(
        draftOf(theirs.record) === draftOf(record)
          ? targetOf(theirs.record)
          : { draft: null, isNew: theirs.record.kind === 'unsaved' },
      ),
    submit: finish.submit,
    withdraw: finish.withdraw,
    publish: finish.publish,
    remove: finish.remove,
    discard: finish.discard,
    busy: save.isPending ? 'saving' : finish.busy,
  } as const;
}

export type WorkflowEditorModel = ReturnType<typeof useWorkflowEditor>;
