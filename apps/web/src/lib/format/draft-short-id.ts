/**
 * Distinguishes drafts in a list. The end of the id is used. Ids begin with their creation time, so their beginnings
 * look alike.
 */
export const draftShortId = (id: string): string => id.slice(-8);
