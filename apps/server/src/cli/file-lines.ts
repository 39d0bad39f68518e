import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const PIECE_BYTES = 1024 * 1024;

/** A part of a file, in bytes. */
export type Span = { start: number; size: number };

/** The lines of a file. After a complete pass, `isWhole` is true if the last line ended with a line break. */
type FileLines = Iterable<string> & { isWhole: () => boolean };

/**
 * Reads the lines of a file without their line breaks. Each pass reads the file again and never loads all of it into
 * memory. Text after the last line break counts as a line too. Skips the byte order mark that some editors add. With a
 * span, reads only that part of the file.
 */
export function fileLines(path: string, { start, size }: Span = { start: 0, size: Infinity }): FileLines {
  let isWhole = false;
  const walk = function* (): Generator<string> {
    const file = openSync(path, 'r');
    try {
      const decoder = new StringDecoder('utf8');
      const piece = Buffer.alloc(PIECE_BYTES);
      let rest = '';
      let isFirst = true;
      let at = start;
      const next = (): number => readSync(file, piece, 0, Math.min(piece.length, start + size - at), at);
      for (let length = next(); length > 0; length = next()) {
        at += length;
        const text = decoder.write(piece.subarray(0, length));
        const lines = (rest + (isFirst ? text.replace(/^\u{feff}/u, '') : text)).split('\n');
        isFirst = false;
        rest = lines.pop() ?? '';
        yield* lines;
      }
      rest += decoder.end();
      isWhole = rest === '' && !isFirst;
      if (rest !== '') yield rest;
    } finally {
      closeSync(file);
    }
  };
  return { [Symbol.iterator]: walk, isWhole: () => isWhole };
}
