const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){40}/m;
// Everything that can have a meaning in CommonMark or in GitHub's extensions (tables, strikethrough, bare addresses).
// Text without it is rendered as typed.
const MARKED = /[\\`*_[\]<>#|~&]|^\s{0,3}(?:[-+=]|\d{1,9}[.)])|^(?: {4}|\t)|https?:|www\.|@|\n\s*\n| {2}\n/m;

/**
 * Returns whether a line of task text begins with 40 or more markers of quotations or lists. Nobody nests that deep on
 * purpose, and recursive Markdown parsers would overflow. A line of 40 hyphens also counts. Such text is shown as
 * typed.
 */
export const isTooDeep = (text: string): boolean => TOO_DEEP.test(text);

/** Returns whether task text could look different when parsed as Markdown. */
export const hasMarkup = (text: string): boolean => MARKED.test(text);

/** Returns whether a link in a task is safe to open: a web page or a mail address. */
export const isSafeLink = (url: string): boolean => /^(?:https?:|mailto:)/i.test(url.trim());
