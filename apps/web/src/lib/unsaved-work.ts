/** Whether the screen has something to lose. Screens say so by holding up `beforeunload`, which this asks without leaving. */
export function hasUnsavedWork(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
