import type { Excerpt } from '@stet/contract';
import { Fragment } from 'react';

/** A text with the search match marked, in one line of either direction. */
export function ExcerptText({ of }: { of: Excerpt }) {
  return (
    <bdi>
      {of.map(({ text, hit }, at) => (hit ? <mark key={at}>{text}</mark> : <Fragment key={at}>{text}</Fragment>))}
    </bdi>
  );
}
