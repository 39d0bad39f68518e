import type PDFDocument from 'pdfkit';

type Ref = ReturnType<InstanceType<typeof PDFDocument>['ref']> & { data: Record<string, unknown> };
type WithRoot = { _root: Ref };

/** The outline that readers show beside a document. */
export type Outline = {
  /** A line for a place of the current page, this far below its upper edge. */
  add: (title: string, y: number) => void;
  finish: () => void;
};

/** Each line is written as soon as the next one is known, so that a long document's needn't be kept. */
export function openOutline(pdf: InstanceType<typeof PDFDocument>): Outline {
  let whole: { list: Ref; first: Ref; last: Ref } | null = null;
  const write = (line: Ref): void => {
    line.end(undefined);
    // It names its neighbours, and through them all the others.
    line.data = {} as Ref['data'];
  };
  return {
    add: (title, y) => {
      const list: Ref = whole?.list ?? pdf.ref({});
      const at = [pdf.page.dictionary, 'XYZ', 0, pdf.page.height - y, 0];
      // To pdfkit such an object is a text, and a plain string a name.
      const line = pdf.ref({ Dest: at, Parent: list, Title: Object(title) as string }) as Ref;
      if (whole) {
        line.data['Prev'] = whole.last;
        whole.last.data['Next'] = line;
        write(whole.last);
      }
      whole = { list, first: whole?.first ?? line, last: line };
    },
    finish: () => {
      if (!whole) return;
      const { list, first, last } = whole;
      write(last);
      list.data['First'] = first;
      list.data['Last'] = last;
      list.end(undefined);
      Object.assign((pdf as unknown as WithRoot)._root.data, { Outlines: list, PageMode: 'UseOutlines' });
    },
  };
}
