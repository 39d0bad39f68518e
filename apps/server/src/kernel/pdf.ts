import { setImmediate } from 'node:timers/promises';
import type { Readable } from 'node:stream';

/** Thrown if the reader of the document has disconnected or stopped reading; there is then no reason to continue. */
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

/**
 * A part of the text, from the character at `from` up to, but not including, the character at `to`. `href` is its link
 * target.
 */
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
  /**
   * Adds the page number of this mark after the text or, if the text is empty, on the right of a column. The number is
   * not known until the end.
   */
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
export type Fact = readonly [label: string, value: Block | readonly Block[]];

/** The level of a heading: 1 for the title, 2 for its sections, and 3 for their parts. No level may be skipped. */
export type HeadingLevel = 1 | 2 | 3;
/** A unit of content for screen readers. A list contains only items. */
export type Group = 'section' | 'list' | 'item' | 'quote';

/**
 * `below` is shown under the cells, from the second column to the last one. It is for text that would be too long in a
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
 * A document that is written from top to bottom, with its structure for screen readers (tagged PDF). Long operations
 * pause from time to time, so that other requests are served.
 */
export type Pdf = {
  /** Writes a paragraph across the page, and continues on the next page if necessary. */
  text: (block: Block) => Promise<void>;
  /** Writes a paragraph with the layout of running text. */
  read: (block: Block, layout: Layout) => Promise<void>;
  /** Writes a heading. */
  heading: (level: HeadingLevel, block: Block, layout?: Layout) => Promise<void>;
  /** Groups everything that `write` writes, for screen readers. */
  group: (group: Group, write: () => Promise<void>) => Promise<void>;
  /** Adds vertical space, in points. Has no effect at the top of a page. */
  space: (height: number) => void;
  newPage: () => void;
  /**
   * Starts a new page if the remaining height of this one is less than the given number of points, so that content
   * stays together.
   */
  keepTogether: (height: number) => void;
  hairline: () => void;
  /** Draws the logo, which consists of the name and three dots. Screen readers skip it. */
  logo: () => Promise<void>;
  /**
   * Names the current position for links and, if it has a title, for the outline. An entry of level 2 belongs to the
   * last entry of level 1.
   */
  mark: (name: string, title: string | null, level?: 1 | 2) => void;
  /** Starts a table. It ends when anything else is written. */
  table: (columns: readonly Column[]) => Promise<Table>;
  /** Attaches a file, which readers of the PDF can save. */
  attach: (file: { name: string; type: string; description: string; bytes: Buffer }) => void;
  /** Writes a list of labels with their values, in one column (the default) or in two. */
  facts: (facts: readonly Fact[], columns?: 1 | 2) => Promise<void>;
  /**
   * The document, streamed while it is written. Writing waits for the reader. It fails with `ReaderGone` if the reader
   * disconnects or stops reading for a long time.
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
