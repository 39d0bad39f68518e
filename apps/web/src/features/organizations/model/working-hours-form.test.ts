import { expect, test } from 'vitest';
import { formOf, hoursOf, hoursProblem } from './working-hours-form.ts';

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

test('saved hours are shown and read again, midnight too', () => {
  expect(hoursOf(formOf(HOURS, 'UTC'))).toEqual(HOURS);
  expect(formOf(HOURS, 'UTC').week[0]).toEqual([
    { from: '08:00', to: '12:00' },
    { from: '13:00', to: '00:00' },
  ]);
});

test('without hours the wall counts, and an office week is proposed', () => {
  const form = formOf(null, 'Europe/Paris');
  expect(hoursOf(form)).toBeNull();
  expect(hoursProblem({ ...form, isOn: true })).toBeNull();
  expect(hoursOf({ ...form, isOn: true })?.timeZone).toBe('Europe/Paris');
});

test('periods are put in order, and holidays are read however they are separated', () => {
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

test('what is wrong is said', () => {
  const form = formOf(HOURS, 'UTC');
  expect(hoursProblem({ ...form, holidays: 'Christmas' })).toBe('A holiday is a day such as 2026-12-25');
  expect(hoursProblem({ ...form, week: [[{ from: '', to: '10:00' }], [], [], [], [], [], []] })).toMatch(/end after/);
  expect(hoursProblem({ ...form, timeZone: 'Berlin' })).toBe('This time zone is not known');
});
