/** Limits of a preview, and of the process that makes it. */
export const PREVIEW_LIMITS = {
  /** The longest side, in pixels. */
  side: 320,
  /** Pixels of the image. A phone takes photos of 12 megapixels. */
  pixels: 16_000_000,
  /** Resident memory of the process. Decoding 12 megapixels takes about 300 MB, and without subsampling 490 MB. */
  memoryMb: 512,
  /** JavaScript heap of the process. The pixels aren't part of it. */
  heapMb: 192,
  /** From the time when the process is ready to the last byte of the preview. */
  ms: 30_000,
  /** Size of a preview in bytes. */
  bytes: 128 * 1024,
} as const;
