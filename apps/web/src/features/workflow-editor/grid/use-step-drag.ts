import { closestCenter, pointerWithin, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import type {
  CollisionDetection,
  DndContextProps,
  DragEndEvent,
  DragMoveEvent,
  DragStartEvent,
  Modifier,
} from '@dnd-kit/core';
import { restrictToVerticalAxis } from '@dnd-kit/modifiers';
import { DRAG_PX } from '@stet/presentation/constants';
import { STEP_TYPES, type Step, type StepType } from '@stet/domain/steps';
import { useMemo, useState } from 'react';
import { dragAnnouncements, DRAG_INSTRUCTIONS } from './drag-announcements.ts';
import { dropIndex } from './drop-place.ts';
import { RowKeyboardSensor } from './row-keyboard-sensor.ts';
import type { StepGrid } from './use-step-grid.ts';

/** The id of the drop area for palette entries. */
export const TABLE_ZONE = 'steps';

/**
 * The dragged item: a row, or a step type from the palette. `at` is the row that the step would be dropped before; null
 * outside the table.
 */
type Dragged = { kind: 'none' } | { kind: 'row'; id: string } | { kind: 'type'; type: StepType; at: number | null };

const typeOf = (data: Record<string, unknown> | undefined): StepType | undefined =>
  STEP_TYPES.find((type) => data?.['from'] === 'palette' && data['type'] === type);

/** A row can be dropped at the nearest row. A palette entry can only be dropped on the table. */
const collisions: CollisionDetection = (args) => {
  if (typeOf(args.active.data.current) === undefined) {
    return closestCenter({
      ...args,
      droppableContainers: args.droppableContainers.filter(({ id }) => id !== TABLE_ZONE),
    });
  }
  return pointerWithin(args).filter(({ id }) => id === TABLE_ZONE);
};

const rowsStayInTheirColumn: Modifier = (args) =>
  typeOf(args.active?.data.current) === undefined ? restrictToVerticalAxis(args) : args.transform;

type StepDragOptions = {
  steps: readonly Step[];
  grid: StepGrid;
  /** Called when a palette entry is dropped before row `at`. */
  onType?: (type: StepType, at: number) => void;
};

/** Drags rows, and step types from a palette into the rows. Pass `context` to the `DndContext`. */
export function useStepDrag({ steps, grid, onType }: StepDragOptions): { dragged: Dragged; context: DndContextProps } {
  const [dragged, setDragged] = useState<Dragged>({ kind: 'none' });
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_PX.start } }),
    // An arrow key moves the row by 25 px: the library's default, and the specification's (section 9).
    useSensor(RowKeyboardSensor),
  );
  const accessibility = useMemo(
    () => ({ announcements: dragAnnouncements(steps), screenReaderInstructions: DRAG_INSTRUCTIONS }),
    [steps],
  );
  const placeOf = ({ over, activatorEvent, delta }: DragMoveEvent | DragEndEvent): number | null => {
    if (over?.id !== TABLE_ZONE || !(activatorEvent instanceof MouseEvent)) return null;
    return dropIndex(rowPlaces(), activatorEvent.clientY + delta.y, steps.length);
  };
  return {
    dragged,
    context: {
      sensors,
      accessibility,
      collisionDetection: collisions,
      modifiers: MODIFIERS,
      onDragStart: ({ active }: DragStartEvent) => {
        const type = typeOf(active.data.current);
        setDragged(type ? { kind: 'type', type, at: null } : { kind: 'row', id: String(active.id) });
      },
      onDragMove: (event: DragMoveEvent) => {
        const type = typeOf(event.active.data.current);
        if (type === undefined) return;
        const at = placeOf(event);
        setDragged((now) => (now.kind === 'type' && now.at === at ? now : { kind: 'type', type, at }));
      },
      onDragEnd: (event: DragEndEvent) => {
        const { active, over } = event;
        setDragged({ kind: 'none' });
        const type = typeOf(active.data.current);
        if (type === undefined) {
          if (over) {
            grid.drop(
              String(active.id),
              steps.findIndex(({ id }) => id === over.id),
            );
          }
          return;
        }
        const at = placeOf(event);
        if (at !== null) onType?.(type, at);
      },
      onDragCancel: () => setDragged({ kind: 'none' }),
    },
  };
}

const MODIFIERS = [rowsStayInTheirColumn];

/** The current positions of the mounted rows. They are measured during a drag, because the list may have scrolled. */
function rowPlaces() {
  return [...document.querySelectorAll<HTMLElement>('[role="row"][data-step]')].map((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return { index: Number(row.dataset['index']), top, bottom };
  });
}
