import { extractText, getDocumentProxy } from 'unpdf';

/** What a reader can copy out of a PDF, page by page, of all pages or the first few; white space is one space. */
export async function textOfPages(pdf: Uint8Array, first = Infinity): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const text = first === Infinity ? (await extractText(document, { mergePages: false })).text : [];
  for (let n = 1; n <= Math.min(first, document.numPages) && first !== Infinity; n += 1) {
    const { items } = await (await document.getPage(n)).getTextContent();
    text.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''));
  }
  return text.map((page) => page.replaceAll(/\s+/g, ' '));
}

/** The text of the whole document without white space, so that what was broken into lines is found. */
export async function solidText(pdf: Uint8Array): Promise<string> {
  return (await textOfPages(pdf)).join('').replaceAll(/\s+/g, '');
}

/** The lines of the outline, each with the number of the page that it leads to, from 1. */
export async function outlineOf(pdf: Uint8Array): Promise<{ title: string; page: number }[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  // The types say it is there always; it is null where a document has none.
  const lines: Awaited<ReturnType<typeof document.getOutline>> | null = await document.getOutline();
  return Promise.all(
    (lines ?? []).map(async ({ title, dest }) => {
      const [page] = dest as [{ num: number; gen: number }];
      return { title, page: (await document.getPageIndex(page)) + 1 };
    }),
  );
}
