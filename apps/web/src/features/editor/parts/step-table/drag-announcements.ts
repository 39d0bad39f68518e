import type { Announcements, ScreenReaderInstructions } from '@dnd-kit/core';
import type { Step } from '@stet/domain/workflows';
import { cancelledSentence, droppedSentence, overSentence, pickedUpSentence } from '../../model/announcements.ts';

export const DRAG_INSTRUCTIONS: ScreenReaderInstructions = {
  draggable: 'Space picks the step up. Then the arrow keys move it, Space drops it, Escape cancels.',
};

/** What is heard while a handle is dragged, by mouse as by keyboard. */
export function dragAnnouncements(steps: readonly Step[]): Announcements {
  const placeOf = (id: string | number): number => steps.findIndex((step) => step.id === String(id));
  const titleOf = (id: string | number): string => steps[placeOf(id)]?.title ?? 'The step';
  const count = steps.length;
  return {
    onDragStart: ({ active }) => pickedUpSentence(titleOf(active.id), placeOf(active.id), count),
    onDragOver: ({ active, over }) => (over ? overSentence(titleOf(active.id), placeOf(over.id), count) : undefined),
    onDragEnd: ({ active, over }) =>
      over ? droppedSentence(titleOf(active.id), placeOf(over.id), count) : cancelled(active.id),
    onDragCancel: ({ active }) => cancelled(active.id),
  };

  function cancelled(id: string | number): string {
    return cancelledSentence(titleOf(id), placeOf(id), count);
  }
}
