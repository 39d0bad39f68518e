// The announcements of screen readers when the steps of a table change or are dragged. Positions start at 1.

const place = (index: number, count: number): string => `position ${index + 1} of ${count}`;

export const addedSentence = (at: number, count: number): string => `Step added at ${place(at, count)}.`;
export const duplicatedSentence = (at: number, count: number): string => `Step duplicated at ${place(at, count)}.`;
export const removedSentence = (title: string): string => `${title} removed. Undo brings it back.`;
export const movedSentence = (title: string, to: number, count: number): string =>
  `${title} moved to ${place(to, count)}.`;
export const pickedUpSentence = (title: string, at: number, count: number): string =>
  `Picked up ${title}, ${place(at, count)}. Arrow keys move it, Space drops it, Escape cancels.`;
export const overSentence = (title: string, at: number, count: number): string =>
  `${title} is over ${place(at, count)}.`;
export const droppedSentence = (title: string, at: number, count: number): string =>
  `${title} dropped at ${place(at, count)}.`;
export const cancelledSentence = (title: string, at: number, count: number): string =>
  `Move cancelled. ${title} is back at ${place(at, count)}.`;
