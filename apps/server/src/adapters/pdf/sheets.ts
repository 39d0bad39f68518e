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
 * Content of a page that is stored later in the file than the page itself. It can therefore be written long after the
 * page, for example the number of the last page. No page has to stay in memory until then, because a sheet is only an
 * object number.
 */
export type Sheet = number & { readonly [SHEET]: true };
declare const SHEET: unique symbol;

export type Sheets = {
  /** Prepares a new page so that sheets can be added. */
  begin: () => void;
  /** Adds a sheet to the current page. In reading order, it follows the content drawn so far. */
  within: () => Sheet;
  /** Creates a sheet that can be appended to any number of pages with `end`. */
  make: () => Sheet;
  /** Appends sheets to the current page. Nothing can be drawn on the page after that. */
  end: (sheets: readonly Sheet[]) => void;
  /** Draws the content of a sheet in page coordinates. Each sheet can be drawn once. */
  draw: (sheet: Sheet, work: () => Promise<void>) => Promise<void>;
  /** Closes the resources shared by all pages. */
  finish: () => void;
};

export function openSheets(pdf: InstanceType<typeof PDFDocument>): Sheets {
  // All pages share one font list, because a sheet that is drawn at the end may need a font that no earlier page used.
  const fonts = pdf.ref({}) as Ref;
  const current = (): Page => pdf.page as unknown as Page;
  const Reference = fonts.constructor as new (document: typeof pdf, id: number, data: object) => Ref;
  const streamOf = (sheet: Sheet): Ref => new Reference(pdf, sheet, {});
  // Only reserves an object number. The content is written when the sheet is drawn.
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
      // The drawing code reads the page's size and fonts, and writes to the page.
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
