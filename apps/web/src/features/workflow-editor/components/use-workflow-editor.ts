import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WholeDraft } from '@stet/contract';
import {
  displayTitle,
  finalStepIds,
  isProvisional,
  keyFromTitle,
  newWorkflowKey,
  stepIdReplacer,
  titledStepIds,
} from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import { useReducer, useRef, useState } from 'react';
import { ApiError, errorSentence, isCode } from '../../../lib/api/api-error.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { toast } from '../../../ui/toast.ts';
import { findServerSide, getLiveSide } from '../api/find-server-side.ts';
import { getDraft, getStepIds, saveDraft } from '../api/save-draft.ts';
import type { Saved } from '../api/save-draft.ts';
import { editedContent, editorReducer, isDirty, openDocument } from '../model/editor-state.ts';
import { sameContent } from '../model/same-content.ts';
import { recordOfDraft } from '../model/source.ts';
import type { EditorSource, ServerSide, SourceRecord } from '../model/source.ts';
import {
  Conflict,
  type DraftRecord,
  InvalidDocument,
  type WriteTarget,
  draftOf,
  draftOnlySaved,
  newDraftOn,
  targetOf,
} from '../model/write-target.ts';
import { type EditorEvents, useFinishDraft } from './use-finish-draft.ts';

/** A snapshot of the open document. */
type Opened = { content: WorkflowContent; givenKey: string; record: SourceRecord; dirty: boolean };

type Failure = {
  title: string;
  message: string;
  tone?: 'warn' | 'bad';
  /** If the person can correct the failure in the document, returns true once they have. */
  isOver?: (now: Opened) => boolean;
};

/** The last attempt's error: a note above the document or, for a conflict with the server's version, a dialog. */
export type EditorTrouble = (Failure & { kind: 'failed' }) | { kind: 'conflict'; sentence: string; theirs: ServerSide };

/** The rules for saving, which differ between the table editor and the builder. */
export type SaveRules = {
  /** The reason why the document can't be saved under the chosen key. Null if it can. */
  problem: (content: WorkflowContent, givenKey: string) => string | null;
  /** Returns the document as it should be saved. `saved` is the server's version. */
  prepare: (content: WorkflowContent, saved: WorkflowContent) => WorkflowContent;
  /** The toast's text after a save. */
  sentence: (title: string) => string;
};

/** An open document with its content, the server's version, and the calls that synchronize them. */
export function useWorkflowEditor(source: EditorSource, { onMoved, onGone }: EditorEvents, rules: SaveRules) {
  const [state, dispatch] = useReducer(editorReducer, source, ({ saved, edited }) => openDocument(saved, edited));
  const [record, setRecord] = useState(source.record);
  const [trouble, setTrouble] = useState<EditorTrouble | null>(null);
  const intent = useIntent();
  const queries = useQueryClient();
  const content = editedContent(state);
  const dirty = isDirty(state);
  // An unsaved document also has a key: the chosen one, or the one derived from its title.
  const [givenKey, setGivenKey] = useState(source.key);
  const [openedAt] = useState(Date.now);
  // A template's own key is only for a workflow that keeps the template's title.
  const isRenamed =
    record.kind === 'unsaved' &&
    source.opened === 'template' &&
    source.key !== '' &&
    givenKey === source.key &&
    content.metadata.title !== source.saved.metadata.title;
  const chosenKey = isRenamed ? '' : givenKey;
  const key = chosenKey || (keyFromTitle(content.metadata.title) ?? '');

  const refreshLists = () => queries.invalidateQueries({ queryKey: ['workflows'] });
  const reportFailure = (failure: Failure) => setTrouble({ kind: 'failed', ...failure });
  const endTrouble = () => setTrouble(null);
  const failed = (title: string, fallback: string) => (error: unknown) =>
    reportFailure({ title, message: errorSentence(error, fallback) });
  const adopt = (draft: WholeDraft): DraftRecord => {
    const adopted = recordOfDraft(draft);
    setRecord(adopted);
    return adopted;
  };

  /**
   * Uses the saved draft as the new base and loads its abilities. If this request fails, the save still counts, but the
   * editor only offers saving.
   */
  const adoptSaved = async (at: string, saved: Saved, before: DraftRecord | null): Promise<DraftRecord> => {
    const whole = await getDraft(at, saved.draftId).catch(() => null);
    if (whole) return adopt(whole);
    const unknown = draftOnlySaved(saved, before?.baseVersion ?? (record.kind === 'live' ? record.version : null));
    setRecord(unknown);
    return unknown;
  };

  const usedIds = async () => (record.kind === 'unsaved' ? [] : getStepIds(key));

  /**
   * Gives new steps with a title their final ids. Called when a step's form opens, because its expressions and messages
   * show ids. If the request fails, the steps get their ids when they are saved.
   */
  const nameTitledSteps = async (): Promise<void> => {
    if (titledStepIds(content.steps, []).size === 0) return;
    const used = await usedIds().catch(() => null);
    if (used !== null) dispatch({ type: 'titled_steps_named', used });
  };

  /** Gives new steps the ids under which they will be saved, and returns the document with these ids. */
  const withFinalIds = async (): Promise<WorkflowContent> => {
    if (!content.steps.some(({ id }) => isProvisional(id))) return content;
    // If this request fails, the save probably fails too, and its error says why.
    const ids = finalStepIds(content.steps, await usedIds().catch(() => []));
    const replace = stepIdReplacer(ids).content;
    dispatch({ type: 'ids_replaced', ids, replace });
    return replace(content);
  };

  /**
   * Saves the document and returns its draft. `over` is the target after a conflict; by default, it is the open draft
   * or a new one.
   */
  const write = async (over?: WriteTarget): Promise<DraftRecord> => {
    const refusal = rules.problem(content, chosenKey);
    if (refusal !== null) throw new InvalidDocument(refusal);
    const named = await withFinalIds();
    const written = rules.prepare(named, state.saved);
    if (written !== named) dispatch({ type: 'content_completed', content: written });
    const { draft, isNew, liveVersionId } = over ?? targetOf(record);
    let at = key || newWorkflowKey(openedAt);
    const saveAs = (asKey: string): Promise<Saved> => {
      const input = {
        key: asKey,
        isNew,
        content: written,
        draft,
        ...(liveVersionId !== undefined && { liveVersionId }),
      };
      return saveDraft({ ...input, idempotencyKey: intent.keyFor(input) });
    };
    try {
      const saved = await saveAs(at).catch((error: unknown) => {
        // The person didn't choose this key, so the template's own key replaces it.
        if (!isRenamed || !isCode(error, 'key_taken')) throw error;
        at = source.key;
        return saveAs(at);
      });
      intent.finish();
      setGivenKey(at);
      dispatch({ type: 'saved', content: written });
      const adopted = await adoptSaved(at, saved, draft);
      if (draft === null) onMoved({ key: at, draftId: saved.draftId });
      void refreshLists();
      return adopted;
    } catch (error) {
      intent.finish(error);
      if (!(error instanceof ApiError)) throw error;
      const theirs = await findServerSide(error, { key, draftId: draft?.draftId ?? null, saved: state.saved });
      if (theirs === null) throw error;
      // If the response to an earlier attempt was lost, the saved content is our own.
      if (
        theirs.record.kind === 'draft' &&
        theirs.record.draftId === draft?.draftId &&
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
    else if (error instanceof InvalidDocument) {
      const { message } = error;
      const isOver = (now: Opened) => rules.problem(now.content, now.givenKey) !== message;
      reportFailure({ title: 'Validation Error', message, isOver });
    } else failed('Save Error', 'Failed to save workflow')(error);
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

  const takeTheirs = (theirs: ServerSide, merged?: WorkflowContent) => {
    dispatch({ type: 'content_replaced', content: merged ?? theirs.content });
    dispatch({ type: 'saved', content: theirs.content });
    setRecord(theirs.record);
    setTrouble(null);
    if (draftOf(theirs.record) !== draftOf(record)) onMoved({ key, draftId: draftOf(theirs.record) });
  };
  const catchUp = useMutation({
    mutationFn: () => getLiveSide(key),
    onSuccess: (theirs) => {
      if (dirty) setTrouble({ kind: 'conflict', sentence: 'Another version went live in the meantime', theirs });
      else takeTheirs(theirs);
    },
    onError: failed('Error', 'Failed to load workflow'),
  });

  const finish = useFinishDraft({
    key,
    record,
    title: displayTitle(key, content.metadata.title),
    isSaved: !dirty,
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
    /** The chosen key. It can only be chosen before the first save, and is empty while the key follows the title. */
    givenKey: chosenKey,
    chooseKey: setGivenKey,
    state,
    dispatch,
    content,
    dirty,
    record,
    trouble:
      trouble?.kind === 'failed' && trouble.isOver?.({ content, givenKey: chosenKey, record, dirty }) ? null : trouble,
    dismissTrouble: endTrouble,
    nameTitledSteps,
    /** Shows an error above the document until it is dismissed, or until its `isOver` returns true. */
    reportFailure,
    save: () => {
      // Rapid clicks can arrive before the page has rerendered.
      if (isSaving.current) return;
      // A draft that is identical to the live version would request a review without any changes.
      if (!dirty && record.kind === 'live') return toast.ok('Nothing to save', 'This is identical to the live version');
      isSaving.current = true;
      save.mutate(undefined);
    },
    /**
     * Replaces the content with theirs, or with the merged content, based on their revision. One undo restores the
     * person's own content.
     */
    takeTheirs,
    /** Overwrites another person's version of the draft. If there is no such draft any more, creates a new one. */
    keepMine: (theirs: ServerSide) =>
      save.mutate(draftOf(theirs.record) === draftOf(record) ? targetOf(theirs.record) : newDraftOn(theirs.record)),
    /** Loads the version that went live after the document was opened. Asks first if there are unsaved changes. */
    catchUp: catchUp.mutate,
    submit: finish.submit,
    submission: finish.submission,
    withdraw: finish.withdraw,
    publish: finish.publish,
    remove: finish.remove,
    discard: finish.discard,
    busy: save.isPending ? 'saving' : finish.busy,
  } as const;
}

export type WorkflowEditorModel = ReturnType<typeof useWorkflowEditor>;
