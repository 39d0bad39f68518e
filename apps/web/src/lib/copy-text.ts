/**
 * Copies text to the clipboard. Returns false if the browser refuses, for example because the page uses plain HTTP from
 * another host.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
