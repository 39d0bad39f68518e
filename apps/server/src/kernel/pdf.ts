import { setImmediate } from 'node:timers/promises';
import type { Readable } from 'node:stream';

/** Thrown if the reader of the document has disconnected or stopped reading, so that there is no reason to continue. */
export class ReaderGone extends Error {}

/** Ends a document, and the code that writes it, if its reader disconnects. */
export function endWith(bytes: Readable, signal: AbortSignal): void {
  const end = (): void => void bytes.destroy();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
}

/** The ink of text, named by its meaning. */
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

/** How a part of the text is emphasized. */
export type Emphasis = 'strong' | 'em' | 'strong_em' | 'code';

/** A part of the text, from the character at `from` up to the character at `to`. `href` is its link target. */
export type Span = { from: number; to: number; as?: Emphasis; href?: string };

/** Text with its style. `ink` overrides the ink of the style. */
export type Block = {
  text: string;
  style: StyleName;
  ink?: Ink;
  /** Sorted by position, without overlaps. */
  spans?: readonly Span[];
  /** The link target, which is the name of a mark. */
  to?: string;
  /** Appends the page number of this mark. The number is not known until the end. */
  pageOf?: string;
};

/**
 * The layout of running text. Right-to-left text starts on the right. `indent` is in points. The marker precedes the
 * first line, and the bar runs along all lines.
 */
export type Layout = { indent: number; marker?: Block; bar?: boolean };

/** `share` is the column's share of the text width. Right-aligned columns are for numbers. */
export type Column = { head: string; share: number; align?: 'left' | 'right' };
export type Cell = Block | readonly Block[];

/**
 * `below` is shown under the cells, from the second column to the last. It is for text that would be too long in a
 * narrow column.
 */
export type Table = { row: (cells: readonly Cell[], below?: Cell) => Promise<void> };

export type PdfOptions = {
  title: string;
  author: string;
  /** In epoch milliseconds. */
  createdAt: number;
  /** The text at the top of every page except the first: left and right. */
  runningHead: readonly [string, string];
  /** The text at the bottom of each page, next to "Page 3 of 9". */
  foot: string;
};

/**
 * A document that is written from top to bottom. Long operations pause from time to time, so that other requests are
 * served.
 */
export type Pdf = {
  /** Writes text across the page, and continues on the next page if necessary. */
  text: (block: Block) => Promise<void>;
  /** Writes text with the layout of running text. */
  read: (block: Block, layout: Layout) => Promise<void>;
  /** Adds vertical space, in points. Has no effect at the top of a page. */
  space: (height: number) => void;
  newPage: () => void;
  /** Keeps content together: starts a new page if less space than this is left, in points. */
  keepTogether: (height: number) => void;
  hairline: () => void;
  /** Draws the logo, which consists of three dots. */
  dots: () => void;
  /** Names this position for links and the outline. */
  mark: (name: string, title: string) => void;
  table: (columns: readonly Column[]) => Promise<Table>;
  /** Writes a list of labels with their values. */
  facts: (facts: readonly (readonly [label: string, value: Block | readonly Block[]])[]) => Promise<void>;
  /** Attaches a file, which readers of the PDF can save. */
  attach: (file: { name: string; type: string; description: string; bytes: Buffer }) => void;
  /**
   * The document, streamed while it is written. The code that writes waits for the reader. It fails with `ReaderGone`
   * if the reader disconnects or stops reading for a long time.
   */
  bytes: Readable;
  /** Ends the document. Nothing can be written after that. */
  finish: () => Promise<void>;
};

/** Starts a document. The code that draws is loaded on first use. */
export type OpenPdf = (options: PdfOptions) => Promise<Pdf>;

/**
 * Returns a function to await regularly during long work. It lets other requests run if `everyMs` milliseconds have
 * passed since the last pause.
 */
export function yieldEvery(everyMs = 12): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < everyMs) return;
    await setImmediate();
    since = performance.now();
  };
}
