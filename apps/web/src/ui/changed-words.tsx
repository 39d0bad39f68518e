import type { FieldForm } from '@stet/presentation/change-words';
import { type WordSegment, diffWords } from '@stet/presentation/diff-words';
import { Fragment, useMemo } from 'react';
import styles from './field-table.module.css';

type Sides = { before: string; after: string; form: FieldForm };

/** A change's segments: its words, or the whole value if individual words would be meaningless. */
export function useSegments({ before, after, form }: Sides): readonly WordSegment[] {
  return useMemo(() => {
    if (form !== 'whole') return diffWords(before, after);
    const whole: WordSegment[] = [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
    return whole.filter(({ text }) => text !== '');
  }, [before, after, form]);
}

/** One side of a change. Words that the other side lacks are marked. */
export function OneSide({ segments, side }: { segments: readonly WordSegment[]; side: 'before' | 'after' }) {
  const own = side === 'before' ? 'removed' : 'added';
  const shown = segments.filter(({ kind }) => kind === 'same' || kind === own);
  if (shown.length === 0) return <span className={styles.nothing}>empty</span>;
  return shown.map(({ kind, text }, index) => {
    if (kind === 'same') return text;
    // The mark excludes white space around a word, unless only white space changed.
    const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
    const marked = words === '' ? text : words;
    return (
      <Fragment key={index}>
        {words !== '' && before}
        {kind === 'removed' ? <del>{marked}</del> : <ins>{marked}</ins>}
        {words !== '' && after}
      </Fragment>
    );
  });
}
