import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { PREVIEW_LIMITS } from './limits.ts';
import { orientationOf } from './orientation.ts';
import { type Picture, scaleDown, turnUpright } from './scale.ts';

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG_SIGNATURE = Buffer.from('ffd8ff', 'hex');
const QUALITY = 75;

/**
 * Returns a small JPEG of a PNG or JPEG, without the image's metadata. Null if the bytes are something else or an
 * interlaced PNG, are damaged, or have no or too many pixels. The type follows from the bytes. Decoders work on hostile
 * bytes here, so this runs only in the process for previews.
 */
export function makePreview(bytes: Buffer): Buffer | null {
  try {
    const picture = startsWith(bytes, PNG_SIGNATURE)
      ? decodePng(bytes)
      : startsWith(bytes, JPEG_SIGNATURE)
        ? decodeJpeg(bytes)
        : null;
    if (!picture || picture.width < 1 || picture.height < 1) return null;
    const orientation = startsWith(bytes, JPEG_SIGNATURE) ? orientationOf(bytes) : 1;
    const preview = turnUpright(scaleDown(picture, PREVIEW_LIMITS.side), orientation);
    return jpeg.encode(preview, QUALITY).data;
  } catch {
    // The decoders throw errors of all kinds for damaged images.
    return null;
  }
}

const startsWith = (bytes: Buffer, signature: Buffer): boolean => bytes.subarray(0, signature.length).equals(signature);

/** The decoder inflates an interlaced image without a limit before it compares the size, so such images are refused. */
function decodePng(bytes: Buffer): Picture | null {
  const isHeaderFirst = bytes.toString('latin1', 12, 16) === 'IHDR';
  const isInterlaced = bytes.readUInt8(28) !== 0;
  const pixels = bytes.readUInt32BE(16) * bytes.readUInt32BE(20);
  return isHeaderFirst && !isInterlaced && pixels <= PREVIEW_LIMITS.pixels ? PNG.sync.read(bytes) : null;
}

const decodeJpeg = (bytes: Buffer): Picture =>
  jpeg.decode(bytes, {
    useTArray: true,
    maxResolutionInMP: PREVIEW_LIMITS.pixels / 1e6,
    maxMemoryUsageInMB: PREVIEW_LIMITS.memoryMb,
  });
