import { useCallback, useEffect, useRef, useState } from 'react';
import { randomKey } from '../../../lib/api/random-key.ts';
import { localCopies } from '../../../lib/local-copies.ts';
import { isDirty } from '../model/editor-state.ts';
import { sameContent } from '../model/same-content.ts';
import { readUnsavedCopy, restorationOf, revisionOf, subjectOf } from '../model/unsaved-copy.ts';
import type { MergeSides } from '../model/settle-merge.ts';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';

const copies = localCopies(() => window.localStorage, readUnsavedCopy);
// Long enough that typing isn't written letter by letter, short enough that a crash loses a word at most.
const PAUSE_MS = 400;

type UnsavedCopyOptions = { editor: WorkflowEditorModel; owner: string; readOnly: boolean };

/**
 * Keeps unsaved edits in this browser, so that they survive a crash of the tab, and finds those that a former session
 * left behind: they are offered, never applied by themselves.
 */
export function useUnsavedCopy({ editor, owner, readOnly }: UnsavedCopyOptions) {
  const { state, content, record, key, dispatch } = editor;
  const [session] = useState(randomKey);
  const subject = subjectOf(record, key);
  const [found, setFound] = useState(() => {
    const copy = readOnly ? null : copies.newest({ owner, subject, session }, Date.now());
    if (copy === null || !sameContent(copy.value.edited, content)) return copy;
    copies.drop(copy.place);
    return null;
  });
  const [merging, setMerging] = useState<MergeSides | null>(null);
  const isOver = useRef(false);
  const latest = useRef({ state, record, place: { owner, subject, session } });

  const write = useCallback(() => {
    const { state: now, record: at, place } = latest.current;
    if (isOver.current || !isDirty(now)) return copies.drop(place);
    copies.keep(place, { base: now.saved, edited: now.history.present, revision: revisionOf(at) }, Date.now());
  }, []);

  useEffect(() => {
    const former = latest.current.place;
    latest.current = { state, record, place: { owner, subject, session } };
    // The first save gave the document another name.
    if (former.subject !== subject) copies.drop(former);
    if (readOnly) return;
    const timer = setTimeout(write, PAUSE_MS);
    return () => clearTimeout(timer);
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
    };
  }, [readOnly, write]);

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

export type UnsavedCopyModel = ReturnType<typeof useUnsavedCopy>;
