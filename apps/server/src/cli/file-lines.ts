import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const PIECE_BYTES = 1024 * 1024;

/** Lines, and, once they were walked to the end, whether the last one had its break. */
type FileLines = Iterable<string> & { isWhole: () => boolean };

/**
 * The lines of a file without their breaks, read anew each time they are walked, and never all in memory. What stands
 * behind the last break is a line too, where there is anything. A byte order mark, which editors put before a text, is none
 * of it.
 */
export function fileLines(path: string): FileLines {
  let isWhole = false;
  const walk = function* (): Generator<string> {
    const file = openSync(path, 'r');
    try {
      const decoder = new StringDecoder('utf8');
      const piece = Buffer.alloc(PIECE_BYTES);
      let rest = '';
      let isFirst = true;
      for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) {
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
