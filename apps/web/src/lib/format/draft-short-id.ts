/**
 * Distinguishes drafts in a list. It uses the end of the id, because ids begin with their creation time, so their
 * beginnings look alike.
 */
export const draftShortId = (id: string): string => id.slice(-8);
