import { isTooDeep } from '@stet/presentation/documentation';
import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

const plain = (text: string): Root => ({
  type: 'root',
  children: [{ type: 'paragraph', children: [{ type: 'text', value: text }] }],
});

/** Parses task text as Markdown with tables, task lists and bare URLs. Accepts any text. */
export function taskTree(text: string): Root {
  if (isTooDeep(text)) return plain(text);
  try {
    return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  } catch {
    return plain(text);
  }
}
