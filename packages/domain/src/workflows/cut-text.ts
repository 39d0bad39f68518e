/**
 * Cuts text to at most `limit` UTF-16 code units. If the limit is within a surrogate pair, the result is one unit
 * shorter, because a lone surrogate can't be hashed or stored.
 */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, Math.max(0, limit)).replace(/[\uD800-\uDBFF]$/, '');
}
