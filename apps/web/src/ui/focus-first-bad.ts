/** Moves focus to the first field of the form that has a problem, once the problems are on the page. */
export function focusFirstBad(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
