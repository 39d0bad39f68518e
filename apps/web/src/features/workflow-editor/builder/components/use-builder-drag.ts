import { closestCenter, KeyboardSensor, pointerWithin, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import type { CollisionDetection, DragEndEvent, DragMoveEvent, DragStartEvent, Modifier } from '@dnd-kit/core';
import { DRAG_PX } from '@stet/presentation/constants';
import { STEP_TYPES, type Step, type StepType } from '@stet/domain/steps';
import { useState } from 'react';
import { dropIndex } from '../model/drop-place.ts';
import { TABLE_ZONE } from './builder-table.tsx';
import type { BuilderGrid } from './use-builder-grid.ts';

/** The dragged item: a row of the table, or a type from the palette, with the row before which it would be dropped. */
type Dragged = { kind: 'none' } | { kind: 'row'; id: string } | { kind: 'type'; type: StepType; at: number | null };

const typeOf = (data: Record<string, unknown> | undefined): StepType | undefined =>
  STEP_TYPES.find((type) => data?.['from'] === 'palette' && data['type'] === type);

/** A row targets the nearest row; a palette entry targets the table, or nothing. */
const collisions: CollisionDetection = (args) => {
  if (typeOf(args.active.data.current) === undefined) {
    return closestCenter({
      ...args,
      droppableContainers: args.droppableContainers.filter(({ id }) => id !== TABLE_ZONE),
    });
  }
  return pointerWithin(args).filter(({ id }) => id === TABLE_ZONE);
};

const rowsStayInTheirColumn: Modifier = ({ active, transform }) =>
  typeOf(active?.data.current) === undefined ? { ...transform, x: 0 } : transform;

export function useBuilderDrag({ steps, grid }: { steps: readonly Step[]; grid: BuilderGrid }) {
  const [dragged, setDragged] = useState<Dragged>({ kind: 'none' });
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_PX.start } }),
    // The default getter moves by 25 px per key press (specification, section 9).
    useSensor(KeyboardSensor),
  );
  const placeOf = ({ over, activatorEvent, delta }: DragMoveEvent | DragEndEvent): number | null => {
    if (over?.id !== TABLE_ZONE || !(activatorEvent instanceof MouseEvent)) return null;
    return dropIndex(rowPlaces(), activatorEvent.clientY + delta.y, steps.length);
  };
  return {
    dragged,
    handlers: {
      sensors,
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
        if (type !== undefined) {
          const at = placeOf(event);
          if (at !== null) grid.add(type, at);
        } else if (over)
          grid.move(
            String(active.id),
            steps.findIndex(({ id }) => id === over.id),
          );
      },
      onDragCancel: () => setDragged({ kind: 'none' }),
    },
  };
}

const MODIFIERS = [rowsStayInTheirColumn];

/** The current positions of the visible rows. Read during a drag, because the list may have scrolled. */
function rowPlaces() {
  return [...document.querySelectorAll<HTMLElement>('[role="row"][data-step]')].map((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return { index: Number(row.dataset['index']), top, bottom };
  });
}
