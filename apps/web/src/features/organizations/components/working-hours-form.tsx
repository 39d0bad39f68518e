import type { OkOf, WorkingHours } from '@stet/contract';
import { calendarWords } from '@stet/presentation/calendar-words';
import { isolated } from '@stet/domain/workflows';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Field, FieldError, Input, TextareaField } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SaveButton } from '../../../ui/save-button.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { toast } from '../../../ui/toast.ts';
import { hoursSchema, useSaveWorkingHours } from '../api/use-working-hours.ts';
import { WEEKDAYS, formOf, hoursOf, hoursProblems } from '../model/working-hours-fields.ts';
import type { PeriodFields } from '../model/working-hours-fields.ts';
import styles from './working-hours-form.module.css';

type WorkingHoursFormProps = {
  organizationId: string;
  saved: WorkingHours | null;
  /** Proposed hours that don't apply yet. */
  pending: OkOf<'GET /api/organizations/{id}/working-hours'>['pending'];
  canManage: boolean;
};

const MAX_PERIODS = 4;
const CLOCKS = { wall: 'Around the clock', working: 'Working hours' };
const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
const zones = (): readonly string[] => Intl.supportedValuesOf('timeZone');

/** Sets whether SLA clocks always run or only during the organization's working hours. */
export function WorkingHoursForm({ organizationId, saved, pending, canManage }: WorkingHoursFormProps) {
  const save = useSaveWorkingHours(organizationId);
  const form = useContractForm({
    schema: hoursSchema,
    initial: formOf(saved, browserZone()),
    body: (typed) => ({ workingHours: hoursOf(typed) }),
    rules: hoursProblems,
    places: { 'workingHours.timeZone': 'timeZone', 'workingHours.week': 'week', 'workingHours.holidays': 'holidays' },
    failed: 'Failed to save the working hours',
    send: async ({ workingHours }) => {
      const answered = await save.mutateAsync(workingHours);
      form.reset();
      if (answered.pending)
        toast.ok('Proposed', 'Another owner or admin must confirm this change, because it allows more time.');
      else toast.ok('Working hours saved', 'They apply to steps that start from now on.');
    },
  });
  const { isOn, week } = form.values;
  const isUnchanged = JSON.stringify(hoursOf(form.values)) === JSON.stringify(saved);
  const setDay = (at: number, periods: PeriodFields[]) =>
    form.change({ week: week.map((day, n) => (n === at ? periods : day)) });
  const timeZone = form.field('timeZone');
  const weekError = form.field('week').error;
  const weekErrorId = useId();
  return (
    <form className="sheet settings-form" onSubmit={form.submit} noValidate aria-labelledby="hours-title">
      <h2 id="hours-title" className="title-sm">
        SLA clocks
      </h2>
      {pending && (
        <Note>
          {isolated(pending.proposedBy.name)} proposed new working hours: {calendarWords(pending.workingHours)}. Nothing
          changes until another owner or admin confirms them. · <RelativeTime at={pending.proposedAt} />
        </Note>
      )}
      {canManage ? (
        <SegmentedControl
          className={styles.choice}
          label="How SLAs are measured"
          value={isOn ? 'working' : 'wall'}
          options={[
            { value: 'wall', label: CLOCKS.wall },
            { value: 'working', label: CLOCKS.working },
          ]}
          onChange={(value) => form.change({ isOn: value === 'working' })}
        />
      ) : (
        <p className="med">{isOn ? CLOCKS.working : CLOCKS.wall}</p>
      )}
      <p className="two">
        {isOn
          ? '“1 day” means one working day and “8h” eight working hours. Clocks pause outside these hours.'
          : '“1 day” is 24 hours, including nights and weekends.'}
      </p>
      {isOn && (
        <fieldset disabled={!canManage} className={styles.hoursFields}>
          <legend className="vh">Working hours</legend>
          <Field label="Time zone" error={timeZone.error}>
            {(control) => (
              <>
                <Input
                  {...control}
                  list="hours-zones"
                  autoComplete="off"
                  value={timeZone.value}
                  onChange={(event) => timeZone.onChange(event.target.value)}
                  onBlur={timeZone.onBlur}
                />
                <datalist id="hours-zones">
                  {zones().map((zone) => (
                    <option key={zone}>{zone}</option>
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <div className={styles.hoursWeek}>
            {WEEKDAYS.map((name, day) => (
              <Day
                key={name}
                name={name}
                periods={week[day] ?? []}
                errorId={weekError ? weekErrorId : undefined}
                canManage={canManage}
                onChange={(periods) => setDay(day, periods)}
              />
            ))}
            {weekError && (
              <FieldError id={weekErrorId} role="alert">
                {weekError}
              </FieldError>
            )}
          </div>
          <TextareaField
            {...form.field('holidays')}
            label="Holidays"
            hint="One date per line, for example 2026-12-25. Clocks pause on these days."
            rows={3}
          />
        </fieldset>
      )}
      {form.problem && <Note tone="bad">{form.problem}</Note>}
      {canManage && (
        <SaveButton label="Save working hours" primary={false} isPending={form.isSending} isUnchanged={isUnchanged} />
      )}
    </form>
  );
}

type DayProps = {
  name: string;
  periods: readonly PeriodFields[];
  /** The id of the error about the weekly hours. */
  errorId: string | undefined;
  canManage: boolean;
  onChange: (periods: PeriodFields[]) => void;
};

function Day({ name, periods, errorId, canManage, onChange }: DayProps) {
  const set = (at: number, change: Partial<PeriodFields>) =>
    onChange(periods.map((period, n) => (n === at ? { ...period, ...change } : period)));
  const invalid = errorId === undefined ? {} : ({ 'aria-invalid': true, 'aria-describedby': errorId } as const);
  return (
    <div className={styles.hoursDay} role="group" aria-label={name}>
      <span className="med">{name}</span>
      <div className={styles.hoursPeriods}>
        {periods.length === 0 && <span className="muted">Closed</span>}
        {periods.map((period, at) => (
          <span key={at} className={styles.hoursPeriod}>
            <Input
              {...invalid}
              type="time"
              aria-label={`${name}, from`}
              value={period.from}
              onChange={(event) => set(at, { from: event.target.value })}
            />
            <span aria-hidden="true">–</span>
            <Input
              {...invalid}
              type="time"
              aria-label={`${name}, until`}
              value={period.to}
              onChange={(event) => set(at, { to: event.target.value })}
            />
            {canManage && (
              <IconButton
                label={`Remove these hours on ${name}`}
                icon={X}
                size="sm"
                onClick={() => onChange(periods.filter((_, n) => n !== at))}
              />
            )}
          </span>
        ))}
      </div>
      {canManage && periods.length < MAX_PERIODS && (
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
