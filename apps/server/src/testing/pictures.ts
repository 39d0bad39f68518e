import { deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';

type Rgba = readonly [number, number, number, number];
type ColorAt = (x: number, y: number) => Rgba;

function pixels(width: number, height: number, colorAt: ColorAt): Buffer {
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) data.set(colorAt(x, y), (y * width + x) * 4);
  return data;
}

export const pngOf = (width: number, height: number, colorAt: ColorAt): Buffer =>
  PNG.sync.write(Object.assign(new PNG({ width, height }), { data: pixels(width, height, colorAt) }));

/** Encodes a JPEG, with an Exif orientation if one is given. */
export function jpegOf(width: number, height: number, colorAt: ColorAt, orientation?: number): Buffer {
  const { data } = jpeg.encode({ width, height, data: pixels(width, height, colorAt) }, 90);
  if (orientation === undefined) return data;
  const exif = Buffer.from(
    '457869660000' + '4d4d002a00000008' + '0001' + '0112000300000001' + '00000000' + '00000000',
    'hex',
  );
  exif.writeUInt16BE(orientation, exif.length - 8);
  const segment = Buffer.from('ffe10000', 'hex');
  segment.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([data.subarray(0, 2), segment, exif, data.subarray(2)]);
}

/** The pixels of a JPEG. */
export function decoded(bytes: Buffer | null): {
  width: number;
  height: number;
  at: (x: number, y: number) => number[];
} {
  if (!bytes) throw new Error('there is no picture');
  const { width, height, data } = jpeg.decode(bytes, { useTArray: true });
  return { width, height, at: (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)] };
}

const crcTable = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
const crcOf = (bytes: Buffer): number =>
  (bytes.reduce((crc, byte) => (crcTable[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crcOf(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** A PNG with a valid header, and image data of `bytes` zero bytes, which may not match the size in the header. */
export function pngBomb({ width = 1, height = 1, isInterlaced = false, bytes = 0 }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, isInterlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(bytes))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The headers of a JPEG with this size and number of components, without image data. */
export function jpegFrame(width: number, height: number, components: number): Buffer {
  const frame = Buffer.alloc(10 + components * 3);
  frame.writeUInt16BE(0xffc0, 0);
  frame.writeUInt16BE(8 + components * 3, 2);
  frame.writeUInt8(8, 4);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  frame.writeUInt8(components, 9);
  for (let n = 0; n < components; n += 1) frame.set([n + 1, 0x11, 0], 10 + n * 3);
  return Buffer.concat([Buffer.from('ffd8', 'hex'), frame, Buffer.from('ffd9', 'hex')]);
}
