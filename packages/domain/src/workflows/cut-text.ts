/**
 * The beginning of a text, with at most `limit` UTF-16 units. A cut within a surrogate pair would leave half a
 * character, which can't be hashed or stored; the result is then one unit shorter.
 */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, Math.max(0, limit)).replace(/[\uD800-\uDBFF]$/, '');
}
