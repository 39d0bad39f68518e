import { setImmediate } from 'node:timers/promises';
import type { Readable } from 'node:stream';

/** The document's reader has disconnected, so there is no reason to continue. */
export class ReaderGone extends Error {}

/** Ends a document, and the code that writes it, once its reader has disconnected. */
export function endWith(bytes: Readable, signal: AbortSignal): void {
  const end = (): void => void bytes.destroy();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
}

/** The ink of a text by meaning, not by appearance. */
export type Ink = 'text' | 'second' | 'meta' | 'line' | 'lineStrong' | 'accent' | 'ok' | 'warn' | 'danger';

export type StyleName =
  | 'display'
  | 'title'
  | 'subtitle'
  | 'heading'
  | 'name'
  | 'body'
  | 'strong'
  | 'small'
  | 'label'
  | 'code'
  | 'read'
  | 'readCode';

/** How a part of a text is emphasized. */
export type Voicing = 'strong' | 'em' | 'strong_em' | 'code';

/** A part of a text, from the character at `from` up to that at `to`; `href` is its link target. */
export type Span = { from: number; to: number; as?: Voicing; href?: string };

/** A text with its style; `ink` overrides the style's. */
export type Block = {
  text: string;
  style: StyleName;
  ink?: Ink;
  /** In order, without overlaps. */
  spans?: readonly Span[];
  /** Link target: the name of a mark. */
  to?: string;
  /** Appends the page number of this mark, which is known at the end. */
  pageOf?: string;
};

/**
 * The layout of running text. Right-to-left text starts on the right. `indent` is in points; the marker is in front of
 * the first line, a bar runs beside all lines.
 */
export type Layout = { indent: number; marker?: Block; bar?: boolean };

/** `share` of the text's width; right-aligned columns contain numbers. */
export type Column = { head: string; share: number; align?: 'left' | 'right' };
export type Cell = Block | readonly Block[];

/** `below` goes under the cells, from the second column to the end, for text that would make a narrow column long. */
export type Table = { row: (cells: readonly Cell[], below?: Cell) => Promise<void> };

export type PdfOptions = {
  title: string;
  author: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** At the top of every page except the first: left and right. */
  runningHead: readonly [string, string];
  /** At the bottom of each page, beside "Page 3 of 9". */
  foot: string;
};

/**
 * A document written from top to bottom. Long operations pause from time to time, so that other requests are served.
 */
export type Pdf = {
  /** Text in lines across the page; it continues on the next page. */
  text: (block: Block) => Promise<void>;
  /** The same with the layout of running text. */
  read: (block: Block, layout: Layout) => Promise<void>;
  /** Vertical space, in points; none at the top of a page. */
  space: (height: number) => void;
  newPage: () => void;
  /** Starts a new page unless this much space is left, in points, so that content stays together. */
  keepTogether: (height: number) => void;
  hairline: () => void;
  /** The logo: three dots. */
  dots: () => void;
  /** Names this position, for links and for the outline. */
  mark: (name: string, title: string) => void;
  table: (columns: readonly Column[]) => Promise<Table>;
  /** Labels with their values, one below the other. */
  facts: (facts: readonly (readonly [label: string, value: Block | readonly Block[]])[]) => Promise<void>;
  /**
   * The document, streamed while it is written. Writers wait for the reader; if it disconnects or doesn't read for a long time, they
   * fail with `ReaderGone`.
   */
  bytes: Readable;
  /** Ends the document; nothing can be written after it. */
  finish: () => Promise<void>;
};

/** Starts a document; the drawing code is loaded on first use. */
export type OpenPdf = (options: PdfOptions) => Promise<Pdf>;

/** Await this within long work: it lets other requests through if `everyMs` have passed since the last pause. */
export function yieldEvery(everyMs = 12): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < everyMs) return;
    await setImmediate();
    since = performance.now();
  };
}
