import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { randomKey } from '../../../lib/api/random-key.ts';
import { localCopies } from '../../../lib/local-copies.ts';
import type { CopyPlace, KeptCopy } from '../../../lib/local-copies.ts';
import { holdSession, livingSessions } from '../../../lib/living-sessions.ts';
import { isDirty } from '../model/editor-state.ts';
import { whenIdle } from '../../../lib/when-idle.ts';
import { sameContent } from '../model/same-content.ts';
import { readUnsavedCopy, restorationOf, revisionOf, subjectOf } from '../model/unsaved-copy.ts';
import type { UnsavedCopy } from '../model/unsaved-copy.ts';
import type { MergeSides } from '../model/settle-merge.ts';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';

const copies = localCopies(() => window.localStorage, readUnsavedCopy);
// Long enough that typing isn't written letter by letter, short enough that a crash loses a word at most.
const PAUSE_MS = 400;

type UnsavedCopyOptions = {
  editor: WorkflowEditorModel;
  owner: string;
  readOnly: boolean;
  /** Edits of a draft that is no longer there belong to what is opened in its place. */
  lostDraftId: string | null;
};

/**
 * Keeps unsaved edits in this browser, so that they survive a crash of the tab, and finds those that a former session
 * left behind: they are offered, never applied by themselves.
 */
export function useUnsavedCopy({ editor, owner, readOnly, lostDraftId }: UnsavedCopyOptions) {
  const { state, content, record, key, dispatch } = editor;
  const [session] = useState(randomKey);
  // The key of what was never saved may follow its title as that is typed.
  const [openedKey] = useState(key);
  const subject = subjectOf(record, record.kind === 'unsaved' ? openedKey : key);
  const [found, setFound] = useState<KeptCopy<UnsavedCopy> | null>(null);
  const [merging, setMerging] = useState<MergeSides | null>(null);
  const isOver = useRef(false);
  const latest = useRef({ state, record, place: { owner, subject, session } });
  // As they were at the last pause: a page that is put away can't wait for the answer.
  const living = useRef<ReadonlySet<string>>(new Set());

  const write = useCallback(() => {
    const { state: now, record: at, place } = latest.current;
    if (isOver.current || !isDirty(now)) return copies.drop(place);
    copies.keep(
      place,
      { base: now.saved, edited: now.history.present, revision: revisionOf(at) },
      Date.now(),
      living.current,
    );
  }, []);

  useEffect(() => {
    const former = latest.current.place;
    latest.current = { state, record, place: { owner, subject, session } };
    // The first save gave the document another name.
    if (former.subject !== subject) copies.drop(former);
    if (readOnly) return;
    let isLate = false;
    let callOff = (): void => undefined;
    const timer = setTimeout(async () => {
      living.current = await livingSessions();
      // A long document takes a frame's time to write down: no key should wait for it.
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
    // The last moment at which a page may still write, also on a phone that puts it away.
    const onHide = () => document.visibilityState === 'hidden' && write();
    window.addEventListener('pagehide', write);
    document.addEventListener('visibilitychange', onHide);
    return () => {
      window.removeEventListener('pagehide', write);
      document.removeEventListener('visibilitychange', onHide);
      // The session may end under an open document.
      write();
    };
  }, [readOnly, write]);

  useEffect(() => (readOnly ? undefined : holdSession(session)), [readOnly, session]);
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
    /** What a former session left behind; null once that is decided. */
    found,
    restore: () => {
      if (!found) return;
      const back = restorationOf(found.value, record, state.saved);
      if (back.how === 'merge') return setMerging(back.sides);
      dispatch({ type: 'content_replaced', content: back.content });
      forgetFound();
    },
    discard: forgetFound,
    /** A copy that needs answers before it comes back. */
    merging,
    finishMerge: (merged: MergeSides['mine']) => {
      dispatch({ type: 'content_replaced', content: merged });
      setMerging(null);
      forgetFound();
    },
    cancelMerge: () => setMerging(null),
    /** The person gave the edits up. */
    forget: () => {
      isOver.current = true;
      copies.drop({ owner, subject, session });
    },
  } as const;
}

function newestOf(places: readonly CopyPlace[], living: ReadonlySet<string>): KeptCopy<UnsavedCopy> | null {
  for (const place of places) {
    const copy = copies.newest(place, Date.now(), living);
    if (copy) return copy;
  }
  return null;
}

export type UnsavedCopyModel = ReturnType<typeof useUnsavedCopy>;
