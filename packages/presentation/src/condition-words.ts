import { placeholdersOf, visibleText } from '@stet/domain/workflows';
import { type Step, kindOf } from '@stet/domain/steps';

/**
 * Names the values of a run: steps by their titles, and outputs by the labels of `steps`. If an id occurs twice, the
 * last step counts.
 */
export type ValueNames = { titleOf: (stepId: string) => string; steps: readonly Step[] };

const OF_RUN: Readonly<Record<string, string>> = {
  name: 'Name of the run',
  description: 'Description of the run',
  priority: 'Priority of the run',
  workflow: 'Key of the workflow',
  version: 'Version of the workflow',
  startedBy: 'Person who started the run',
  startedByEmail: 'Email of the person who started the run',
  startedAt: 'Start of the run',
};
const OPERATORS: Readonly<Record<string, string>> = {
  '=': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is more than',
  '>=': 'is at least',
};
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** `ignoresCase`: the value is compared in lower or upper case. */
type Path = { stepId: string | null; parts: string[]; ignoresCase?: true };
type Operand = { path: Path } | { value: string | number | boolean | null } | { date: string };
type Token = { kind: 'name' | 'text' | 'number' | 'sign'; text: string };

/**
 * Returns a condition as a sentence, for example `Decision of Decide on the batch is Destroy`. Null if it contains
 * anything except simple comparisons, `and`, `or` and `not`.
 */
export function conditionSentence(expression: string, names: ValueNames): string | null {
  const tokens = tokensOf(expression);
  if (tokens === null || tokens.length === 0) return null;
  const reader = new Reader(tokens, names);
  const sentence = reader.alternatives();
  return sentence !== null && reader.isAtEnd() ? sentence : null;
}

/** Returns a condition as a sentence if possible, otherwise as an expression with readable names. */
export function conditionWords(expression: string, names: ValueNames): { text: string; isExpression: boolean } {
  const sentence = conditionSentence(expression, names);
  return { text: sentence ?? readableExpression(expression, names), isExpression: sentence === null };
}

/** Returns an expression with each value named by its label in `‹›`, if its name can be recognized. */
export function readableExpression(expression: string, names: ValueNames): string {
  const outputs =
    /\bget value\(\s*outputs\s*,\s*"((?:[^"\\]|\\.)*)"\s*\)((?:\.\w+)*)|"(?:[^"\\]|\\.)*"|[A-Za-z_][\w-]*(?:\.[\w-]+)+/g;
  return visibleText(
    expression.replaceAll(outputs, (found, quoted: string | undefined, rest: string | undefined) => {
      if (quoted !== undefined) return `‹${pathWords({ stepId: quoted, parts: partsOf(rest ?? '') }, names)}›`;
      const path = found.startsWith('"') ? null : pathOf(found.split('.'), names);
      return path === null ? found : `‹${pathWords(path, names)}›`;
    }),
  );
}

/** Returns a message with each placeholder named by its label: `{{Amount of Collect the facts}}`. */
export function readableMessage(template: string, names: ValueNames): string {
  let text = '';
  let end = 0;
  for (const place of placeholdersOf(template, stepsIn(template, names))) {
    text += visibleText(template.slice(end, place.from));
    const path =
      place.kind === 'output'
        ? { stepId: place.stepId, parts: place.path }
        : place.kind === 'run'
          ? { stepId: null, parts: place.path }
          : null;
    text += path === null ? visibleText(template.slice(place.from, place.to)) : `{{${pathWords(path, names)}}}`;
    end = place.to;
  }
  return text + visibleText(template.slice(end));
}

/** The ids of the steps that a message names. An id can contain dots. */
function stepsIn(template: string, { titleOf, steps }: ValueNames): Set<string> {
  const named = [...template.matchAll(/\{\{\s*outputs?\.([^{}]{1,300})\}\}/g)].flatMap(([, path = '']) => {
    const parts = path.trim().split('.');
    return parts.map((_, n) => parts.slice(0, n + 1).join('.')).filter((id) => titleOf(id) !== id);
  });
  return new Set([...steps.map(({ id }) => id), ...named]);
}

const caseWords = ({ ignoresCase }: Path): string => (ignoresCase ? ', in upper or lower case' : '');

const partsOf = (path: string): string[] => path.split('.').filter((part) => part !== '');

/** The value that a dotted name refers to. Null if it is neither an output nor a value of the run. */
function pathOf([first = '', ...rest]: readonly string[], { titleOf, steps }: ValueNames): Path | null {
  if (rest.length === 0) return null;
  if (first === 'run') return { stepId: null, parts: rest };
  const isStep = (id: string): boolean => titleOf(id) !== id || steps.some((step) => step.id === id);
  if (first === 'outputs' && rest[0] !== undefined && isStep(rest[0])) return { stepId: rest[0], parts: rest.slice(1) };
  return isStep(first) ? { stepId: first, parts: rest } : null;
}

function pathWords({ stepId, parts }: Path, { titleOf, steps }: ValueNames): string {
  const name = parts.join('.');
  if (stepId === null) return OF_RUN[name] ?? `${plainName(parts)} of the run`;
  const title = visibleText(titleOf(stepId));
  if (parts.length === 0) return `Output of ${title}`;
  return `${visibleText(labelOf(stepId, name, steps) ?? plainName(parts))} of ${title}`;
}

function labelOf(stepId: string, name: string, steps: readonly Step[]): string | undefined {
  for (const { type, config } of steps.filter(({ id }) => id === stepId).toReversed()) {
    const output = kindOf(type)
      .outputs(config)
      ?.find((each) => each.name === name);
    if (output) return output.label;
  }
  return undefined;
}

/** The name of a field without a known label: `unit_price` becomes `Unit price`. */
function plainName(parts: readonly string[]): string {
  const words = (parts[0] === 'fields' ? parts.slice(1) : parts).join(' ').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function tokensOf(expression: string): Token[] | null {
  const pattern = /\s+|("(?:[^"\\]|\\.)*")|(\d+(?:\.\d+)?)|([A-Za-z_][\w-]*)|(!=|<=|>=|[=<>().,-])/gy;
  const tokens: Token[] = [];
  let end = 0;
  for (const match of expression.matchAll(pattern)) {
    const [found, text, number, name, sign] = match;
    end = match.index + found.length;
    if (text !== undefined) {
      const value = stringOf(text);
      if (value === null) return null;
      tokens.push({ kind: 'text', text: value });
    } else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
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

/** Reads tokens from left to right. Each method returns null if it finds something that it can't express in words. */
class Reader {
  private at = 0;
  private readonly tokens: readonly Token[];
  private readonly names: ValueNames;

  constructor(tokens: readonly Token[], names: ValueNames) {
    this.tokens = tokens;
    this.names = names;
  }

  isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  alternatives(): string | null {
    return this.list('or', () => this.list('and', () => this.statement()));
  }

  /** Parts joined by a word. A part that is itself joined by another word is in parentheses. */
  private list(word: 'and' | 'or', readPart: () => string | null): string | null {
    const parts: { text: string; isList: boolean }[] = [];
    do {
      const from = this.at;
      const text = readPart();
      if (text === null) return null;
      parts.push({ text, isList: this.isList(from) });
    } while (this.take('name', word));
    const [first] = parts;
    if (first !== undefined && parts.length === 1) return first.text;
    return parts.map(({ text, isList }) => (isList ? `(${text})` : text)).join(` ${word} `);
  }

  /** True if the tokens since `from` contain `and` outside parentheses. */
  private isList(from: number): boolean {
    let depth = 0;
    return this.tokens.slice(from, this.at).some(({ kind, text }) => {
      if (kind === 'sign') depth += text === '(' ? 1 : text === ')' ? -1 : 0;
      return depth === 0 && kind === 'name' && text === 'and';
    });
  }

  private statement(): string | null {
    if (this.take('name', 'not')) {
      const inner = this.inParentheses();
      return inner === null ? null : `not ${inner}`;
    }
    if (this.peek('sign', '(')) return this.inParentheses();
    const [first, second] = this.tokens.slice(this.at, this.at + 2).map(({ text }) => text);
    const isPair = (first === 'starts' || first === 'ends') && second === 'with';
    if (isPair || (first === 'contains' && second === '(')) return this.textTest(isPair ? `${first} with` : first);
    return this.comparison();
  }

  /** `starts with`, `ends with` and `contains`. */
  private textTest(words: string): string | null {
    this.at += words.split(' ').length;
    const tested = this.take('sign', '(') ? this.operand() : null;
    const text = tested !== null && 'path' in tested && this.take('sign', ',') ? this.next('text') : null;
    if (tested === null || !('path' in tested) || text === null || !this.take('sign', ')')) return null;
    return `${pathWords(tested.path, this.names)} ${words} ${this.words({ value: text })}${caseWords(tested.path)}`;
  }

  private inParentheses(): string | null {
    if (!this.take('sign', '(')) return null;
    const inner = this.alternatives();
    return inner !== null && this.take('sign', ')') ? `(${inner})` : null;
  }

  private comparison(): string | null {
    const left = this.operand();
    if (left === null) return null;
    const operator = this.tokens[this.at];
    const isCompared = operator?.kind === 'sign' && operator.text in OPERATORS;
    if (!isCompared) return 'path' in left ? this.sentence(left.path, '=', { value: true }) : null;
    this.at += 1;
    const right = this.operand();
    if (right === null) return null;
    if ('path' in left) return this.sentence(left.path, operator.text, right);
    return 'path' in right ? this.sentence(right.path, MIRRORED[operator.text] ?? operator.text, left) : null;
  }

  private sentence(path: Path, operator: string, to: Operand): string | null {
    const isEquality = operator === '=' || operator === '!=';
    if ('value' in to && typeof to.value === 'boolean') {
      if (!isEquality) return null;
      const isTrue = to.value === (operator === '=');
      const said = this.verdict(path, isTrue);
      return said ?? `${pathWords(path, this.names)} is ${isTrue ? 'yes' : 'no'}`;
    }
    if ('value' in to && to.value === null && !isEquality) return null;
    const said = `${pathWords(path, this.names)} ${OPERATORS[operator]} ${this.words(to)}`;
    return `${said}${caseWords(path)}`;
  }

  /** What a step decided: `Sign off was approved`. */
  private verdict({ stepId, parts }: Path, isTrue: boolean): string | null {
    const step = this.names.steps.findLast(({ id }) => id === stepId);
    if (stepId === null || step === undefined || parts.length !== 1) return null;
    const title = visibleText(this.names.titleOf(stepId));
    if (step.type === 'approval' && parts[0] === 'approved') return `${title} was ${isTrue ? '' : 'not '}approved`;
    if (step.type === 'condition' && parts[0] === 'result') return `${title} was ${isTrue ? 'true' : 'false'}`;
    return null;
  }

  private words(operand: Operand): string {
    if ('path' in operand) return pathWords(operand.path, this.names);
    if ('date' in operand) return operand.date;
    const { value } = operand;
    if (value === null) return 'empty';
    if (typeof value !== 'string') return String(value);
    // Quoted if it could be read as another kind of value, or as a part of the sentence.
    const isPlain =
      /^\p{L}[\p{L}\p{N} -]*(?<! )$/u.test(value) &&
      !/^(yes|no|empty|true|false|null)$|\b(and|or|not|is|of)\b/i.test(value);
    return isPlain ? value : `“${visibleText(value)}”`;
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
    if (token.text === 'date') {
      const date = this.take('sign', '(') ? this.next('text') : null;
      return date !== null && this.take('sign', ')') ? { date } : null;
    }
    const isCase = (token.text === 'lower' || token.text === 'upper') && this.take('name', 'case');
    if (isCase || (token.text === 'number' && this.peek('sign', '('))) return this.converted(isCase);
    return this.path(token.text);
  }

  /** `number(…)`, `lower case(…)` and `upper case(…)` around a value. */
  private converted(ignoresCase: boolean): { path: Path } | null {
    const inner = this.take('sign', '(') ? this.operand() : null;
    if (inner === null || !('path' in inner) || !this.take('sign', ')')) return null;
    return ignoresCase ? { path: { ...inner.path, ignoresCase: true } } : inner;
  }

  private path(first: string): { path: Path } | null {
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
    const path = pathOf([first, ...parts], this.names);
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

  private next(kind: Token['kind']): string | null {
    const token = this.tokens[this.at];
    if (token?.kind !== kind) return null;
    this.at += 1;
    return token.text;
  }
}
