/** Puts text on the clipboard; false where the browser won't, as on pages over plain HTTP from another host. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
