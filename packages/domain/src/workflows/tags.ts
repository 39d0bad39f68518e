/** Maximum number of tags on a workflow, and maximum length of a tag in characters. */
export const TAG_LIMITS = { tags: 20, length: 40 } as const;

/** Returns a tag as it is stored and compared: in lower case, with single spaces. */
export const normalizedTag = (tag: string): string => tag.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Returns the tags as they are stored: normalized, sorted, each once, without empty ones. */
export const normalizedTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map(normalizedTag))].filter((tag) => tag !== '').toSorted();
