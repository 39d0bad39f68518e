const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){40}/m;
// Characters with a meaning in CommonMark or its tables, lists and addresses. Text without them is rendered as typed.
const MARKED = /[\\`*_[\]<>#|~&]|^\s{0,3}(?:[-+=]|\d{1,9}[.)])|^(?: {4}|\t)|https?:|www\.|@|\n\s*\n| {2}\n/m;

/**
 * Returns whether task text nests quotations and lists deeper than a person would write, or deeper than a recursive
 * Markdown parser can handle. Such text is shown as typed.
 */
export const isTooDeep = (text: string): boolean => TOO_DEEP.test(text);

/** Returns whether task text could look different when parsed as Markdown. */
export const hasMarkup = (text: string): boolean => MARKED.test(text);

/** Returns whether a link in a task is safe to open: a web page or a mail address. */
export const isSafeLink = (url: string): boolean => /^(?:https?:|mailto:)/i.test(url.trim());
