import { expect, test } from 'vitest';
import { formOf, hoursOf, hoursProblems } from './working-hours-fields.ts';

const HOURS = {
  timeZone: 'Europe/Berlin',
  week: [
    [
      { from: 480, to: 720 },
      { from: 780, to: 1440 },
    ],
    [],
    [],
    [],
    [{ from: 0, to: 1440 }],
    [],
    [],
  ],
  holidays: ['2026-12-25'],
};

test('converts saved hours to fields and back, including midnight', () => {
  expect(hoursOf(formOf(HOURS, 'UTC'))).toEqual(HOURS);
  expect(formOf(HOURS, 'UTC').week[0]).toEqual([
    { from: '08:00', to: '12:00' },
    { from: '13:00', to: '00:00' },
  ]);
});

test('has no working hours while they are off, and suggests valid ones when they are turned on', () => {
  const form = formOf(null, 'Europe/Paris');
  expect(hoursOf(form)).toBeNull();
  expect(hoursProblems({ ...form, isOn: true })).toEqual({});
  expect(hoursOf({ ...form, isOn: true })?.timeZone).toBe('Europe/Paris');
});

test('sorts periods and holidays, and accepts commas and line breaks between holidays', () => {
  const form = formOf(HOURS, 'UTC');
  const read = hoursOf({
    ...form,
    week: [
      [
        { from: '13:00', to: '17:00' },
        { from: '09:00', to: '12:00' },
      ],
      [],
      [],
      [],
      [],
      [],
      [],
    ],
    holidays: '2026-12-26, 2026-12-25\n2026-12-26',
  });
  expect(read?.week[0]).toEqual([
    { from: 540, to: 720 },
    { from: 780, to: 1020 },
  ]);
  expect(read?.holidays).toEqual(['2026-12-25', '2026-12-26']);
});

test('reports an invalid holiday, period and time zone', () => {
  const form = formOf(HOURS, 'UTC');
  expect(hoursProblems({ ...form, holidays: 'Christmas' })).toEqual({
    holidays: 'A holiday must be a date, for example 2026-12-25',
  });
  expect(hoursProblems({ ...form, week: [[{ from: '', to: '10:00' }], [], [], [], [], [], []] }).week).toMatch(
    /end after/,
  );
  expect(hoursProblems({ ...form, timeZone: 'Berlin' })).toEqual({ timeZone: 'Unknown time zone' });
});
