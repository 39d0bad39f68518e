import { Refused } from '../kernel/refused.ts';

/** Maximum nesting of a request body. Our clients' requests are never nested deeper. */
const MAX_DEPTH = 64;
const ZERO = '\u0000';

/**
 * Refuses values that can't be stored and hashed unchanged: lone surrogates, NUL characters, numbers that are too
 * large, and excessive nesting. Uses a list instead of recursion, because a body can be nested deeper than the stack
 * allows.
 */
export function assertStorable(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      throw new Refused({ code: 'invalid', problems: [{ field: '', problem: 'The request is nested too deeply' }] });
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item === 'string') assertText(item);
      else if (typeof item === 'number') assertNumber(item);
      else if (Array.isArray(item)) for (const inner of item) next.push(inner);
      else if (typeof item === 'object' && item !== null) {
        for (const [key, inner] of Object.entries(item)) {
          assertText(key);
          next.push(inner);
        }
      }
    }
    level = next;
  }
}

/** JSON can contain 1e999, which is parsed as Infinity and can't be written as JSON again. */
function assertNumber(number: number): void {
  if (Number.isFinite(number)) return;
  throw new Refused({
    code: 'invalid',
    problems: [{ field: '', problem: 'The request contains a number that is too large' }],
  });
}

function assertText(text: string): void {
  if (text.isWellFormed() && !text.includes(ZERO)) return;
  throw new Refused({
    code: 'invalid',
    problems: [{ field: '', problem: 'The request contains a character that is not valid text' }],
  });
}
