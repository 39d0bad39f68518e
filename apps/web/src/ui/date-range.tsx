import { Calendar } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { formatDate } from '../lib/format/time.ts';
import { namedRanges, rememberRange } from '../lib/named-ranges.ts';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { Popover } from './popover.tsx';
import styles from './date-range.module.css';

type Range = { from: string; to: string };
type DateRangeProps = Range & {
  /** The button's label if both days are empty. */
  emptyLabel?: string;
  /** Offers named ranges, and the last range that was chosen in this browser if it has no name. */
  hasPresets?: boolean;
  onChange: (range: Range) => void;
};

function rangeText({ from, to }: Range, emptyLabel: string): string {
  const day = (text: string) => formatDate(`${text}T12:00:00`);
  if (from && to) return from === to ? day(from) : `${day(from)} – ${day(to)}`;
  if (from) return `From ${day(from)}`;
  return to ? `Until ${day(to)}` : emptyLabel;
}

/** The first and last day of a range, in the format `YYYY-MM-DD`. Either can be empty. */
export function DateRange({ from, to, emptyLabel = 'Date range', hasPresets = false, onChange }: DateRangeProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <Popover
      open={open}
      onClose={close}
      label="Date range"
      trapFocus
      target={
        <Button icon={Calendar} aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(!open)}>
          {rangeText({ from, to }, emptyLabel)}
        </Button>
      }
    >
      <RangeForm
        from={from}
        to={to}
        hasPresets={hasPresets}
        onPick={(range) => {
          if (hasPresets) rememberRange(range);
          onChange(range);
          close();
        }}
      />
    </Popover>
  );
}

type RangeFormProps = Range & { hasPresets: boolean; onPick: (range: Range) => void };

function RangeForm({ from, to, hasPresets, onPick }: RangeFormProps) {
  const [presets] = useState(() => (hasPresets ? namedRanges(new Date()) : []));
  const [picked, setPicked] = useState<Range>({ from, to });
  const error =
    picked.from && picked.to && picked.from > picked.to ? 'The first day must not be after the last day' : null;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!error) onPick(picked);
  };
  return (
    <form className={styles.dateRange} onSubmit={send} noValidate>
      {presets.length > 0 && (
        <div className={styles.presets} role="group" aria-label="Ranges">
          {presets.map(({ name, range }) => (
            <Button key={name} size="sm" tone="quiet" onClick={() => onPick(range)}>
              {name ?? rangeText(range, '')}
            </Button>
          ))}
        </div>
      )}
      <TextField label="From" type="date" value={picked.from} onChange={(day) => setPicked({ ...picked, from: day })} />
      <TextField
        label="To"
        type="date"
        value={picked.to}
        error={error}
        onChange={(day) => setPicked({ ...picked, to: day })}
      />
      <div className={styles.actions}>
        <Button tone="quiet" onClick={() => onPick({ from: '', to: '' })}>
          Any date
        </Button>
        <Button type="submit">Show</Button>
      </div>
    </form>
  );
}
