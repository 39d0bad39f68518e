/**
 * Returns the end of a draft's id, which distinguishes drafts in a list. Ids begin with their creation time, so their
 * beginnings look alike.
 */
export const draftShortId = (id: string): string => id.slice(-8);
