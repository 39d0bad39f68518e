/** Makes small pictures of images that people upload. */
export type Previews = {
  /**
   * Decodes a PNG or JPEG in a separate process, which is killed if it needs too much time or memory. If the server is
   * root, the process runs as a user that owns no files. Resolves to a JPEG of at most `PREVIEW_LIMITS.side` pixels on
   * each side, or to null if the bytes can't be decoded within the limits. Rejects if the process doesn't start, ends
   * before it has read all bytes, or if the bytes can't be read; the caller can retry.
   */
  make: (bytes: AsyncIterable<Uint8Array>) => Promise<Buffer | null>;
  /** Ends everything that is running. The calls then reject. */
  close: () => Promise<void>;
};
