import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoded, jpegFrame, jpegOf, pngBomb, pngOf } from '../../testing/pictures.ts';
import { PREVIEW_LIMITS } from './limits.ts';
import { makePreview } from './make-preview.ts';
import { orientationOf } from './orientation.ts';
import { scaleDown, turnUpright } from './scale.ts';

const RED = [255, 0, 0, 255] as const;
const BLUE = [0, 0, 255, 255] as const;
const isNear = (color: number[], expected: readonly number[]): boolean =>
  color.every((value, n) => Math.abs(value - (expected[n] ?? 0)) < 25);

describe('a picture that is scaled down', () => {
  const side = fc.integer({ min: 1, max: 40 });
  const picture = fc.tuple(side, side).chain(([width, height]) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      data: fc.uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 }),
    }),
  );

  it('keeps the picture’s shape and range of colors, and limits the longest side', () => {
    fc.assert(
      fc.property(picture, fc.integer({ min: 1, max: 50 }), ({ width, height, data }, most) => {
        const opaque = data.map((value, at) => (at % 4 === 3 ? 255 : value));
        const scaled = scaleDown({ width, height, data: opaque }, most);
        expect(Math.max(scaled.width, scaled.height)).toBe(Math.min(most, Math.max(width, height)));
        expect(Math.abs(scaled.width * height - scaled.height * width)).toBeLessThanOrEqual(Math.max(width, height));
        for (let channel = 0; channel < 3; channel += 1) {
          const of = (all: Uint8Array) => all.filter((_, at) => at % 4 === channel);
          expect(Math.min(...of(scaled.data))).toBeGreaterThanOrEqual(Math.min(...of(opaque)));
          expect(Math.max(...of(scaled.data))).toBeLessThanOrEqual(Math.max(...of(opaque)));
        }
      }),
    );
  });

  it('averages areas, and replaces transparency with white', () => {
    const data = Uint8Array.from(
      [
        [0, 0, 0, 255],
        [255, 255, 255, 255],
        [9, 9, 9, 0],
        [100, 0, 0, 255],
      ].flat(),
    );
    expect([...scaleDown({ width: 2, height: 2, data }, 1).data]).toEqual([153, 128, 128, 255]);
    expect([...scaleDown({ width: 2, height: 2, data }, 2).data.subarray(8, 12)]).toEqual([255, 255, 255, 255]);
  });
});

// Exif names the sides on which the first row and the first column are seen.
it.each([
  [1, [0, 0], [1, 0]],
  [2, [2, 0], [1, 0]],
  [3, [2, 1], [1, 1]],
  [4, [0, 1], [1, 1]],
  [5, [0, 0], [0, 1]],
  [6, [1, 0], [1, 1]],
  [7, [1, 2], [1, 1]],
  [8, [0, 2], [0, 1]],
])('orientation %s shows the first two pixels at %s and %s', (orientation, first, second) => {
  const data = new Uint8Array(2 * 3 * 4);
  data[0] = 1;
  data[4] = 2;
  const turned = turnUpright({ width: 3, height: 2, data }, orientation);
  expect([turned.width, turned.height]).toEqual(orientation < 5 ? [3, 2] : [2, 3]);
  const at = (value: number) => {
    const pixel = turned.data.indexOf(value) / 4;
    return [pixel % turned.width, Math.floor(pixel / turned.width)];
  };
  expect([at(1), at(2)]).toEqual([first, second]);
});

describe('the orientation of a JPEG', () => {
  it('is read from its Exif data, and upright if they are missing, damaged or cut off', () => {
    const turned = jpegOf(8, 8, () => RED, 6);
    expect(orientationOf(turned)).toBe(6);
    expect(orientationOf(jpegOf(8, 8, () => RED))).toBe(1);
    expect(orientationOf(jpegOf(8, 8, () => RED, 77))).toBe(1);
    for (let length = 0; length < 32; length += 1) expect(orientationOf(turned.subarray(0, length))).toBe(1);
  });

  it('is between 1 and 8 for any bytes', () => {
    const start = Buffer.from('ffd8ffe1002045786966000049492a00', 'hex');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const orientation = orientationOf(Buffer.concat([start, bytes]));
        return orientation >= 1 && orientation <= 8;
      }),
    );
  });
});

describe('a preview', () => {
  it('is a small, upright JPEG of a PNG or JPEG', () => {
    const half = (x: number) => (x < 320 ? RED : BLUE);
    for (const bytes of [pngOf(640, 160, half), jpegOf(640, 160, half)]) {
      const preview = decoded(makePreview(bytes));
      expect([preview.width, preview.height]).toEqual([320, 80]);
      expect(isNear(preview.at(10, 10), RED) && isNear(preview.at(310, 70), BLUE)).toBe(true);
    }
    const turned = decoded(makePreview(jpegOf(640, 160, half, 6)));
    expect([turned.width, turned.height]).toEqual([80, 320]);
    expect(isNear(turned.at(10, 10), RED) && isNear(turned.at(70, 310), BLUE)).toBe(true);
  });

  it('doesn’t contain the Exif data of the image', () => {
    const bytes = jpegOf(8, 8, () => RED, 1);
    expect(bytes.includes('Exif')).toBe(true);
    expect(makePreview(bytes)?.includes('Exif')).toBe(false);
  });

  const image = pngOf(20, 20, () => RED);
  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('an image')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;', 'latin1')],
    ['a compressed PNG', gzipSync(image)],
    ['the signature of a PNG', image.subarray(0, 8)],
    ['the signature of a JPEG', Buffer.from('ffd8ff', 'hex')],
    ['a PNG that is cut off', image.subarray(0, image.length - 20)],
    ['a PNG with too many pixels', pngBomb({ width: 4001, height: 4000, bytes: 100 })],
    ['a PNG without pixels', pngBomb({ width: 0, height: 0 })],
    ['an interlaced PNG', pngBomb({ isInterlaced: true, bytes: 5 })],
    ['a JPEG with too many pixels', jpegFrame(4001, 4000, 3)],
    ['a JPEG without pixels', jpegFrame(0, 0, 3)],
    ['a JPEG without image data', jpegFrame(10, 10, 0)],
  ])('doesn’t exist for %s', (_, bytes) => {
    expect(makePreview(bytes)).toBeNull();
  });

  it('is never larger than a stored preview can be', () => {
    // Noise is the worst case for JPEG.
    let state = 1;
    const noise = () => ((state = (state * 1_103_515_245 + 12_345) % 2 ** 31) >> 8) & 255;
    const bytes = pngOf(320, 320, () => [noise(), noise(), noise(), 255]);
    expect(makePreview(bytes)?.length).toBeLessThan(PREVIEW_LIMITS.bytes);
  });
});
