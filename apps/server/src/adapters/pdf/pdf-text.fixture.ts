import { extractText, getDocumentProxy } from 'unpdf';

/**
 * The text of each page (all, or the first few) as a reader would copy it. White space is collapsed to single spaces.
 */
export async function textOfPages(pdf: Uint8Array, first = Infinity): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const text = first === Infinity ? (await extractText(document, { mergePages: false })).text : [];
  for (let n = 1; n <= Math.min(first, document.numPages) && first !== Infinity; n += 1) {
    const { items } = await (await document.getPage(n)).getTextContent();
    text.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''));
  }
  return text.map((page) => page.replaceAll(/\s+/g, ' '));
}

/** The text of the whole document without white space, so that searches aren't affected by line breaks. */
export async function solidText(pdf: Uint8Array): Promise<string> {
  return (await textOfPages(pdf)).join('').replaceAll(/\s+/g, '');
}

/** The entries of the outline, each with its page number, counted from 1. */
export async function outlineOf(pdf: Uint8Array): Promise<{ title: string; page: number }[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  // The types say it is always present, but it is null if a document has no outline.
  const lines: Awaited<ReturnType<typeof document.getOutline>> | null = await document.getOutline();
  return Promise.all(
    (lines ?? []).map(async ({ title, dest }) => {
      const [page] = dest as [{ num: number; gen: number }];
      return { title, page: (await document.getPageIndex(page)) + 1 };
    }),
  );
}
