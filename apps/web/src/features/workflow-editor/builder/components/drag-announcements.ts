import type { Announcements, ScreenReaderInstructions } from '@dnd-kit/core';
import type { Step } from '@stet/domain/steps';
import { titleOf } from '../model/step-words.ts';

export const DRAG_INSTRUCTIONS: ScreenReaderInstructions = {
  draggable: 'Space picks the step up. Then the arrow keys move it, Space drops it, Escape cancels.',
};

/** Screen reader announcements while a row is dragged; a palette entry is announced once it is added. */
export function dragAnnouncements(steps: readonly Step[]): Announcements {
  const rowOf = (id: string | number): number => steps.findIndex((step) => step.id === id);
  const say = (id: string | number, words: (title: string) => string): string | undefined => {
    const step = steps[rowOf(id)];
    return step && words(titleOf(step));
  };
  const place = (id: string | number): string => `position ${rowOf(id) + 1} of ${steps.length}`;
  return {
    onDragStart: ({ active }) =>
      say(
        active.id,
        (title) => `Picked up ${title}, ${place(active.id)}. Arrow keys move it, Space drops it, Escape cancels.`,
      ),
    onDragOver: ({ active, over }) =>
      over && over.id !== active.id ? say(active.id, (title) => `${title} is over ${place(over.id)}.`) : undefined,
    onDragEnd: ({ active, over }) =>
      over
        ? say(active.id, (title) => `${title} dropped at ${place(over.id)}.`)
        : say(active.id, (title) => `Move of ${title} cancelled.`),
    onDragCancel: ({ active }) => say(active.id, (title) => `Move cancelled. ${title} is back at ${place(active.id)}.`),
  };
}
