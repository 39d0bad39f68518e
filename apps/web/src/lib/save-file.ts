/** Saves content as a file, like a download. */
export function saveFile(content: Blob, fileName: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser reads the URL later, so it must not be revoked immediately.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
