/**
 * Whether the screen has unsaved changes. Screens with unsaved changes cancel `beforeunload`, so this dispatches that
 * event without leaving the page.
 */
export function hasUnsavedWork(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
