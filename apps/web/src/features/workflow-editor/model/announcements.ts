/** Texts for screen readers while a step is moved. Positions start at 1. */
const place = (index: number, count: number): string => `position ${index + 1} of ${count}`;

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
