import type PDFDocument from 'pdfkit';

type Ref = ReturnType<InstanceType<typeof PDFDocument>['ref']> & { data: Record<string, unknown> };
type WithRoot = { _root: Ref };

/** The outline that PDF viewers show next to a document. */
export type Outline = {
  /** Adds an entry that points to position `y`, measured from the upper edge of the current page. */
  add: (title: string, y: number) => void;
  finish: () => void;
};

/** Writes each entry as soon as the next one is known, so that a long outline doesn't stay in memory. */
export function openOutline(pdf: InstanceType<typeof PDFDocument>): Outline {
  let whole: { list: Ref; first: Ref; last: Ref } | null = null;
  const write = (line: Ref): void => {
    line.end(undefined);
    // An entry refers to its neighbors, so keeping its data would keep all entries in memory.
    line.data = {} as Ref['data'];
  };
  return {
    add: (title, y) => {
      const list: Ref = whole?.list ?? pdf.ref({});
      const at = [pdf.page.dictionary, 'XYZ', 0, pdf.page.height - y, 0];
      // pdfkit writes a String object as text, and a plain string as a name.
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
