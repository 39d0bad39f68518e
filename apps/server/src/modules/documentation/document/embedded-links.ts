import { isSafeLink } from '@stet/presentation/documentation';
import type { Definition, Nodes } from 'mdast';

/** A range in the source, given by offsets, and the text that replaces it. */
export type Edit = { from: number; to: number; text: string };

/**
 * Returns the edits for a link or image in a task that is embedded in a larger document. A reference link becomes an
 * inline link, because another task may define the same name, and definitions are removed. An unsafe link is replaced
 * with its text, and an image with its name.
 */
export function linkEdits(node: Nodes, definitions: ReadonlyMap<string, Definition>): Edit[] {
  const [from, to] = [node.position?.start.offset, node.position?.end.offset];
  if (from === undefined || to === undefined) return [];
  switch (node.type) {
    case 'definition':
      return [{ from, to, text: '' }];
    case 'image':
    case 'imageReference':
      return [{ from, to, text: `*${escaped(`[${node.alt?.trim() || 'image'}]`)}*` }];
    case 'link':
      return leadsSomewhereSafe(node.url) ? [] : around(node, from, to, ['', '']);
    case 'linkReference': {
      const url = definitions.get(node.identifier)?.url ?? '';
      return around(
        node,
        from,
        to,
        leadsSomewhereSafe(url) ? ['[', `](<${url.replaceAll(/[<>\\\n]/g, encodeURIComponent)}>)`] : ['', ''],
      );
    }
    default:
      return [];
  }
}

const leadsSomewhereSafe = (url: string): boolean => isSafeLink(url) || url.startsWith('#');

/** Replaces the markup around a link's text. The text is edited separately. */
function around(
  { children }: Extract<Nodes, { type: 'link' | 'linkReference' }>,
  from: number,
  to: number,
  [before, after]: [string, string],
): Edit[] {
  const [first, last] = [children[0]?.position?.start.offset, children.at(-1)?.position?.end.offset];
  if (first === undefined || last === undefined) return [{ from, to, text: '' }];
  return [
    { from, to: first, text: before },
    { from: last, to, text: after },
  ];
}

const escaped = (text: string): string => text.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`);
