import { formatDuration, parseDuration, slaMsOf } from '@stet/domain/sla';
import { POPOVER_RANGE } from '@stet/presentation/constants';
import { joinDuration, splitDuration } from '@stet/presentation/popover';
import type { DurationParts } from '@stet/presentation/popover';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { FocusEvent, FormEvent, KeyboardEvent } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/field.tsx';
import { useFlip } from './use-flip.ts';
import type { AfterCommit } from '../grid/use-step-grid.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './step-table.module.css';

const { maxDays, maxHours, maxMinutes, minuteStep } = POPOVER_RANGE;
const upTo = (most: number, step = 1): number[] => Array.from({ length: most / step + 1 }, (_, index) => index * step);
const PARTS = [
  { part: 'days', label: 'Days', choices: upTo(maxDays) },
  { part: 'hours', label: 'Hours', choices: upTo(maxHours) },
  { part: 'minutes', label: 'Minutes', choices: upTo(maxMinutes, minuteStep) },
] as const satisfies readonly { part: keyof DurationParts; label: string; choices: number[] }[];

type SlaEditorProps = {
  value: string;
  onCommit: (value: string, after: AfterCommit) => void;
  onCancel: () => void;
  /** Called if the focus moves elsewhere, for example by a click. Closes the editor without moving the focus back. */
  onLeave: () => void;
};

/** The popover 'Set SLA Duration' (specification, section 2, step-table editor). */
export function SlaEditor({ value, onCommit, onCancel, onLeave }: SlaEditorProps) {
  const [parts, setParts] = useState(() => splitDuration(slaMsOf(value)));
  const [isTouched, setIsTouched] = useState(false);
  const popup = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLSelectElement>(null);
  const id = useId();
  useFlip(popup);
  const text = formatDuration(joinDuration(parts));
  const misfit = misfitOf(value);
  // If the value can't be represented here, it isn't changed until the person chooses a different one.
  const set = () => (misfit !== null && !isTouched ? onCancel() : onCommit(text, 'stay'));

  useLayoutEffect(() => first.current?.focus(), []);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    set();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      onCancel();
    } else if (event.key === 'Enter' && event.target instanceof HTMLSelectElement) {
      event.preventDefault();
      set();
    }
  };
  const onBlur = (event: FocusEvent) => {
    // The target is null if the window lost the focus, or if the person clicked something that can't be focused.
    const to = event.relatedTarget;
    if (to instanceof Node && !event.currentTarget.contains(to)) onLeave();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the dialog handles Escape and loss of focus.
    <div
      ref={popup}
      className={classNames(styles.cellPop, styles.slaEditor)}
      data-cell-part="popup"
      role="dialog"
      aria-labelledby={`${id}-title`}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      <form onSubmit={onSubmit}>
        <p className="bold" id={`${id}-title`}>
          Set SLA Duration
        </p>
        <div className={styles.slaParts}>
          {PARTS.map(({ part, label, choices }) => (
            <label key={part} className={styles.slaPart}>
              <span className="label">{label}</span>
              <Select
                {...(part === 'days' && { ref: first })}
                value={parts[part]}
                onChange={(event) => {
                  setParts({ ...parts, [part]: Number(event.target.value) });
                  setIsTouched(true);
                }}
              >
                {choices.map((choice) => (
                  <option key={choice} value={choice}>
                    {choice}
                  </option>
                ))}
              </Select>
            </label>
          ))}
        </div>
        {misfit !== null && <p className={styles.slaMisfit}>{misfit}</p>}
        <p className={styles.slaPreview}>
          <span className="muted">Preview</span>
          <b aria-live="polite">{misfit !== null && !isTouched ? value : text}</b>
        </p>
        <div className={styles.slaActs}>
          <Button size="sm" onClick={onCancel}>
            Cancel
          </Button>
          <Button size="sm" tone="primary" type="submit">
            Set SLA
          </Button>
        </div>
      </form>
    </div>
  );
}

/** Says why days, hours and minutes can't represent the cell's value. Null if they can. */
function misfitOf(value: string): string | null {
  if (value.trim() === '') return null;
  const parsed = parseDuration(value);
  if (!parsed.ok) return `“${value}” is not a duration. It stays unchanged until you choose one.`;
  if (joinDuration(splitDuration(parsed.ms)) === parsed.ms) return null;
  return `“${value}” is not among these choices. It stays unchanged until you choose a different duration.`;
}
