import type PDFDocument from 'pdfkit';

type Ref = ReturnType<InstanceType<typeof PDFDocument>['ref']> & { id: number; data: Record<string, unknown> };
type Page = {
  content: Ref;
  resources: Ref;
  dictionary: Ref;
  margins: object;
  width: number;
  height: number;
};

/**
 * A part of what pages say that comes after them in the file, so that it may be known when they are long written: the number
 * of the last page, say. That is how no page has to be kept until the end; of a sheet itself only its number in the file is.
 */
export type Sheet = number & { readonly [SHEET]: true };
declare const SHEET: unique symbol;

export type Sheets = {
  /** Makes a new page ready for sheets. */
  begin: () => void;
  /** A sheet within the current page: whoever reads on comes from what is drawn already to it, and then to what comes. */
  within: () => Sheet;
  /** A sheet that pages end with, as many as name it in `end`. */
  make: () => Sheet;
  /** Puts sheets behind all that the current page says; nothing can be drawn on it after that. */
  end: (sheets: readonly Sheet[]) => void;
  /** Draws a sheet, once, at the coordinates of a page. */
  draw: (sheet: Sheet, work: () => Promise<void>) => Promise<void>;
  /** Ends what all pages share. */
  finish: () => void;
};

export function openSheets(pdf: InstanceType<typeof PDFDocument>): Sheets {
  // One list of fonts for all pages: what is drawn at the end may need one that no page before has had.
  const fonts = pdf.ref({}) as Ref;
  const current = (): Page => pdf.page as unknown as Page;
  const Reference = fonts.constructor as new (document: typeof pdf, id: number, data: object) => Ref;
  const streamOf = (sheet: Sheet): Ref => new Reference(pdf, sheet, {});
  // The place in the file's list is taken now; what stands there is written when it is drawn.
  const make = (): Sheet => (pdf.ref({}) as Ref).id as Sheet;
  const append = (...added: readonly Ref[]): void => {
    const { data } = current().dictionary;
    data['Contents'] = [data['Contents'], ...added].flat();
  };

  return {
    begin: () => {
      const page = current();
      page.resources.data['Font'] = fonts;
      Object.defineProperty(page, 'fonts', { value: fonts.data });
    },
    within: () => {
      const sheet = make();
      const page = current();
      const rest = pdf.ref({}) as Ref;
      rest.write('');
      page.content.end('\n');
      page.content = rest;
      append(streamOf(sheet), rest);
      return sheet;
    },
    make,
    end: (sheets) => append(...sheets.map(streamOf)),
    draw: async (sheet, work) => {
      const { page } = pdf;
      const { margins, width, height } = current();
      const stream = streamOf(sheet);
      // What draws asks a page for its size and its fonts, and writes to it.
      const paper = { margins, width, height, fonts: fonts.data, write: (part: string) => stream.write(part) };
      pdf.page = paper as unknown as typeof page;
      try {
        await work();
      } finally {
        pdf.page = page;
        stream.end('\n');
      }
    },
    finish: () => fonts.end(undefined),
  };
}
