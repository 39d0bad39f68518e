import type { StepType as StepTypeName } from '@stet/domain/steps';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import type { IconSize } from '../ui/icon.tsx';
import { partsOf } from './registry.ts';
import styles from './step-type.module.css';

/** A step type's icon. The type's name must be beside it or in a label. */
export function StepTypeIcon({ type, size = 'm' }: { type: StepTypeName; size?: IconSize }) {
  return <Icon of={partsOf(type).icon} size={size} />;
}

export function StepType({ type, small = false }: { type: StepTypeName; small?: boolean }) {
  return (
    <span className={classNames(styles.type, small && 'xs')} data-step-type={type}>
      <StepTypeIcon type={type} size={small ? 's' : 'm'} />
      {type}
    </span>
  );
}
