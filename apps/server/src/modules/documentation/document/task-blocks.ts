import { isSafeLink } from '@stet/presentation/documentation';
import type { List, PhrasingContent, RootContent, TableRow } from 'mdast';
import type { Block, Group, Layout, Span, Emphasis } from '../../../kernel/pdf.ts';
import { taskTree } from './task-tree.ts';

/** A part of a task in a PDF. Parts follow each other from top to bottom. Heights are in points. */
export type TaskBlock =
  | { kind: 'read'; block: Block; layout: Layout; above: number }
  | { kind: 'group'; group: Group; blocks: Iterable<TaskBlock> }
  | { kind: 'rule' }
  | {
      kind: 'table';
      head: readonly Block[];
      align: readonly ('left' | 'right')[];
      rows: readonly (readonly Block[])[];
    };

type Place = { indent: number; bar: boolean; marker: Block | null; tight: boolean };

const STEP = 16;
const DEEPEST = 8;
const PARAGRAPH = 6;

/**
 * Parses a task's text as Markdown into blocks for a PDF. Images are replaced with their names, and HTML is shown as
 * text.
 */
export function* taskBlocks(text: string, indent: number): Generator<TaskBlock> {
  yield* blocksOf(taskTree(text).children, { indent, bar: false, marker: null, tight: false });
}

function* blocksOf(nodes: readonly RootContent[], place: Place): Generator<TaskBlock> {
  // The marker of a list item comes before its first line.
  let { marker } = place;
  for (const node of nodes) {
    yield* blocksOfOne(node, { ...place, marker });
    marker = null;
  }
}

function* blocksOfOne(node: RootContent, place: Place): Generator<TaskBlock> {
  switch (node.type) {
    case 'paragraph':
      yield read({ ...inlineText(node.children), style: 'read' }, place);
      return;
    case 'heading':
      yield read(headingBlock(inlineText(node.children)), place, PARAGRAPH + 4);
      return;
    case 'blockquote':
      yield { kind: 'group', group: 'quote', blocks: blocksOf(node.children, { ...deeper(place), bar: true }) };
      return;
    case 'list':
      yield { kind: 'group', group: 'list', blocks: itemsOf(node, place) };
      return;
    case 'code':
      yield read({ text: node.value, style: 'readCode' }, { ...deeper(place), bar: true });
      return;
    case 'table':
      yield* tableBlock(node.children, node.align ?? []);
      return;
    case 'thematicBreak':
      yield { kind: 'rule' };
      return;
    case 'html':
      yield read({ text: node.value, style: 'read' }, place);
      return;
    case 'footnoteDefinition':
      yield* blocksOf(node.children, { ...deeper(place), marker: { text: `[${node.identifier}]`, style: 'small' } });
      return;
    default:
      // Link definitions produce no output. All other nodes are inline.
      return;
  }
}

function* itemsOf(list: List, place: Place): Generator<TaskBlock> {
  const tight = list.children.every(({ spread }) => !spread);
  for (const [n, item] of list.children.entries()) {
    const sign =
      typeof item.checked === 'boolean' ? (item.checked ? '☑' : '☐') : list.ordered ? `${(list.start ?? 1) + n}.` : '•';
    const marker: Block = { text: sign, style: 'read', ink: 'second' };
    const own = { ...deeper(place), marker, tight: tight && n > 0 };
    const blocks = item.children.length === 0 ? [read({ text: '', style: 'read' }, own)] : blocksOf(item.children, own);
    yield { kind: 'group', group: 'item', blocks };
  }
}

const deeper = (place: Place): Place => ({ ...place, indent: Math.min(place.indent + STEP, STEP * DEEPEST) });

const read = (block: Block, { indent, bar, marker, tight }: Place, above = PARAGRAPH): TaskBlock => ({
  kind: 'read',
  block,
  layout: { indent, ...(bar && { bar }), ...(marker && { marker }) },
  above: tight ? 1 : above,
});

type Inline = { text: string; spans: Span[] };

/** Headings of every level become bold text, because they rank below the step's title. Their links are preserved. */
function headingBlock({ text, spans }: Inline): Block {
  const strong: Span[] = [];
  let at = 0;
  for (const { from, to, href } of spans) {
    if (href === undefined || from < at) continue;
    if (from > at) strong.push({ from: at, to: from, as: 'strong' });
    strong.push({ from, to, as: 'strong', href });
    at = to;
  }
  return { text, style: 'read', spans: [...strong, { from: at, to: text.length, as: 'strong' }] };
}

function* tableBlock([first, ...others]: readonly TableRow[], align: readonly (string | null)[]): Generator<TaskBlock> {
  if (!first) return;
  const columns = first.children.length;
  const rowOf = (row: TableRow): Block[] =>
    Array.from({ length: columns }, (_, n): Block => ({
      ...inlineText(row.children[n]?.children ?? []),
      style: 'body',
    }));
  yield {
    kind: 'table',
    head: rowOf(first),
    align: Array.from({ length: columns }, (_, n) => (align[n] === 'right' ? 'right' : 'left')),
    rows: others.map(rowOf),
  };
}

function inlineText(nodes: readonly PhrasingContent[]): Inline {
  const inline: Inline = { text: '', spans: [] };
  write(nodes, { strong: false, em: false, href: null }, inline);
  return inline;
}

type Manner = { strong: boolean; em: boolean; href: string | null };

function write(nodes: readonly PhrasingContent[], manner: Manner, into: Inline): void {
  for (const node of nodes) {
    switch (node.type) {
      case 'text':
      case 'html':
        add(node.value, emphasisOf(manner), manner.href, into);
        break;
      case 'inlineCode':
        add(node.value, 'code', manner.href, into);
        break;
      case 'break':
        into.text += '\n';
        break;
      case 'image':
      case 'imageReference':
        add(`[${node.alt?.trim() || 'image'}]`, 'em', manner.href, into);
        break;
      case 'footnoteReference':
        add(`[${node.identifier}]`, null, manner.href, into);
        break;
      case 'strong':
        write(node.children, { ...manner, strong: true }, into);
        break;
      case 'emphasis':
        write(node.children, { ...manner, em: true }, into);
        break;
      case 'link':
        write(node.children, { ...manner, href: isSafeLink(node.url) ? node.url : null }, into);
        break;
      case 'delete':
      case 'linkReference':
        write(node.children, manner, into);
        break;
    }
  }
}

function add(text: string, as: Emphasis | null, href: string | null, into: Inline): void {
  const from = into.text.length;
  into.text += text;
  if (as !== null || href !== null)
    into.spans.push({ from, to: into.text.length, ...(as && { as }), ...(href !== null && { href }) });
}

const emphasisOf = ({ strong, em }: Manner): Emphasis | null =>
  strong && em ? 'strong_em' : strong ? 'strong' : em ? 'em' : null;
