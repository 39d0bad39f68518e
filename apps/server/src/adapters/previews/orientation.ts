const EXIF = 'Exif\0\0';
const ORIENTATION = 0x0112;

/**
 * Returns how a JPEG has to be turned to be upright, from 1 to 8 (Exif 2.32, tag 274). Returns 1 (not at all) if its
 * Exif data are missing or unreadable.
 */
export function orientationOf(jpeg: Buffer): number {
  try {
    for (let at = 2; jpeg.readUInt8(at) === 0xff; at += 2 + jpeg.readUInt16BE(at + 2)) {
      const marker = jpeg.readUInt8(at + 1);
      // The image data follow the headers.
      if (marker === 0xda) return 1;
      if (marker === 0xe1 && jpeg.toString('latin1', at + 4, at + 10) === EXIF)
        return orientationInTiff(jpeg.subarray(at + 10, at + 2 + jpeg.readUInt16BE(at + 2)));
    }
  } catch (error) {
    // The file ends within its headers.
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

function orientationInTiff(tiff: Buffer): number {
  const isLittleEndian = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number): number => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = short(directory);
  for (let n = 0; n < entries; n += 1) {
    const entry = directory + 2 + n * 12;
    if (short(entry) !== ORIENTATION) continue;
    const value = short(entry + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
