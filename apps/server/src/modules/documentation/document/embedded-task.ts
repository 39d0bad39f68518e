import type { Definition, Heading, Nodes, Parents } from 'mdast';
import { type Edit, linkEdits } from './embedded-links.ts';
import { taskTree } from './task-tree.ts';

/**
 * A task's text for embedding in a larger Markdown document. Headings move below those of the document, HTML and unsafe
 * links become text, reference links become inline links without definitions, images are replaced with their names, and
 * an open fence is closed, so that the text after the task doesn't become code. Apart from line ends and space at the
 * end, the rest stays as typed.
 *
 * @param below the level of the heading above the task
 */
export function embeddedTask(text: string, below: number): string {
  const source = text.replaceAll(/\r\n?/g, '\n').trimEnd();
  const tree = taskTree(source);
  const definitions = definitionsOf(tree);
  const edits: Edit[] = [];
  visit(tree, (node, parent) => {
    const { position } = node;
    const [from, to] = [position?.start.offset, position?.end.offset];
    if (from === undefined || to === undefined) return;
    const raw = source.slice(from, to);
    if (node.type === 'heading') {
      const within: Edit[] = [];
      visit(node, (child) => within.push(...linkEdits(child, definitions)));
      const moved = within.map((edit) => ({ ...edit, from: edit.from - from, to: edit.to - from }));
      edits.push({ from, to, text: lowered(node, applied(raw, moved), below) });
    } else if (node.type === 'html') edits.push({ from, to, text: asText(raw, parent.type !== 'paragraph') });
    else edits.push(...linkEdits(node, definitions));
  });
  const edited = applied(source, edits);
  // If a fence is inside a list or quotation, it ends with that list or quotation.
  const last = tree.children.at(-1);
  const fence = last?.type === 'code' ? openFence(source.slice(last.position?.start.offset)) : null;
  return fence === null ? edited : `${edited}\n${fence}`;
}

const applied = (text: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((one, other) => other.from - one.from || other.to - one.to)
    .reduce((whole, { from, to, text: by }) => whole.slice(0, from) + by + whole.slice(to), text);

/** The targets of reference links. If a name is defined twice, the first definition is used. */
function definitionsOf(tree: Parents): Map<string, Definition> {
  const known = new Map<string, Definition>();
  visit(tree, (node) => {
    if (node.type === 'definition' && !known.has(node.identifier)) known.set(node.identifier, node);
  });
  return known;
}

/** Visits each node except those inside headings, because a heading is rewritten as a whole. */
function visit(parent: Parents, meet: (node: Nodes, parent: Parents) => void): void {
  for (const node of parent.children) {
    meet(node, parent);
    if ('children' in node && node.type !== 'heading') visit(node, meet);
  }
}

/**
 * Escapes HTML, so that it is shown as typed. In an HTML block, also escapes the punctuation of Markdown, because
 * without the tags the block would be read as Markdown.
 */
const asText = (html: string, isBlock: boolean): string =>
  isBlock
    ? html.replaceAll(/[\\`*_[\]<>|~#+=-]/g, String.raw`\$&`).replaceAll(/^(\s*\d{1,9})([.)])/gm, String.raw`$1\$2`)
    : html.replaceAll('<', String.raw`\<`);

function lowered({ depth, children }: Heading, raw: string, below: number): string {
  const level = Math.min(6, depth + below);
  const [first, last] = [children[0]?.position?.start.offset, children.at(-1)?.position?.end.offset];
  const start = raw.startsWith('#') ? raw.search(/[^#]/) : 0;
  const body = first === undefined || last === undefined ? '' : raw.slice(start === -1 ? raw.length : start);
  const text = body
    .replace(/\n\s{0,3}[=-]+\s*$/, '')
    .replace(/\s#+\s*$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${'#'.repeat(level)} ${text.replaceAll('<', String.raw`\<`)}`;
}

/** Returns the closing fence that a code block lacks. Null if it has one, or if the block is indented code. */
function openFence(raw: string): string | null {
  const fence = /^(`{3,}|~{3,})/.exec(raw)?.[1];
  if (fence === undefined) return null;
  const lines = raw.trimEnd().split('\n');
  // A line indented by four or more spaces can't be a closing fence, because it is a line of code.
  const end = lines.length > 1 ? /^ {0,3}(`+|~+)\s*$/.exec(lines.at(-1) ?? '')?.[1] : undefined;
  return end?.startsWith(fence) ? null : fence;
}
