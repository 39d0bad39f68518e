import { deflateSync, gzipSync } from 'node:zlib';
import { jpegFrame, jpegOf, pngBomb, pngOf } from '../../apps/server/src/testing/pictures.ts';

/** A path that no harmless file requests. */
export const CANARY_PATH = '/hostile-file-was-executed';

/** Requests the canary and shows a dialog, wherever it is executed. */
const SCRIPT = `try{top.executed=1}catch(e){}try{new Image().src='${CANARY_PATH}'}catch(e){}try{alert('executed')}catch(e){}`;

export type HostileFile = { kind: string; name: string; bytes: Buffer };

/** A repeatable sequence of integers from 0 up to, but not including, `below` (mulberry32). */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const text = (content: string): Buffer => Buffer.from(content, 'utf8');
const bytes = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const SVG = 'xmlns="http://www.w3.org/2000/svg"';

/** A chunk of a PNG. Its checksum is wrong, so a decoder has to notice that. */
function pngChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return bytes(length, type, data, Buffer.alloc(4));
}

const header = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 6, 0, 0, 0], 8);
  return data;
};

const pdf = (action: string): Buffer =>
  text(
    `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction ${action}/AA<</WC ${action}>>>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/AA<</O ${action}>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`,
  );

const stripes = (x: number, y: number) => [x & 255, y & 255, (x * y) & 255, 255] as const;

/**
 * Files by kind. Each tries to be executed by a browser or on the machine that downloads it, or to crash a program that
 * decodes it or exhaust its memory.
 */
const KINDS: Readonly<Record<string, () => Buffer>> = {
  svg: () => text(`<svg ${SVG}><script>${SCRIPT}</script></svg>`),
  'svg with a handler': () => text(`<svg ${SVG} onload="${SCRIPT}"><rect width="9" height="9"/></svg>`),
  'svg with html': () =>
    text(
      `<svg ${SVG}><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></body></foreignObject></svg>`,
    ),
  'compressed svg': () => gzipSync(text(`<svg ${SVG} onload="${SCRIPT}"/>`)),
  html: () => text(`<!doctype html><script>${SCRIPT}</script>`),
  'html with handlers': () => text(`<img src=x onerror="${SCRIPT}"><body onload="${SCRIPT}">`),
  'html that redirects': () => text(`<meta http-equiv=refresh content="0;url=${CANARY_PATH}">`),
  'html in UTF-16': () => bytes('\xff\xfe', Buffer.from(`<script>${SCRIPT}</script>`, 'utf16le')),
  'html in UTF-7': () => text(`+ADw-script+AD4-${SCRIPT}+ADw-/script+AD4-`),
  xhtml: () =>
    text(`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></html>`),
  'xml with a style sheet': () => text(`<?xml version="1.0"?><?xml-stylesheet href="${CANARY_PATH}"?><a/>`),
  'xml bomb': () =>
    text(
      `<!DOCTYPE a [<!ENTITY b0 "x">${Array.from({ length: 20 }, (_, n) => `<!ENTITY b${n + 1} "${`&b${n};`.repeat(10)}">`).join('')}]><a>&b20;</a>`,
    ),
  javascript: () => text(SCRIPT),
  css: () => text(`@import url(${CANARY_PATH});body{background:url(${CANARY_PATH})}`),
  mhtml: () => text(`MIME-Version: 1.0\nContent-Type: text/html\n\n<script>${SCRIPT}</script>`),
  'pdf with a script': () => pdf(`<</S/JavaScript/JS(${SCRIPT.replaceAll(/[()\\]/g, '\\$&')})>>`),
  'pdf that starts a program': () => pdf('<</S/Launch/F(calc.exe)>>'),
  'pdf that opens an address': () => pdf(`<</S/URI/URI(http://127.0.0.1${CANARY_PATH})>>`),
  'pdf with html': () => bytes(`%PDF-1.4\n<script>${SCRIPT}</script>\n%%EOF`),
  'pdf bomb': () => bytes('%PDF-1.7\n1 0 obj<</Filter/FlateDecode>>stream\n', deflateSync(Buffer.alloc(4_000_000))),
  'gif with a script': () => bytes(`GIF89a/*`, Buffer.alloc(9), `*/=1;${SCRIPT}`),
  'gif with html': () => bytes('GIF89a', Buffer.alloc(7), `<script>${SCRIPT}</script>`),
  'gif bomb': () => bytes('GIF89a', Buffer.from('ffffffff800000', 'hex'), Buffer.alloc(6), ',', Buffer.alloc(90)),
  'jpeg with html': () =>
    bytes(Buffer.from('ffd8fffe00ff', 'hex'), `<script>${SCRIPT}</script>`, Buffer.from('ffd9', 'hex')),
  'jpeg with a huge frame': () =>
    bytes(
      Buffer.from('ffd8ffc00011 08 ffff ffff 03 011100 021100 031100'.replaceAll(' ', ''), 'hex'),
      Buffer.alloc(64),
    ),
  'png with html': () =>
    bytes(PNG, pngChunk('IHDR', header(1, 1)), pngChunk('tEXt', text(`<script>${SCRIPT}</script>`))),
  'png bomb': () =>
    bytes(
      PNG,
      pngChunk('IHDR', header(65_535, 65_535)),
      pngChunk('IDAT', deflateSync(Buffer.alloc(8_000_000))),
      pngChunk('IEND', Buffer.alloc(0)),
    ),
  // The next three have valid checksums, so the preview decoder doesn't refuse them because of those.
  'png with too many bytes': () => pngBomb({ width: 4000, height: 4000, bytes: 100_000_000 }),
  'png with few bytes': () => pngBomb({ width: 4000, height: 4000, bytes: 9 }),
  'interlaced png bomb': () => pngBomb({ width: 9, height: 9, isInterlaced: true, bytes: 100_000_000 }),
  'png that is a page too': () => bytes(pngOf(64, 64, stripes), `<script>${SCRIPT}</script>`),
  'png that is cut off': () => pngOf(64, 64, stripes).subarray(0, 80),
  'jpeg of many components': () => jpegFrame(4000, 4000, 9),
  'jpeg that is a page too': () => bytes(jpegOf(64, 64, stripes), `<script>${SCRIPT}</script>`),
  'jpeg that is cut off': () => jpegOf(64, 64, stripes).subarray(0, 700),
  'webp with html': () => bytes('RIFF\x20\0\0\0WEBPVP8 ', `<script>${SCRIPT}</script>`),
  'heic with html': () => bytes('\0\0\0\x18ftypheic', `<script>${SCRIPT}</script>`),
  'zip bomb': () => gzipSync(gzipSync(Buffer.alloc(8_000_000))),
  'nested json': () => text('['.repeat(100_000)),
  wasm: () => bytes('\0asm\x01\0\0\0', Buffer.alloc(64)),
  program: () => bytes('MZ', Buffer.alloc(200), SCRIPT),
  'shell script': () => text(`#!/bin/sh\ncurl http://127.0.0.1${CANARY_PATH}\n`),
};

const NAMES: readonly string[] = [
  'offer.pdf',
  'photo.svg',
  'page.html',
  'invoice\u202Efdp.exe',
  '\u2067right to left\u2069.png',
  '../../etc/passwd',
  'C:\\Windows\\system32\\evil.dll',
  '..',
  'a\r\nSet-Cookie: stolen=1\r\n\r\n<script>.html',
  '"; filename=evil.html; x="',
  "'%0d%0aX: 1;.svg",
  '<img src=x onerror=alert(1)>.jpg',
  'tab\tand\u0007bell.png',
  'zero\u200Bwidth\u2060.pdf',
  '名前.html',
  '😀'.repeat(60),
  `${'a'.repeat(250)}.htm`,
  'file.html;.png',
  ' .htaccess ',
  'con.html',
];

/**
 * Returns `count` different files. They cycle through the kinds and have hostile names. From the second round on, most
 * of them are damaged at random.
 */
export function hostileFiles(count: number, seed: number): HostileFile[] {
  const random = numbersFrom(seed);
  const kinds = Object.entries(KINDS);
  return Array.from({ length: count }, (_, n) => {
    const [kind, make] = kinds[n % kinds.length] as (typeof kinds)[number];
    const made = make();
    // The first round is undamaged. The appended number makes every file different from all others.
    if (n >= kinds.length)
      for (let change = random(4); change > 0; change -= 1) made[random(made.length)] = random(256);
    return { kind, name: NAMES[random(NAMES.length)] ?? 'x', bytes: bytes(made, `\n<!-- ${n} -->`) };
  });
}
