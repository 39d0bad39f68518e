/** A picture with four bytes per pixel: red, green, blue and opacity. */
export type Picture = { width: number; height: number; data: Uint8Array };

/**
 * Scales a picture down so that no side is longer than `side`: each pixel is the average of an area, on white. A
 * smaller picture keeps its size.
 */
export function scaleDown({ width, height, data }: Picture, side: number): Picture {
  const factor = Math.min(1, side / Math.max(width, height));
  const [toWidth, toHeight] = [width, height].map((length) => Math.max(1, Math.round(length * factor))) as [
    number,
    number,
  ];
  const scaled = new Uint8Array(toWidth * toHeight * 4);
  for (let y = 0, to = 0; y < toHeight; y += 1) {
    const [top, bottom] = [Math.floor((y * height) / toHeight), Math.floor(((y + 1) * height) / toHeight)];
    for (let x = 0; x < toWidth; x += 1, to += 4) {
      const [left, right] = [Math.floor((x * width) / toWidth), Math.floor(((x + 1) * width) / toWidth)];
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let row = top; row < bottom; row += 1) {
        const end = (row * width + right) * 4;
        for (let at = (row * width + left) * 4; at < end; at += 4) {
          const opacity = data[at + 3] ?? 0;
          red += ((data[at] ?? 0) - 255) * opacity;
          green += ((data[at + 1] ?? 0) - 255) * opacity;
          blue += ((data[at + 2] ?? 0) - 255) * opacity;
        }
      }
      const area = (bottom - top) * (right - left) * 255;
      scaled[to] = Math.round(255 + red / area);
      scaled[to + 1] = Math.round(255 + green / area);
      scaled[to + 2] = Math.round(255 + blue / area);
      scaled[to + 3] = 255;
    }
  }
  return { width: toWidth, height: toHeight, data: scaled };
}

/** Turns and mirrors a picture as its Exif orientation requires, from 1 (not at all) to 8. */
export function turnUpright({ width, height, data }: Picture, orientation: number): Picture {
  if (orientation === 1) return { width, height, data };
  const isTurned = orientation >= 5;
  const [toWidth, toHeight] = isTurned ? [height, width] : [width, height];
  const fromRight = [2, 3, 7, 8].includes(orientation);
  const fromBottom = [3, 4, 6, 7].includes(orientation);
  const turned = new Uint8Array(data.length);
  for (let y = 0, to = 0; y < toHeight; y += 1) {
    for (let x = 0; x < toWidth; x += 1, to += 4) {
      const [column, row] = isTurned ? [y, x] : [x, y];
      const at = ((fromBottom ? height - 1 - row : row) * width + (fromRight ? width - 1 - column : column)) * 4;
      turned.set(data.subarray(at, at + 4), to);
    }
  }
  return { width: toWidth, height: toHeight, data: turned };
}
