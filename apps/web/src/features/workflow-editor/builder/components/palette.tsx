import { useDraggable } from '@dnd-kit/core';
import { STEP_KINDS, STEP_TYPES, type StepType } from '@stet/domain/steps';
import { memo } from 'react';
import type { PointerEvent } from 'react';
import { Pressable } from '../../../../ui/button.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { partsOf } from '../../../../step-types/registry.ts';
import { StepTypeIcon } from '../../../../step-types/step-type.tsx';
import styles from './builder.module.css';

type PaletteProps = { onAdd: (type: StepType) => void };

/** The step types. They can be dragged into the table, or clicked to add a step at the end. */
export const Palette = memo(function Palette({ onAdd }: PaletteProps) {
  return (
    <aside className={styles.bldPalette} aria-label="Step types">
      <h2>Step types</h2>
      <p>Drag into the table, or click to add at the end.</p>
      {STEP_TYPES.map((type) => (
        <PaletteButton key={type} type={type} onAdd={() => onAdd(type)} />
      ))}
    </aside>
  );
});

function PaletteButton({ type, onAdd }: { type: StepType; onAdd: () => void }) {
  const { purpose } = partsOf(type);
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: `palette-${type}`,
    data: { from: 'palette', type },
  });
  // Dragging only starts with the pointer. With the keyboard, Enter and Space click the button, which adds a step.
  const onPointerDown = listeners?.['onPointerDown'] as ((event: PointerEvent) => void) | undefined;
  return (
    <Pressable
      ref={setNodeRef}
      className={classNames(styles.bldType, isDragging && styles.dragging)}
      title={purpose}
      onPointerDown={onPointerDown}
      onClick={onAdd}
    >
      <StepTypeIcon type={type} />
      <b>
        <span className="vh">Add </span>
        {type}
        <span className="vh"> step</span>
      </b>
      <span className={styles.bldTypeSla}>{STEP_KINDS[type].defaults.sla}</span>
      <small>{purpose}</small>
    </Pressable>
  );
}
