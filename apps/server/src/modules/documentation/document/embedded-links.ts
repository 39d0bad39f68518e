import { isSafeLink } from '@stet/domain/documentation';
import type { Definition, Nodes } from 'mdast';

/** A stretch of the source, by offsets, and what takes its place. */
export type Edit = { from: number; to: number; text: string };

/**
 * What changes of a link or an image of one task within a larger document. A link by name is written out, for another task
 * may give the name to something else; a link that isn't safe leaves its words; an image leaves what it is called.
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

/** Other marks around the words of a link; what is within them is edited by itself. */
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
