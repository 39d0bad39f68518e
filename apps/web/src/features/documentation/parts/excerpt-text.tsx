import type { Excerpt } from '@stet/contract';

/** A text with what was looked for marked. */
export function ExcerptText({ of }: { of: Excerpt }) {
  return of.map(({ text, hit }, at) => (hit ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>));
}
