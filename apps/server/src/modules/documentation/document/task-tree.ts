import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

// Deeper than any person writes, and than a recursive reader can go: a text of this kind is shown as it was typed.
const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){40}/m;

const plain = (text: string): Root => ({
  type: 'root',
  children: [{ type: 'paragraph', children: [{ type: 'text', value: text }] }],
});

/** Task text read as Markdown with tables, task lists and plain addresses. Any text is read; none is refused. */
export function taskTree(text: string): Root {
  if (TOO_DEEP.test(text)) return plain(text);
  try {
    return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  } catch {
    return plain(text);
  }
}
