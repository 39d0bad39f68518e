import { useDraggable } from '@dnd-kit/core';
import type { StepType as StepTypeName } from '@stet/domain/workflows';
import { memo } from 'react';
import type { PointerEvent } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { StepTypeIcon } from '../../../ui/step-type.tsx';
import { PALETTE } from '../model/palette.ts';
import type { PaletteEntry } from '../model/palette.ts';
import './palette.css';

type PaletteProps = { onAdd: (type: StepTypeName) => void };

/** The five step types: dragged into the table, or clicked for the end. */
export const Palette = memo(function Palette({ onAdd }: PaletteProps) {
  return (
    <aside className="bld-palette" aria-label="Step types">
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
  // Only the pointer drags from here: on a button, Enter and Space are a click, which adds.
  const onPointerDown = listeners?.['onPointerDown'] as ((event: PointerEvent) => void) | undefined;
  return (
    <button
      ref={setNodeRef}
      type="button"
      className={classNames('bld-type', isDragging && 'dragging')}
      aria-label={`Add ${type} step`}
      title={purpose}
      onPointerDown={onPointerDown}
      onClick={onAdd}
    >
      <StepTypeIcon type={type} />
      <b>{type}</b>
      <span className="bld-type-sla">{sla}</span>
      <small>{purpose}</small>
    </button>
  );
}
