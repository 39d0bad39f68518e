import { diffWords } from '@stet/presentation/diff-words';
import { useMemo } from 'react';
import styles from './diff-words.module.css';

type DiffWordsProps = {
  before: string;
  after: string;
  /** Which of the two texts to show. The words that the other one lacks are marked. */
  side: 'before' | 'after';
};

/**
 * One of two versions of a text. Its own words are struck through in the text before and highlighted in the text after.
 */
export function DiffWords({ before, after, side }: DiffWordsProps) {
  const segments = useMemo(() => diffWords(before, after), [before, after]);
  return (
    <bdi className={styles.words}>
      {segments.map(({ kind, text }, index) => {
        if (kind === 'same') return text;
        if (kind === 'removed') return side === 'before' ? <del key={index}>{text}</del> : null;
        return side === 'after' ? <ins key={index}>{text}</ins> : null;
      })}
    </bdi>
  );
}
