import { extractText, getDocumentProxy } from 'unpdf';

/**
 * Returns the text of each page (all, or the first few) as a reader would copy it. White space is collapsed to single
 * spaces.
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

/** Returns the text of the whole document without white space, so that line breaks don't affect searches. */
export async function solidText(pdf: Uint8Array): Promise<string> {
  return (await textOfPages(pdf)).join('').replaceAll(/\s+/g, '');
}

/** Returns the entries of the outline, each with its page number (from 1) and, unless it is 1, its level. */
export async function outlineOf(pdf: Uint8Array): Promise<{ title: string; page: number; level?: number }[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  type Lines = Awaited<ReturnType<typeof document.getOutline>>;
  const flat = async (lines: Lines, level: number): Promise<{ title: string; page: number; level?: number }[]> => {
    const entries = await Promise.all(
      lines.map(async ({ title, dest, items }) => {
        const [page] = dest as [{ num: number; gen: number }];
        const entry = { title, page: (await document.getPageIndex(page)) + 1, ...(level > 1 && { level }) };
        return [entry, ...(await flat(items as Lines, level + 1))];
      }),
    );
    return entries.flat();
  };
  return flat((await document.getOutline()) ?? [], 1);
}

type StructureNode = { role: string; children: (StructureNode | { type: string; id: string })[] };

/**
 * Returns the texts in the order of the file, each with the roles of its elements from the outermost to the innermost,
 * for example `Table TR TD`. Decoration has the role `Artifact`, and text outside of elements has an empty role.
 */
export async function textByRole(pdf: Uint8Array): Promise<{ role: string; text: string; page: number }[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const all: { role: string; text: string; page: number }[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const roles = new Map<string, string>();
    const walk = (node: StructureNode, above: string): void => {
      for (const child of node.children) {
        if ('id' in child) roles.set(child.id, above);
        else walk(child, `${above} ${child.role}`.trim());
      }
    };
    const tree = (await page.getStructTree()) as StructureNode | null;
    if (tree) walk(tree, '');
    const open: string[] = [];
    const { items } = await page.getTextContent({ includeMarkedContent: true });
    for (const item of items) {
      if ('str' in item) {
        const role = open.findLast((each) => each !== '') ?? '';
        const last = all.at(-1);
        if (last?.role === role && last.page === number) last.text += item.str;
        else if (item.str.trim() !== '') all.push({ role, text: item.str, page: number });
      } else if (item.type === 'endMarkedContent') open.pop();
      else open.push('tag' in item && item.tag === 'Artifact' ? 'Artifact' : (roles.get(item.id) ?? ''));
    }
  }
  return all;
}
