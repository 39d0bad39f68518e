import { GripVertical } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Pressable } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import type { IconSize } from './icon.tsx';
import styles from './drag-handle.module.css';

type DragHandleProps = ComponentProps<typeof Pressable> & { size?: IconSize };

/** The handle for dragging a row, which must have `data-dragging` while it moves. */
export function DragHandle({ size = 'm', className, ...rest }: DragHandleProps) {
  return (
    <Pressable {...rest} className={classNames(styles.handle, className)}>
      <Icon of={GripVertical} size={size} />
    </Pressable>
  );
}
