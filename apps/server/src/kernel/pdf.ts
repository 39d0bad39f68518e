import type { Readable } from 'node:stream';

/** Nobody takes the document any more: there is no reason to go on. */
export class Untaken extends Error {}

/** The ink of a text: what it means, not how it looks. */
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

/** How a part of a text differs from the rest of it. */
export type Voicing = 'strong' | 'em' | 'strong_em' | 'code';

/** A part of a text, from the character at `from` up to that at `to`; `href` goes there when clicked. */
export type Span = { from: number; to: number; as?: Voicing; href?: string };

/** A text with its style; `ink` overrides the style's. */
export type Block = {
  text: string;
  style: StyleName;
  ink?: Ink;
  /** In order, none over another. */
  spans?: readonly Span[];
  /** Goes there when clicked: the name of a mark. */
  to?: string;
  /** Ends with the number of the page on which this mark stands, which is known when all is written. */
  pageOf?: string;
};

/**
 * Where reading matter stands on the page. It begins at the right where it is written from right to left. `indent` is in
 * points; the marker stands before its first line, a bar beside all of them.
 */
export type Layout = { indent: number; marker?: Block; bar?: boolean };

/** `share` of the text's width; what is right-aligned is figures. */
export type Column = { head: string; share: number; align?: 'left' | 'right' };
export type Cell = Block | readonly Block[];

/** `below` stands under the cells, from the second column to the end: texts that would make a narrow column long. */
export type Table = { row: (cells: readonly Cell[], below?: Cell) => Promise<void> };

export type PdfOptions = {
  title: string;
  author: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Stands at the head of each page but the first: left and right. */
  runningHead: readonly [string, string];
  /** Stands at the foot of each page, beside "Page 3 of 9". */
  foot: string;
};

/** A document that is written from top to bottom. All that can take long pauses now and then, so that others are served. */
export type Pdf = {
  /** A text in lines over the width of the page; it goes on on the next page. */
  text: (block: Block) => Promise<void>;
  /** The same as reading matter. */
  read: (block: Block, layout: Layout) => Promise<void>;
  /** Empty height, in points; none at the top of a page. */
  space: (height: number) => void;
  newPage: () => void;
  /** Goes to a new page unless this much is left, in points: what belongs together stays together. */
  keepTogether: (height: number) => void;
  hairline: () => void;
  /** The mark of the house: three dots. */
  dots: () => void;
  /** Names this place, for links and for the reader's list of contents. */
  mark: (name: string, title: string) => void;
  table: (columns: readonly Column[]) => Promise<Table>;
  /** Labels with what they name, one below the other. */
  facts: (facts: readonly (readonly [label: string, value: Block | readonly Block[]])[]) => Promise<void>;
  /**
   * The document as it is made. What writes waits where nobody takes it; where it was closed or is not taken for long, what
   * writes fails with `Untaken`.
   */
  bytes: Readable;
  /** Ends the document; nothing can be written after it. */
  finish: () => Promise<void>;
};

/** Begins a document; loads what draws it when first asked. */
export type OpenPdf = (options: PdfOptions) => Promise<Pdf>;
