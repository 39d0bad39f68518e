import { Refused } from '../kernel/refused.ts';

/** Levels of a request body; deeper ones are nobody's work. */
const MAX_DEPTH = 64;
const ZERO = '\u0000';

/**
 * Refuses what can't be stored and hashed as it came: half a surrogate pair, a zero character, a number past all bounds,
 * endless nesting.
 * Walks with a list of its own: a body may be deeper than the stack.
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

/** JSON can write 1e999; read, it is infinite, and no JSON any more. */
function assertNumber(number: number): void {
  if (Number.isFinite(number)) return;
  throw new Refused({
    code: 'invalid',
    problems: [{ field: '', problem: 'The request has a number that is too large' }],
  });
}

function assertText(text: string): void {
  if (text.isWellFormed() && !text.includes(ZERO)) return;
  throw new Refused({
    code: 'invalid',
    problems: [{ field: '', problem: 'The request has a character that is not text' }],
  });
}
