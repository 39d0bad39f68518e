import type PDFDocument from 'pdfkit';

type Ref = ReturnType<InstanceType<typeof PDFDocument>['ref']> & { data: Record<string, unknown> };
type WithRoot = { _root: Ref };
type List = { parent: Ref; first: Ref; last: Ref; count: number };

/** The outline of two levels that PDF viewers show beside a document. */
export type Outline = {
  /**
   * Adds an entry that points to position `y`, measured from the upper edge of the current page. An entry of level 2
   * belongs to the last one of level 1.
   */
  add: (title: string, y: number, level: 1 | 2) => void;
  finish: () => void;
};

/** Writes each entry as soon as the next one is known, so that a long outline doesn't stay in memory. */
export function openOutline(pdf: InstanceType<typeof PDFDocument>): Outline {
  let sections: List | null = null;
  let entries: List | null = null;

  const write = (line: Ref): void => {
    line.end(undefined);
    // An entry refers to its neighbors. If its data weren't dropped, all entries would stay in memory.
    line.data = {} as Ref['data'];
  };
  const append = (list: List | null, parent: Ref, title: string, y: number): List => {
    const at = [pdf.page.dictionary, 'XYZ', 0, pdf.page.height - y, 0];
    // pdfkit writes a String object as text, and a plain string as a name.
    const line = pdf.ref({ Dest: at, Parent: parent, Title: Object(title) as string }) as Ref;
    if (list) {
      line.data['Prev'] = list.last;
      list.last.data['Next'] = line;
      write(list.last);
    }
    return { parent, first: list?.first ?? line, last: line, count: (list?.count ?? 0) + 1 };
  };
  const closeEntries = (): void => {
    if (!entries) return;
    write(entries.last);
    // A negative count means that the section is shown collapsed.
    Object.assign(entries.parent.data, { First: entries.first, Last: entries.last, Count: -entries.count });
    entries = null;
  };

  return {
    add: (title, y, level) => {
      if (level === 2 && sections) {
        entries = append(entries, sections.last, title, y);
        return;
      }
      closeEntries();
      sections = append(sections, sections?.parent ?? pdf.ref({}), title, y);
    },
    finish: () => {
      closeEntries();
      if (!sections) return;
      const { parent, first, last, count } = sections;
      write(last);
      Object.assign(parent.data, { First: first, Last: last, Count: count });
      parent.end(undefined);
      Object.assign((pdf as unknown as WithRoot)._root.data, { Outlines: parent, PageMode: 'UseOutlines' });
    },
  };
}
