import { evaluate, FeelDate, FeelDateTime, FeelDuration, FeelRange, FeelTime, isFunction } from 'feelin';
import { checkExpression, type ExpressionNames, type ExpressionProblem } from './check-expression.ts';

export type Evaluated<Value> = { ok: true; value: Value } | { ok: false; problem: ExpressionProblem };

/**
 * Returns the value of a FEEL expression: JSON, with dates and durations as text. An unknown name is null, as in FEEL.
 * Refused, with the position of the problem, if the syntax is wrong, the value is null for a reason that FEEL reports,
 * or the value is a function. Evaluation has no time limit, so callers have to set one.
 */
export function evaluateExpression(text: string, names: ExpressionNames): Evaluated<unknown> {
  const [problem] = checkExpression(text, names);
  if (problem) return { ok: false, problem };
  try {
    const { value, warnings } = evaluate(text, { ...names });
    const [warning] = warnings;
    if (value === null && warning) return refused(text, warning.message, warning.position);
    if (isOneToCall(value)) return refused(text, 'This is a function, not a value');
    return { ok: true, value: plain(value) };
  } catch (error) {
    return refused(text, error instanceof Error ? error.message : 'The expression could not be evaluated');
  }
}

/**
 * Returns whether a condition is true. Refused if the value is neither true nor false: comparing incompatible values
 * gives null, which is not a decision.
 */
export function evaluateCondition(text: string, names: ExpressionNames): Evaluated<boolean> {
  const evaluated = evaluateExpression(text, names);
  if (!evaluated.ok) return evaluated;
  const { value } = evaluated;
  if (typeof value === 'boolean') return { ok: true, value };
  return refused(text, `A condition must be true or false, but this is ${inWords(value)}`);
}

function refused(
  text: string,
  problem: string,
  place = { from: 0, to: text.length },
): { ok: false; problem: ExpressionProblem } {
  return { ok: false, problem: { from: place.from, to: place.to, problem } };
}

function inWords(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a context';
  return `${typeof value === 'string' ? 'the text' : 'the number'} ${JSON.stringify(value)?.slice(0, 60) ?? ''}`;
}

function plain(value: unknown): unknown {
  if (isOneToCall(value)) return null;
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (isWritten(value)) return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** FEEL's own types, which can all be converted to text. */
const WRITTEN = [FeelDate, FeelDateTime, FeelTime, FeelDuration, FeelRange] as const;
type Written = InstanceType<(typeof WRITTEN)[number]>;

/** FEEL has two kinds of functions: those defined by an expression, and unary tests for decision tables. */
function isOneToCall(value: unknown): boolean {
  return typeof value === 'function' || isFunction(value);
}

function isWritten(value: object): value is Written {
  return WRITTEN.some((kind) => value instanceof kind);
}
