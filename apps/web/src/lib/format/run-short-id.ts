/** The first 8 characters, as run ids are shown (specification, section 9). */
export const runShortId = (id: string): string => id.slice(0, 8);
