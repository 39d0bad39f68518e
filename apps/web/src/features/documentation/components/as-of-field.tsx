import { useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { isDay } from '../../../lib/period.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Field, Input } from '../../../ui/field.tsx';
import styles from './as-of-field.module.css';

type AsOfFieldProps = { workflowKey: string; asOf?: string | null };

/** A date field. Choosing a date opens the document that was in force at the end of that day. */
export function AsOfField({ workflowKey, asOf = null }: AsOfFieldProps) {
  const navigate = useNavigate();
  const today = dayOf(new Date(useNow(60_000)));
  const shown = asOf !== null && isDay(asOf) ? asOf : '';
  const [{ day, of }, setTyped] = useState({ day: shown, of: shown });
  // Another link or the Back button can also change the address.
  if (of !== shown) setTyped({ day: shown, of: shown });
  const pick = (picked: string, isValid: boolean) => {
    setTyped({ day: picked, of });
    if (!isValid || !isDay(picked) || picked === shown) return;
    // Arrow keys change the date in many small steps. The address is replaced, so that Back skips these steps.
    void navigate(paths.document(workflowKey, { asOf: picked }), { replace: asOf !== null });
  };
  return (
    <div className={styles.asOf}>
      <Field label="As of" className={styles.field}>
        {(control) => (
          <Input
            {...control}
            type="date"
            min="2000-01-01"
            max={today}
            value={day}
            onChange={({ target }) => pick(target.value, target.validity.valid)}
          />
        )}
      </Field>
    </div>
  );
}

const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
