/** What tells drafts apart in a list. An id begins with its time: drafts of one minute would begin alike. */
export const draftShortId = (id: string): string => id.slice(-8);
