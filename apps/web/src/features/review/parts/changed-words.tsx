import { type FieldForm, type WordSegment, diffWords } from '@stet/domain/drafts';
import { Fragment, useMemo } from 'react';

type Sides = { before: string; after: string; form: FieldForm };

/** The segments of a change: by words, or as a whole where a part of the value says nothing. */
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

/** One side of a change: what both have as it is, its own words marked. */
export function OneSide({ segments, side }: { segments: readonly WordSegment[]; side: 'before' | 'after' }) {
  const own = side === 'before' ? 'removed' : 'added';
  const shown = segments.filter(({ kind }) => kind === 'same' || kind === own);
  if (shown.length === 0) return <span className="nothing">empty</span>;
  return shown.map(({ kind, text }, index) => {
    if (kind === 'same') return text;
    // The blanks round a word are no part of what the eye should find; a change of blanks alone is.
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
