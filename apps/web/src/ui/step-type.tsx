import { Cpu, Send, Split, SquarePen, Stamp } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Icon } from './icon.tsx';
import type { IconSize } from './icon.tsx';
import './step-type.css';

export type StepTypeName = 'manual' | 'approval' | 'automated' | 'condition' | 'notification';

const ICONS = {
  manual: SquarePen,
  approval: Stamp,
  automated: Cpu,
  condition: Split,
  notification: Send,
} satisfies Record<StepTypeName, LucideIcon>;

/** Only the icon of a step type. The type's name must be beside it or in a label. */
export function StepTypeIcon({ type, size = 'm' }: { type: StepTypeName; size?: IconSize }) {
  return <Icon of={ICONS[type]} size={size} />;
}

/** The icon and name of a step type. */
export function StepType({ type, small = false }: { type: StepTypeName; small?: boolean }) {
  return (
    <span className={small ? 'type xs' : 'type'}>
      <StepTypeIcon type={type} size={small ? 's' : 'm'} />
      {type}
    </span>
  );
}
