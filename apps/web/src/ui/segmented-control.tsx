import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './segmented-control.module.css';

type SegmentedControlProps<V extends string> = {
  label: string;
  value: V;
  options: readonly { value: V; label: ReactNode }[];
  className?: string | undefined;
  onChange: (value: V) => void;
};

/** A few choices side by side, one of them selected. */
export function SegmentedControl<V extends string>({
  label,
  value,
  options,
  className,
  onChange,
}: SegmentedControlProps<V>) {
  return (
    <div className={classNames(styles.control, className)} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
