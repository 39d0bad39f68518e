import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';

/** The description that a screen reader announces after a field's label. */
const descriptionOf = (field: HTMLElement): string =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ');

/** Waits until a field shows this error and has the focus. */
export async function problemAt(label: string | RegExp, sentence: string, place?: HTMLElement): Promise<void> {
  await waitFor(() => {
    const field = (place ? within(place) : screen).getByLabelText(label);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(descriptionOf(field)).toContain(sentence);
    expect(document.activeElement).toBe(field);
  });
}

/** Checks that a field shows no error. */
export function expectFine(label: string | RegExp, place?: HTMLElement): void {
  expect((place ? within(place) : screen).getByLabelText(label).getAttribute('aria-invalid')).toBeNull();
}
