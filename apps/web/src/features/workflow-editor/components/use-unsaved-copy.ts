import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { randomKey } from '../../../lib/api/random-key.ts';
import { localCopies } from '../../../lib/local-copies.ts';
import type { CopyPlace, SavedCopy } from '../../../lib/local-copies.ts';
import { lockSession, livingSessions } from '../../../lib/living-sessions.ts';
import { isDirty } from '../model/editor-state.ts';
import { whenIdle } from '../../../lib/when-idle.ts';
import { toast } from '../../../ui/toast.ts';
import { sameContent } from '../model/same-content.ts';
import { readUnsavedCopy, restorationOf, revisionOf, subjectOf } from '../model/unsaved-copy.ts';
import type { UnsavedCopy } from '../model/unsaved-copy.ts';
import type { MergeSides } from '../model/resolve-merge.ts';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';

const copies = localCopies(() => window.localStorage, readUnsavedCopy);
// Long enough to avoid a write per keystroke, short enough that a crash loses at most about a word.
const PAUSE_MS = 400;

type UnsavedCopyOptions = {
  editor: WorkflowEditorModel;
  owner: string;
  readOnly: boolean;
  /** A missing draft's id. Its unsaved changes can be restored on the document that was opened instead. */
  lostDraftId: string | null;
};

/**
 * Stores unsaved changes in this browser, so that they survive a crash of the tab. It also finds changes from a tab
 * that is closed. They are offered to the person and never applied automatically.
 */
export function useUnsavedCopy({ editor, owner, readOnly, lostDraftId }: UnsavedCopyOptions) {
  const { state, content, record, key, dispatch } = editor;
  const [session] = useState(randomKey);
  // An unsaved document's key may change with its title, so use the first one.
  const [openedKey] = useState(key);
  const subject = subjectOf(record, record.kind === 'unsaved' ? openedKey : key);
  const [found, setFound] = useState<SavedCopy<UnsavedCopy> | null>(null);
  const [merging, setMerging] = useState<MergeSides | null>(null);
  const isOver = useRef(false);
  const latest = useRef({ state, record, place: { owner, subject, session } });
  // The live sessions as of the last pause in typing. A page that is being closed can't wait for a newer list.
  const living = useRef<ReadonlySet<string>>(new Set());

  const write = useCallback(() => {
    const { state: now, record: at, place } = latest.current;
    if (isOver.current || !isDirty(now)) return copies.drop(place);
    copies.save(
      place,
      { base: now.saved, edited: now.history.present, revision: revisionOf(at) },
      Date.now(),
      living.current,
    );
  }, []);

  useEffect(() => {
    const former = latest.current.place;
    latest.current = { state, record, place: { owner, subject, session } };
    // The changes now belong to a different document, for example because a save created its draft.
    if (former.subject !== subject) copies.drop(former);
    if (readOnly) return;
    let isLate = false;
    let callOff = (): void => undefined;
    const timer = setTimeout(async () => {
      living.current = await livingSessions();
      // Serializing a long document takes about a frame, which must not delay a key press.
      if (!isLate) callOff = whenIdle(write);
    }, PAUSE_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
      callOff();
    };
  }, [state, record, owner, subject, session, readOnly, write]);

  useEffect(() => {
    if (readOnly) return;
    // `pagehide` and `visibilitychange` are the last events during which a page can reliably write, even on phones.
    const onHide = () => document.visibilityState === 'hidden' && write();
    window.addEventListener('pagehide', write);
    document.addEventListener('visibilitychange', onHide);
    return () => {
      window.removeEventListener('pagehide', write);
      document.removeEventListener('visibilitychange', onHide);
      // The person may be signed out while a document is open, so write immediately.
      write();
    };
  }, [readOnly, write]);

  useEffect(() => (readOnly ? undefined : lockSession(session)), [readOnly, session]);
  const look = useEffectEvent((others: ReadonlySet<string>) => {
    const subjects = lostDraftId === null ? [subject] : [`draft/${lostDraftId}`, subject];
    const copy = newestOf(
      subjects.map((each) => ({ owner, subject: each, session })),
      others,
    );
    if (copy === null || !sameContent(copy.value.edited, content)) return setFound(copy);
    copies.drop(copy.place);
  });
  useEffect(() => {
    let isGone = readOnly;
    void livingSessions().then((others) => isGone || look(others));
    return () => {
      isGone = true;
    };
  }, [readOnly]);

  const forgetFound = () => {
    if (found) copies.drop(found.place);
    setFound(null);
  };
  return {
    /** Changes from a tab that is closed. Null if there are none, or once they are restored or discarded. */
    found,
    restore: () => {
      if (!found) return;
      const back = restorationOf(found.value, record, state.saved);
      if (back.how === 'merge') return setMerging(back.sides);
      dispatch({ type: 'content_replaced', content: back.content });
      forgetFound();
    },
    discard: () => {
      forgetFound();
      if (!found) return;
      const undo = () => {
        copies.save(found.place, found.value, found.at);
        setFound(found);
      };
      toast.ok('Unsaved changes discarded', undefined, { action: { label: 'Undo', run: undo } });
    },
    /** A copy whose conflicts must be resolved before it can be restored. */
    merging,
    finishMerge: (merged: MergeSides['mine']) => {
      dispatch({ type: 'content_replaced', content: merged });
      setMerging(null);
      forgetFound();
    },
    cancelMerge: () => setMerging(null),
    /** Removes the stored copy of the changes, and stores no more. */
    forget: () => {
      isOver.current = true;
      copies.drop({ owner, subject, session });
    },
  } as const;
}

function newestOf(places: readonly CopyPlace[], living: ReadonlySet<string>): SavedCopy<UnsavedCopy> | null {
  for (const place of places) {
    const copy = copies.newest(place, Date.now(), living);
    if (copy) return copy;
  }
  return null;
}

export type UnsavedCopyModel = ReturnType<typeof useUnsavedCopy>;
