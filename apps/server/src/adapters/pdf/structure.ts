import type PDFDocument from 'pdfkit';
import type { SmallObjects } from './small-objects.ts';

/** The standard structure types of PDF that our documents use. */
export type Role =
  | 'Document'
  | 'Sect'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'P'
  | 'L'
  | 'LI'
  | 'Lbl'
  | 'LBody'
  | 'BlockQuote'
  | 'Table'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Link';

/** An element of the structure tree. Its children are collected until it ends, and then it is written. */
export type Element = {
  readonly id: number;
  readonly role: Role;
  readonly parent: Element | null;
  readonly attributes: string;
  /** The object number of the first page with its content; null if it has none. */
  page: number | null;
  /** The children: numbers are elements, and texts are content. */
  kids: (number | string)[];
  links: Map<unknown, Element> | null;
};

/** Decoration, which screen readers skip. */
export const ARTIFACT = 'Artifact';

/** Scopes of header cells. */
export const COLUMN_HEADER = '/A<</O/Table/Scope/Column>>';
export const ROW_HEADER = '/A<</O/Table/Scope/Row>>';

/**
 * The logical structure of a document for screen readers (tagged PDF). All content belongs either to an element or to
 * an artifact. Only elements that haven't ended are in memory.
 */
export type Structure = {
  readonly document: Element;
  /** Starts an element as the last child of its parent, or as the first one. */
  begin: (role: Role, parent: Element, options?: { attributes?: string; isFirst?: boolean }) => Element;
  end: (element: Element) => void;
  /** Assigns all following content to this element, or marks it as decoration, until the next call or `stop`. */
  use: (target: Element | typeof ARTIFACT) => void;
  /** Ends the assignment of content. */
  stop: () => void;
  /** Reserves content of an element that is drawn later, on the current page. Returns the operator that begins it. */
  reserve: (element: Element) => string;
  /** Returns the link with this key within an element. All parts of a link have the same key. */
  linkIn: (element: Element, key: unknown) => Element;
  /** Adds the clickable area that `annotate` creates with the options it receives. */
  addArea: (link: Element, name: string, annotate: (options: object) => void) => void;
  beginPage: () => void;
  endPage: () => void;
  finish: () => void;
};

type Ref = { id: number; data: Record<string, unknown> };
type Page = { dictionary: Ref; annotations: Ref[] };

/** Number of entries in one leaf of the tree that maps content to its element. */
const LEAF = 400;

export function openStructure(pdf: InstanceType<typeof PDFDocument>, objects: SmallObjects): Structure {
  // pdfkit has created this object, because the document is `tagged`, and will write it.
  const root = (pdf as unknown as { _root: { data: { StructTreeRoot: Ref } } })._root.data.StructTreeRoot;
  const document = pdf.ref({}) as unknown as Ref;
  const tree = pdf.ref({}) as unknown as Ref;
  const currentPage = (): Page => pdf.page;

  const leaves: string[] = [];
  let leaf: { key: number; id: number }[] = [];
  let nextKey = 0;
  const writeLeaf = (): void => {
    const [first, last] = [leaf.at(0), leaf.at(-1)];
    if (!first || !last) return;
    const id = objects.reserve();
    const entries = leaf.map((entry) => `${entry.key} ${entry.id} 0 R`);
    objects.write(id, `<</Limits[${first.key} ${last.key}]/Nums[${entries.join(' ')}]>>`);
    leaves.push(`${id} 0 R`);
    leaf = [];
  };
  const keyFor = (id: number): number => {
    const key = nextKey;
    nextKey += 1;
    leaf.push({ key, id });
    if (leaf.length === LEAF) writeLeaf();
    return key;
  };

  let target: Element | typeof ARTIFACT | null = null;
  // The elements of the current page's content, indexed by the number of the content, and the object for this list.
  let elements: number[] = [];
  let list = 0;

  const make = (id: number, role: Role, parent: Element | null, attributes: string): Element => ({
    id,
    role,
    parent,
    attributes,
    page: null,
    kids: [],
    links: null,
  });
  const top = make(document.id, 'Document', null, '');

  const stop = (): void => {
    if (target) pdf.addContent('EMC');
    target = null;
  };
  const reserve = (element: Element): string => {
    const page = currentPage().dictionary.id;
    element.page ??= page;
    const number = elements.push(element.id) - 1;
    element.kids.push(element.page === page ? String(number) : `<</Type/MCR/Pg ${page} 0 R/MCID ${number}>>`);
    return `/${element.role} <</MCID ${number}>> BDC`;
  };
  const begin: Structure['begin'] = (role, parent, { attributes = '', isFirst = false } = {}) => {
    const element = make(objects.reserve(), role, parent, attributes);
    if (isFirst) parent.kids.unshift(element.id);
    else parent.kids.push(element.id);
    return element;
  };
  const bodyOf = ({ role, parent, page, attributes, kids }: Element): string => {
    const children = kids.map((kid) => (typeof kid === 'number' ? `${kid} 0 R` : kid));
    return [
      `<</S/${role}/P ${parent?.id ?? root.id} 0 R`,
      page === null ? '' : `/Pg ${page} 0 R`,
      attributes,
      children.length > 0 ? `/K[${children.join(' ')}]` : '',
      '>>',
    ].join('');
  };
  const end = (element: Element): void => {
    for (const link of element.links?.values() ?? []) end(link);
    objects.write(element.id, bodyOf(element));
  };

  return {
    document: top,
    begin,
    end,
    use: (next) => {
      if (next === target) return;
      stop();
      pdf.addContent(next === ARTIFACT ? '/Artifact BMC' : reserve(next));
      target = next;
    },
    stop,
    reserve,
    linkIn: (element, key) => {
      element.links ??= new Map();
      const link = element.links.get(key) ?? begin('Link', element);
      element.links.set(key, link);
      return link;
    },
    addArea: (link, name, annotate) => {
      const page = currentPage();
      annotate({ StructParent: keyFor(link.id), Contents: Object(name) as string });
      const area = page.annotations.at(-1);
      if (area) link.kids.push(`<</Type/OBJR/Pg ${page.dictionary.id} 0 R/Obj ${area.id} 0 R>>`);
    },
    beginPage: () => {
      elements = [];
      list = objects.reserve();
      Object.assign(currentPage().dictionary.data, { StructParents: keyFor(list), Tabs: 'S' });
    },
    endPage: () => {
      stop();
      objects.write(list, `[${elements.map((id) => `${id} 0 R`).join(' ')}]`);
    },
    finish: () => {
      writeLeaf();
      objects.write(tree.id, `<</Kids[${leaves.join(' ')}]>>`);
      objects.write(document.id, bodyOf(top));
      Object.assign(root.data, { K: document, ParentTree: tree, ParentTreeNextKey: nextKey });
    },
  };
}
