/**
 * The beginning of a text, of at most so many characters as limits count them (UTF-16 units). A cut within a pair of
 * surrogates would leave half a character, which can't be hashed or stored: then it is one shorter.
 */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, Math.max(0, limit)).replace(/[\uD800-\uDBFF]$/, '');
}
