import { closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './code-editor.module.css';
import stepConfigStyles from './step-settings.module.css';

/** Lets other components insert text. */
export type CodeEditorHandle = { insert: (text: string) => void };

type CodeEditorProps = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  readOnly: boolean;
  hint?: ReactNode;
  /** Shown at the end of the label's line. */
  tools?: ReactNode;
  /** Language, completion and checks. Each new object reconfigures the editor, so keep it between renders. */
  extension: Extension;
  handle?: Ref<CodeEditorHandle>;
};

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], class: classNames(styles.codeKeyword) },
  { tag: [tags.string, tags.special(tags.string)], class: classNames(styles.codeString) },
  { tag: [tags.number, tags.bool, tags.null], class: classNames(styles.codeValue) },
  { tag: tags.comment, class: classNames(styles.codeComment) },
]);

/**
 * An editor for a few lines of code, in the page's colors. Tab moves to the next control, so it can't insert a tab
 * character. Escape closes the suggestions first, and then the surrounding dialog.
 */
export function CodeEditor({ label, value, onChange, readOnly, hint, tools, extension, handle }: CodeEditorProps) {
  const id = useId();
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const latest = useRef({ value, onChange });
  const changing = useRef(new Compartment());

  useEffect(() => {
    latest.current = { value, onChange };
  });

  useEffect(() => {
    // Creating the editor measures the whole page, so wait until the dialog is painted.
    let editor: EditorView | null = null;
    const cancel = afterPaint(() => {
      if (!host.current) return;
      editor = new EditorView({
        parent: host.current,
        state: EditorState.create({
          doc: latest.current.value,
          extensions: [
            history(),
            drawSelection(),
            indentOnInput(),
            bracketMatching(),
            closeBrackets(),
            syntaxHighlighting(COLOURS),
            EditorView.lineWrapping,
            keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
            EditorView.updateListener.of((update) => {
              if (update.docChanged) latest.current.onChange(update.state.doc.toString());
            }),
            EditorView.contentAttributes.of({ 'aria-labelledby': `${id}-label`, 'aria-describedby': `${id}-hint` }),
            // While this is set, Escape doesn't close the dialog.
            EditorView.contentAttributes.of(({ state }): Record<string, string> =>
              completionStatus(state) === null ? {} : { 'data-mantine-stop-propagation': 'true' },
            ),
            changing.current.of([]),
          ],
        }),
      });
      setView(editor);
    });
    return () => {
      cancel();
      editor?.destroy();
      setView(null);
    };
  }, [id]);

  useEffect(() => {
    const locked = readOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [];
    view?.dispatch({ effects: changing.current.reconfigure([extension, locked]) });
  }, [view, extension, readOnly]);

  // Apply a value that was changed from outside, for example by undo. The editor already contains its own changes.
  useEffect(() => {
    if (!view || view.state.doc.toString() === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [view, value]);

  useImperativeHandle(handle, () => ({
    insert: (text) => {
      if (!view || view.state.readOnly) return;
      view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true });
      view.focus();
    },
  }));
  return (
    <div className={stepConfigStyles.codeField}>
      <div className={stepConfigStyles.lab}>
        <span id={`${id}-label`}>{label}</span>
        {tools}
      </div>
      <div className={styles.codeEditor} ref={host} />
      <span className={stepConfigStyles.hint} id={`${id}-hint`}>
        {hint} {readOnly ? null : 'Tab leaves the editor.'}
      </span>
    </div>
  );
}

/** Calls `act` after the next paint. Returns a function that cancels it. */
function afterPaint(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(act);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
