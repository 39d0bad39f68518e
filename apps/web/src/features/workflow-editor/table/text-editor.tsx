import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useAfterPress } from './use-after-press.ts';
import type { AfterCommit } from '../grid/use-step-grid.ts';
import styles from './step-table.module.css';

type TextEditorProps = {
  label: string;
  value: string;
  /** The character that opened the editor and replaces the text. Null if the text is kept. */
  typed: string | null;
  multiline: boolean;
  onCommit: (value: string, after: AfterCommit) => void;
  onCancel: () => void;
};

/**
 * Edits a cell's text in a field that grows with it. Enter commits, and Shift+Enter adds a line if several lines are
 * allowed.
 */
export function TextEditor({ label, value, typed, multiline, onCommit, onCancel }: TextEditorProps) {
  const [text, setText] = useState(typed ?? value);
  const field = useRef<HTMLTextAreaElement>(null);
  // Unmounting blurs the field again, which must not commit the text a second time.
  const finished = useRef(false);
  const afterPress = useAfterPress();

  useLayoutEffect(() => {
    const node = field.current;
    if (!node) return;
    node.focus();
    if (typed === null) node.select();
    else node.setSelectionRange(typed.length, typed.length);
  }, [typed]);

  useLayoutEffect(() => {
    const node = field.current;
    if (!node) return;
    node.style.height = '0';
    node.style.height = `${node.scrollHeight}px`;
  }, [text]);

  const finish = (act: () => void) => {
    if (finished.current) return;
    finished.current = true;
    act();
  };
  const commit = (after: AfterCommit) =>
    finish(() => onCommit(multiline ? text : text.replaceAll(/\s*\n\s*/g, ' '), after));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !(multiline && event.shiftKey)) {
      event.preventDefault();
      commit('down');
    } else if (event.key === 'Escape') {
      event.preventDefault();
      finish(onCancel);
    } else if (event.key === 'Tab') {
      event.preventDefault();
      commit(event.shiftKey ? 'previous' : 'next');
    } else if (event.key === 's' && (event.metaKey || event.ctrlKey)) {
      // Commit first, so that saving includes this text.
      commit('stay');
    }
  };

  return (
    <textarea
      ref={field}
      className={styles.cellInput}
      data-cell-part="input"
      aria-label={label}
      rows={1}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => afterPress(() => commit('away'))}
    />
  );
}
