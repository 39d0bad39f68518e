import type PDFDocument from 'pdfkit';

type Ref = ReturnType<InstanceType<typeof PDFDocument>['ref']> & { data: Record<string, unknown> };
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
 * of the last page, say. That is how no page has to be kept until the end.
 */
export type Sheet = {
  /** Draws it, once, at the coordinates of a page. */
  draw: (work: () => Promise<void>) => Promise<void>;
};

export type Sheets = {
  /** Makes a new page ready for sheets. */
  begin: () => void;
  /** A sheet within the current page: whoever reads on comes from what is drawn already to it, and then to what comes. */
  within: () => Sheet;
  /** A sheet that pages end with, as many as name it in `end`. */
  make: () => Sheet;
  /** Puts sheets behind all that the current page says; nothing can be drawn on it after that. */
  end: (sheets: readonly Sheet[]) => void;
  /** Ends what all pages share. */
  finish: () => void;
};

export function openSheets(pdf: InstanceType<typeof PDFDocument>): Sheets {
  // One list of fonts for all pages: what is drawn at the end may need one that no page before has had.
  const fonts = pdf.ref({}) as Ref;
  const streams = new Map<Sheet, Ref>();
  const current = (): Page => pdf.page as unknown as Page;

  const make = (): Sheet => {
    const stream = pdf.ref({}) as Ref;
    const sheet: Sheet = {
      draw: async (work) => {
        const { page } = pdf;
        const { margins, width, height } = current();
        // What draws asks a page for its size and its fonts, and writes to it.
        const paper = { margins, width, height, fonts: fonts.data, write: (part: string) => stream.write(part) };
        pdf.page = paper as unknown as typeof page;
        try {
          await work();
        } finally {
          pdf.page = page;
          stream.end('\n');
          streams.delete(sheet);
        }
      },
    };
    streams.set(sheet, stream);
    return sheet;
  };
  const append = (added: readonly (Ref | undefined)[]): void => {
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
      append([streams.get(sheet), rest]);
      return sheet;
    },
    make,
    end: (sheets) => append(sheets.map((sheet) => streams.get(sheet))),
    finish: () => fonts.end(undefined),
  };
}
