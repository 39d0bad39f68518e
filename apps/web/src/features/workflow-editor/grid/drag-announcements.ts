import type { Announcements, ScreenReaderInstructions } from '@dnd-kit/core';
import type { Step } from '@stet/domain/steps';
import { stepTitle } from '@stet/domain/workflows';
import { cancelledSentence, droppedSentence, overSentence, pickedUpSentence } from './announcements.ts';

export const DRAG_INSTRUCTIONS: ScreenReaderInstructions = {
  draggable: 'Space picks the step up. Then the arrow keys move it, Space drops it, Escape cancels.',
};

/**
 * The screen reader announcements for dragging steps, by mouse or keyboard. Each table needs its own instance. Entries
 * from the palette are announced only when they are added.
 */
export function dragAnnouncements(steps: readonly Step[]): Announcements {
  let isAway = false;
  const placeOf = (id: string | number): number => steps.findIndex((step) => step.id === id);
  const count = steps.length;
  const say = (
    id: string | number,
    at: string | number,
    sentence: (title: string, at: number, count: number) => string,
  ): string | undefined => {
    const step = steps[placeOf(id)];
    return step && sentence(stepTitle(step), placeOf(at), count);
  };
  return {
    onDragStart: ({ active }) => {
      isAway = false;
      return say(active.id, active.id, pickedUpSentence);
    },
    onDragOver: ({ active, over }) => {
      // When a drag starts, the step is over its own position. Announcing that would interrupt the announcement of the
      // start.
      if (!over || (over.id === active.id && !isAway)) return undefined;
      isAway = true;
      return say(active.id, over.id, overSentence);
    },
    onDragEnd: ({ active, over }) =>
      over ? say(active.id, over.id, droppedSentence) : say(active.id, active.id, cancelledSentence),
    onDragCancel: ({ active }) => say(active.id, active.id, cancelledSentence),
  };
}
