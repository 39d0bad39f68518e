import type { Step } from '@stet/domain/steps';

/**
 * Names the values of a run: steps by their titles, and outputs by the labels of `steps`. If an id occurs twice, the
 * last step counts.
 */
export type ValueNames = { titleOf: (stepId: string) => string; steps: readonly Step[] };

/** A value of a run: an output of a step or, without a step, a property of the run itself. */
export type ValuePath = { stepId: string | null; parts: readonly string[] };

const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const;
const TEXT_TESTS = ['contains', 'starts with', 'ends with', 'list contains'] as const;
export type Operator = (typeof COMPARISONS)[number] | (typeof TEXT_TESTS)[number];

/** `as`: the expression converts the value to a number or to one case first. */
export type Tested = { path: ValuePath; as?: 'number' | 'one case' };
export type Literal = string | number | boolean | null;
export type Operand = Tested | { value: Literal } | { date: string };
export type Comparison = { tested: Tested; operator: Operator; to: Operand; text: string };
export type ConditionTree =
  | { kind: 'comparison'; comparison: Comparison }
  | { kind: 'and' | 'or'; parts: readonly ConditionTree[] }
  | { kind: 'not' | 'group'; inner: ConditionTree };

const MIRRORED = { '=': '=', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** Returns the structure of an expression. Null unless it is made of simple comparisons, `and`, `or` and `not`. */
export function readCondition(expression: string, names: ValueNames): ConditionTree | null {
  const tokens = tokensOf(expression);
  if (tokens === null || tokens.length === 0) return null;
  const reader = new Reader(expression, tokens, names);
  const tree = reader.alternatives();
  return tree !== null && reader.isAtEnd() ? tree : null;
}

/** True for an operator between two values. */
export const isComparison = (text: string): text is (typeof COMPARISONS)[number] =>
  (COMPARISONS as readonly string[]).includes(text);

type Token = { kind: 'name' | 'text' | 'number' | 'sign'; text: string; from: number; to: number };

function tokensOf(expression: string): Token[] | null {
  const pattern = /\s+|("(?:[^"\\]|\\.)*")|(\d+(?:\.\d+)?)|([A-Za-z_][\w-]*)|(!=|<=|>=|[=<>().,-])/gy;
  const tokens: Token[] = [];
  let end = 0;
  for (const match of expression.matchAll(pattern)) {
    const [found, text, number, name, sign] = match;
    const at = { from: match.index, to: match.index + found.length };
    end = at.to;
    if (text !== undefined) {
      const value = stringOf(text);
      if (value === null) return null;
      tokens.push({ kind: 'text', text: value, ...at });
    } else if (number !== undefined) tokens.push({ kind: 'number', text: number, ...at });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, ...at });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, ...at });
  }
  return end === expression.length ? tokens : null;
}

function stringOf(quoted: string): string | null {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return null;
  }
}

/** Returns the value that a dotted name refers to. Null if it is neither an output nor a value of the run. */
export function valueNamed([first = '', ...rest]: readonly string[], names: ValueNames): ValuePath | null {
  const { titleOf, steps } = names;
  if (rest.length === 0) return null;
  if (first === 'run') return { stepId: null, parts: rest };
  const isStep = (id: string): boolean => titleOf(id) !== id || steps.some((step) => step.id === id);
  if (first === 'outputs' && rest[0] !== undefined && isStep(rest[0])) return { stepId: rest[0], parts: rest.slice(1) };
  return isStep(first) ? { stepId: first, parts: rest } : null;
}

/** Reads tokens from left to right. The methods that read a part return null if it isn't made of simple comparisons. */
class Reader {
  private at = 0;
  private readonly expression: string;
  private readonly tokens: readonly Token[];
  private readonly names: ValueNames;

  constructor(expression: string, tokens: readonly Token[], names: ValueNames) {
    this.expression = expression;
    this.tokens = tokens;
    this.names = names;
  }

  isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  alternatives(): ConditionTree | null {
    return this.chain('or', () => this.chain('and', () => this.statement()));
  }

  private chain(word: 'and' | 'or', readPart: () => ConditionTree | null): ConditionTree | null {
    const parts: ConditionTree[] = [];
    do {
      const part = readPart();
      if (part === null) return null;
      parts.push(part);
    } while (this.take('name', word));
    const [first] = parts;
    return first !== undefined && parts.length === 1 ? first : { kind: word, parts };
  }

  private statement(): ConditionTree | null {
    if (this.take('name', 'not')) return this.inParentheses('not');
    if (this.peek('sign', '(')) return this.inParentheses('group');
    const from = this.tokens[this.at]?.from ?? 0;
    const read = this.textTest() ?? this.comparison();
    if (read === null) return null;
    const text = this.expression.slice(from, this.tokens[this.at - 1]?.to);
    return { kind: 'comparison', comparison: { ...read, text } };
  }

  private inParentheses(kind: 'not' | 'group'): ConditionTree | null {
    if (!this.take('sign', '(')) return null;
    const inner = this.alternatives();
    return inner !== null && this.take('sign', ')') ? { kind, inner } : null;
  }

  private textTest(): Omit<Comparison, 'text'> | null {
    const begun = this.at;
    const operator = TEXT_TESTS.find((words) => this.takeAll(words.split(' ')));
    const tested = operator !== undefined && this.take('sign', '(') ? this.operand() : null;
    const text = tested !== null && 'path' in tested && this.take('sign', ',') ? this.next('text') : null;
    if (operator !== undefined && tested !== null && 'path' in tested && text !== null && this.take('sign', ')'))
      return { tested, operator, to: { value: text } };
    // The tokens may still be a comparison, because a step's id can be `contains`.
    this.at = begun;
    return null;
  }

  private comparison(): Omit<Comparison, 'text'> | null {
    const left = this.operand();
    if (left === null) return null;
    const sign = this.tokens[this.at];
    if (sign?.kind !== 'sign' || !isComparison(sign.text))
      return 'path' in left ? { tested: left, operator: '=', to: { value: true } } : null;
    this.at += 1;
    const right = this.operand();
    if (right === null) return null;
    const [tested, operator, to] =
      'path' in left ? [left, sign.text, right] : ([right, MIRRORED[sign.text], left] as const);
    // FEEL has no order of true, false and null.
    const hasOrder = !('value' in to) || (to.value !== null && typeof to.value !== 'boolean');
    return 'path' in tested && (hasOrder || operator === '=' || operator === '!=') ? { tested, operator, to } : null;
  }

  private operand(): Operand | null {
    const token = this.tokens[this.at];
    if (token === undefined) return null;
    if (token.kind === 'sign') {
      if (token.text !== '-') return null;
      this.at += 1;
      const number = this.next('number');
      return number === null ? null : { value: -Number(number) };
    }
    this.at += 1;
    if (token.kind === 'text') return { value: token.text };
    if (token.kind === 'number') return { value: Number(token.text) };
    if (token.text === 'true' || token.text === 'false') return { value: token.text === 'true' };
    if (token.text === 'null') return { value: null };
    if (token.text === 'date' && this.take('sign', '(')) {
      const date = this.next('text');
      return date !== null && this.take('sign', ')') ? { date } : null;
    }
    if ((token.text === 'lower' || token.text === 'upper') && this.take('name', 'case'))
      return this.converted('one case');
    if (token.text === 'number' && this.peek('sign', '(')) return this.converted('number');
    return this.path(token.text);
  }

  private converted(as: 'number' | 'one case'): Tested | null {
    const inner = this.take('sign', '(') ? this.operand() : null;
    if (inner === null || !('path' in inner) || !this.take('sign', ')')) return null;
    return { path: inner.path, as: inner.as === 'one case' ? inner.as : as };
  }

  private path(first: string): Tested | null {
    let stepId: string | null = null;
    if (first === 'get' && this.take('name', 'value')) {
      const isOutput = this.take('sign', '(') && this.take('name', 'outputs') && this.take('sign', ',');
      stepId = isOutput ? this.next('text') : null;
      if (stepId === null || !this.take('sign', ')')) return null;
    }
    const parts: string[] = [];
    while (this.take('sign', '.')) {
      const part = this.next('name');
      if (part === null) return null;
      parts.push(part);
    }
    if (stepId !== null) return parts.length > 0 ? { path: { stepId, parts } } : null;
    const path = valueNamed([first, ...parts], this.names);
    return path !== null && path.parts.length > 0 ? { path } : null;
  }

  private peek(kind: Token['kind'], text: string): boolean {
    const token = this.tokens[this.at];
    return token?.kind === kind && token.text === text;
  }

  private take(kind: Token['kind'], text: string): boolean {
    const is = this.peek(kind, text);
    if (is) this.at += 1;
    return is;
  }

  private takeAll(words: readonly string[]): boolean {
    const begun = this.at;
    if (words.every((word) => this.take('name', word))) return true;
    this.at = begun;
    return false;
  }

  private next(kind: Token['kind']): string | null {
    const token = this.tokens[this.at];
    if (token?.kind !== kind) return null;
    this.at += 1;
    return token.text;
  }
}
