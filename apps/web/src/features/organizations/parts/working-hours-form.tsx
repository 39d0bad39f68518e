import type { WorkingHours } from '@stet/contract';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Field, Input, Textarea } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { SaveButton } from '../../../ui/save-button.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { toast } from '../../../ui/toast.ts';
import { useSaveWorkingHours } from '../api/use-working-hours.ts';
import { WEEKDAYS, formOf, hoursOf, hoursProblem } from '../model/working-hours-form.ts';
import type { HoursForm, PeriodFields } from '../model/working-hours-form.ts';
import './working-hours-form.css';

type WorkingHoursFormProps = { organizationId: string; saved: WorkingHours | null; canManage: boolean };

const MOST_PERIODS = 4;
const CLOCKS = { wall: 'Around the clock', working: 'Working hours' };
const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
const zones = (): readonly string[] => Intl.supportedValuesOf('timeZone');

/** What SLAs are counted in: the clock on the wall, or the hours in which the organization works. */
export function WorkingHoursForm({ organizationId, saved, canManage }: WorkingHoursFormProps) {
  // What was changed here; null stands for what is saved, which another person may change meanwhile.
  const [changed, setChanged] = useState<HoursForm | null>(null);
  const [tried, setTried] = useState(false);
  const save = useSaveWorkingHours(organizationId);
  const form = changed ?? formOf(saved, browserZone());
  const problem = hoursProblem(form);
  const isUnchanged = JSON.stringify(hoursOf(form)) === JSON.stringify(saved);
  const change = (next: Partial<HoursForm>) => setChanged({ ...form, ...next });
  const setDay = (at: number, periods: PeriodFields[]) =>
    change({ week: form.week.map((day, n) => (n === at ? periods : day)) });

  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem || save.isPending || isUnchanged) return;
    save.mutate(hoursOf(form), {
      onSuccess: (answered) => {
        setChanged(null);
        setTried(false);
        const isProposed = JSON.stringify(answered) !== JSON.stringify(hoursOf(form));
        if (isProposed) toast.ok('Proposed', 'Another owner or admin has to confirm clocks that leave more time.');
        else toast.ok('Working hours saved', 'They count for steps that become active from now on.');
      },
    });
  };
  return (
    <form className="sheet settings-form hours" onSubmit={send} noValidate aria-labelledby="hours-title">
      <h2 id="hours-title" className="title-sm">
        SLA clocks
      </h2>
      {canManage ? (
        <SegmentedControl
          label="What SLAs are counted in"
          value={form.isOn ? 'working' : 'wall'}
          options={[
            { value: 'wall', label: CLOCKS.wall },
            { value: 'working', label: CLOCKS.working },
          ]}
          onChange={(value) => change({ isOn: value === 'working' })}
        />
      ) : (
        <p className="med">{form.isOn ? CLOCKS.working : CLOCKS.wall}</p>
      )}
      <p className="two">
        {form.isOn
          ? '“1 day” is one working day, “8h” are eight working hours. Clocks stand still outside of these hours.'
          : '“1 day” is 24 hours, nights and weekends included.'}
      </p>
      {form.isOn && (
        <fieldset disabled={!canManage} className="hours-fields">
          <legend className="vh">Working hours</legend>
          <Field label="Time zone">
            {(control) => (
              <>
                <Input
                  {...control}
                  list="hours-zones"
                  autoComplete="off"
                  value={form.timeZone}
                  onChange={(event) => change({ timeZone: event.target.value })}
                />
                <datalist id="hours-zones">
                  {zones().map((zone) => (
                    <option key={zone}>{zone}</option>
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <div className="hours-week">
            {WEEKDAYS.map((name, day) => (
              <Day
                key={name}
                name={name}
                periods={form.week[day] ?? []}
                canManage={canManage}
                onChange={(periods) => setDay(day, periods)}
              />
            ))}
          </div>
          <Field label="Holidays" hint="One day a line, such as 2026-12-25. No clock runs on these days.">
            {(control) => (
              <Textarea
                {...control}
                rows={3}
                value={form.holidays}
                onChange={(event) => change({ holidays: event.target.value })}
              />
            )}
          </Field>
        </fieldset>
      )}
      {tried && problem && <Note tone="bad">{problem}</Note>}
      {save.isError && <Note tone="bad">{errorSentence(save.error, 'Failed to save the working hours')}</Note>}
      {canManage && (
        <SaveButton label="Save working hours" primary={false} isPending={save.isPending} isUnchanged={isUnchanged} />
      )}
    </form>
  );
}

type DayProps = {
  name: string;
  periods: readonly PeriodFields[];
  canManage: boolean;
  onChange: (periods: PeriodFields[]) => void;
};

function Day({ name, periods, canManage, onChange }: DayProps) {
  const set = (at: number, change: Partial<PeriodFields>) =>
    onChange(periods.map((period, n) => (n === at ? { ...period, ...change } : period)));
  return (
    <div className="hours-day" role="group" aria-label={name}>
      <span className="med">{name}</span>
      <div className="hours-periods">
        {periods.length === 0 && <span className="muted">Closed</span>}
        {periods.map((period, at) => (
          <span key={at} className="hours-period">
            <Input
              type="time"
              aria-label={`${name}, from`}
              value={period.from}
              onChange={(event) => set(at, { from: event.target.value })}
            />
            <span aria-hidden="true">–</span>
            <Input
              type="time"
              aria-label={`${name}, until`}
              value={period.to}
              onChange={(event) => set(at, { to: event.target.value })}
            />
            {canManage && (
              <IconButton
                label={`Remove these hours of ${name}`}
                icon={X}
                size="sm"
                onClick={() => onChange(periods.filter((_, n) => n !== at))}
              />
            )}
          </span>
        ))}
      </div>
      {canManage && periods.length < MOST_PERIODS && (
        <IconButton
          label={`Add hours to ${name}`}
          icon={Plus}
          size="sm"
          onClick={() => onChange([...periods, nextPeriod(periods)])}
        />
      )}
    </div>
  );
}

const nextPeriod = (periods: readonly PeriodFields[]): PeriodFields =>
  periods.length === 0 ? { from: '09:00', to: '17:00' } : { from: '18:00', to: '20:00' };
