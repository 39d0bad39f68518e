import { extractText, getDocumentProxy } from 'unpdf';

/** What a reader can copy out of a PDF, page by page; white space is one space. */
export async function textOfPages(pdf: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: false });
  return text.map((page) => page.replaceAll(/\s+/g, ' '));
}

/** The text of the whole document without white space, so that what was broken into lines is found. */
export async function solidText(pdf: Uint8Array): Promise<string> {
  return (await textOfPages(pdf)).join('').replaceAll(/\s+/g, '');
}
