type Node = { type: string; tagName?: string; value?: string; properties?: Record<string, unknown>; children?: Node[] };

const READ_ALONE = new Set(['li', 'td', 'th', 'blockquote', 'h2', 'h3', 'h4', 'h5', 'h6']);

/**
 * Adapts a text to the page. Its headings continue below the enclosing heading without skipping levels. A newline after
 * a `<br>` doesn't add a second line break. List items, table cells, quotations and headings each have their own text
 * direction.
 * @param below the level of the enclosing heading
 */
export const fitted = (below: number) => () => (tree: unknown) => {
  const open: number[] = [];
  const walk = (parent: Node): void => {
    for (const [at, node] of (parent.children ?? []).entries()) {
      const before = parent.children?.[at - 1];
      if (node.type === 'text' && before?.tagName === 'br') node.value = node.value?.replace(/^\n/, '') ?? '';
      const depth = Number(/^h([1-6])$/.exec(node.tagName ?? '')?.[1] ?? 0);
      if (depth > 0) {
        while ((open.at(-1) ?? 0) >= depth) open.pop();
        open.push(depth);
        node.tagName = `h${Math.min(6, below + open.length)}`;
      }
      if (READ_ALONE.has(node.tagName ?? '')) node.properties = { ...node.properties, dir: 'auto' };
      walk(node);
    }
  };
  walk(tree as Node);
};
