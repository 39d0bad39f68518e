import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const PIECE_BYTES = 1024 * 1024;

/**
 * The lines of a file without their breaks, read anew each time they are walked, and never all in memory. What stands
 * behind the last break is a line too, where there is anything.
 */
export const fileLines = (path: string): Iterable<string> => ({
  *[Symbol.iterator]() {
    const file = openSync(path, 'r');
    try {
      const decoder = new StringDecoder('utf8');
      const piece = Buffer.alloc(PIECE_BYTES);
      let rest = '';
      for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) {
        const lines = (rest + decoder.write(piece.subarray(0, length))).split('\n');
        rest = lines.pop() ?? '';
        yield* lines;
      }
      rest += decoder.end();
      if (rest !== '') yield rest;
    } finally {
      closeSync(file);
    }
  },
});
