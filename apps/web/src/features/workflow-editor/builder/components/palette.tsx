import { useDraggable } from '@dnd-kit/core';
import type { StepType as StepTypeName } from '@stet/domain/steps';
import { memo } from 'react';
import type { PointerEvent } from 'react';
import { Pressable } from '../../../../ui/button.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { StepTypeIcon } from '../../../../ui/step-type.tsx';
import { PALETTE } from '../model/palette-entries.ts';
import type { PaletteEntry } from '../model/palette-entries.ts';
import styles from './builder.module.css';

type PaletteProps = { onAdd: (type: StepTypeName) => void };

/** The five step types. They can be dragged into the table, or clicked to add a step at the end. */
export const Palette = memo(function Palette({ onAdd }: PaletteProps) {
  return (
    <aside className={styles.bldPalette} aria-label="Step types">
      <h2>Step types</h2>
      <p>Drag into the table, or click to add at the end.</p>
      {PALETTE.map((entry) => (
        <PaletteButton key={entry.type} entry={entry} onAdd={() => onAdd(entry.type)} />
      ))}
    </aside>
  );
});

function PaletteButton({ entry, onAdd }: { entry: PaletteEntry; onAdd: () => void }) {
  const { type, purpose, sla } = entry;
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
      <span className={styles.bldTypeSla}>{sla}</span>
      <small>{purpose}</small>
    </Pressable>
  );
}
