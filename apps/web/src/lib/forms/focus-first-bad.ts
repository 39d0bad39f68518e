/** Moves the focus to the first invalid field of the form once the errors are rendered. */
export function focusFirstBad(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
