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
import { afterPaint } from '../../../lib/after-paint.ts';
import './code-editor.css';

/** What others may ask of an editor. */
export type CodeEditorHandle = { insert: (text: string) => void };

type CodeEditorProps = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  readOnly: boolean;
  hint?: ReactNode;
  /** At the end of the label's line. */
  tools?: ReactNode;
  /** Language, completion, checks; kept as long as the same object comes. */
  extension: Extension;
  handle?: Ref<CodeEditorHandle>;
};

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], class: 'code-keyword' },
  { tag: [tags.string, tags.special(tags.string)], class: 'code-string' },
  { tag: [tags.number, tags.bool, tags.null], class: 'code-value' },
  { tag: tags.comment, class: 'code-comment' },
]);

/**
 * An editor for a few lines of code, in the colours of the page. Tab leaves it: nothing in it takes that key. Escape closes
 * its suggestions before it closes the dialog round it.
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
    // It measures the whole page when it begins: the dialog round it is painted before.
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
            // The dialog asks the element for this before it closes.
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

  // What is set from outside, by an undo of the document for one, comes in; what came out of here is there already.
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
    <div className="code-field">
      <div className="lab">
        <span id={`${id}-label`}>{label}</span>
        {tools}
      </div>
      <div className="code-editor" ref={host} />
      <span className="hint" id={`${id}-hint`}>
        {hint} {readOnly ? null : 'Tab leaves the editor.'}
      </span>
    </div>
  );
}
