import type { Announcements, ScreenReaderInstructions } from '@dnd-kit/core';
import type { Step } from '@stet/domain/steps';
import { cancelledSentence, droppedSentence, overSentence, pickedUpSentence } from '../../model/announcements.ts';

export const DRAG_INSTRUCTIONS: ScreenReaderInstructions = {
  draggable: 'Space picks the step up. Then the arrow keys move it, Space drops it, Escape cancels.',
};

/** What screen readers announce during a drag, by mouse or keyboard. Create one instance for each table. */
export function dragAnnouncements(steps: readonly Step[]): Announcements {
  let isAway = false;
  const placeOf = (id: string | number): number => steps.findIndex((step) => step.id === String(id));
  const titleOf = (id: string | number): string => steps[placeOf(id)]?.title ?? 'The step';
  const count = steps.length;
  return {
    onDragStart: ({ active }) => {
      isAway = false;
      return pickedUpSentence(titleOf(active.id), placeOf(active.id), count);
    },
    onDragOver: ({ active, over }) => {
      // When a drag starts, the step is over its own position. Announcing that would interrupt the announcement of the
      // start.
      if (!over || (over.id === active.id && !isAway)) return undefined;
      isAway = true;
      return overSentence(titleOf(active.id), placeOf(over.id), count);
    },
    onDragEnd: ({ active, over }) =>
      over ? droppedSentence(titleOf(active.id), placeOf(over.id), count) : cancelled(active.id),
    onDragCancel: ({ active }) => cancelled(active.id),
  };

  function cancelled(id: string | number): string {
    return cancelledSentence(titleOf(id), placeOf(id), count);
  }
}
