/** Distinguishes drafts in a list. An id starts with its time, so ids of drafts from the same minute start alike. */
export const draftShortId = (id: string): string => id.slice(-8);
