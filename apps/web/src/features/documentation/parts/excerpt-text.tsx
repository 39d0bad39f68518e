import type { Excerpt } from '@stet/contract';
import { Fragment } from 'react';

/** A text with what was looked for marked; its pieces are one line, whichever way it runs. */
export function ExcerptText({ of }: { of: Excerpt }) {
  return (
    <bdi>
      {of.map(({ text, hit }, at) => (hit ? <mark key={at}>{text}</mark> : <Fragment key={at}>{text}</Fragment>))}
    </bdi>
  );
}
