/**
 * Whether the screen has unsaved changes. Screens show that by cancelling `beforeunload`, which this dispatches without
 * leaving.
 */
export function hasUnsavedWork(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
