const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){40}/m;
// What CommonMark and its tables, lists and addresses give a meaning; a text without any is the same read or typed.
const MARKED = /[\\`*_[\]<>#|~&]|^\s{0,3}(?:[-+=]|\d{1,9}[.)])|^(?: {4}|\t)|https?:|www\.|@|\n\s*\n| {2}\n/m;

/**
 * Whether task text opens more quotations and lists within each other than any person writes, and than a recursive reader
 * of Markdown can go: such a text is shown as it was typed.
 */
export const isTooDeep = (text: string): boolean => TOO_DEEP.test(text);

/** Whether reading task text as Markdown can make a difference. */
export const isMarked = (text: string): boolean => MARKED.test(text);

/** Whether a link of a task may be followed: to a page, or to begin a mail. */
export const isSafeLink = (url: string): boolean => /^(?:https?:|mailto:)/i.test(url.trim());
