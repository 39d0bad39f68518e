import { type Page, expect } from '@playwright/test';

/**
 * Fails if right-to-left letters on the page could change the order of the text beside them. Such text must be isolated
 * (`bdi`, an element with `dir`, isolating characters), or alone in its paragraph.
 */
export async function expectIsolated(page: Page): Promise<void> {
  expect(await page.evaluate(loose)).toEqual([]);
}

function loose(): string[] {
  const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
  const ISOLATED = /[\u2066-\u2068][^\u2069]*\u2069/g;
  const isOwn = (element: Element): boolean =>
    element.matches('bdi, [dir], code') || getComputedStyle(element).unicodeBidi === 'plaintext';
  const isInline = (element: Element): boolean => getComputedStyle(element).display.startsWith('inline');
  /** The text of a block, without nested blocks and isolated text. */
  const lineOf = (node: Node): string =>
    [...node.childNodes]
      .map((child) => {
        if (child instanceof Text) return child.data;
        if (!(child instanceof Element) || isOwn(child)) return '';
        return getComputedStyle(child).display === 'inline' ? lineOf(child) : '';
      })
      .join('');
  const found = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.replaceAll(ISOLATED, '').trim() ?? '';
    let at = node.parentElement;
    if (
      !at ||
      !RTL.test(text) ||
      at.closest('script, style, textarea, option, [aria-hidden="true"], .vh, .cm-editor, pre')
    )
      continue;
    const path = [at];
    while (at && isInline(at) && !isOwn(at)) {
      at = at.parentElement;
      if (at) path.unshift(at);
    }
    if (!at || at.matches('bdi, [dir], code')) continue;
    const isAlone = lineOf(at).trim() === node.textContent?.trim();
    const isMixed = /[A-Za-z]{2}/.test(text.replaceAll(/SOX|QA/g, ''));
    if (getComputedStyle(at).unicodeBidi === 'plaintext' && isAlone && !isMixed) continue;
    const names = path.map((each) => each.tagName.toLowerCase() + (each.className ? `.${each.className}` : ''));
    found.add(`${names.join(' > ')}: ${text.slice(0, 60)}`);
  }
  return [...found];
}
