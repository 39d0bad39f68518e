import type { Excerpt } from '@stet/contract';
import { Fragment } from 'react';

/** A line of text with the search match highlighted. The text may be in either direction. */
export function ExcerptText({ of }: { of: Excerpt }) {
  return (
    <bdi>
      {of.map(({ text, hit }, at) => (hit ? <mark key={at}>{text}</mark> : <Fragment key={at}>{text}</Fragment>))}
    </bdi>
  );
}
