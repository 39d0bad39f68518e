import { isTooDeep } from '@stet/presentation/documentation';
import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

const plain = (text: string): Root => ({
  type: 'root',
  children: [{ type: 'paragraph', children: [{ type: 'text', value: text }] }],
});

/**
 * Parses a task's text as GitHub Flavored Markdown. A text that is nested too deeply, or that the parser can't read,
 * becomes one paragraph.
 */
export function taskTree(text: string): Root {
  if (isTooDeep(text)) return plain(text);
  try {
    return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  } catch {
    return plain(text);
  }
}
