import { type OutputName, kindOf } from '@stet/domain/steps';
import { placeholdersOf, visibleText } from '@stet/domain/workflows';
import {
  type Comparison,
  type ConditionTree,
  type Operand,
  type Operator,
  type ValueNames,
  type ValuePath,
  readCondition,
  valueNamed,
} from './condition-tree.ts';

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
  'list contains': 'includes',
};
/** The words for an operator between dates. */
const OF_DATES: Readonly<Record<string, string>> = {
  '<': 'is before',
  '<=': 'is on or before',
  '>': 'is after',
  '>=': 'is on or after',
};

/**
 * Returns a condition as a sentence, for example `Decision of Decide on the batch is Destroy`. Null if it contains
 * anything except simple comparisons, `and`, `or` and `not`.
 */
export function conditionSentence(expression: string, names: ValueNames): string | null {
  const tree = readCondition(expression, names);
  return tree && treeWords(tree, names);
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
      if (quoted !== undefined) return `‹${valueWords({ stepId: quoted, parts: partsOf(rest ?? '') }, names)}›`;
      const path = found.startsWith('"') ? null : valueNamed(found.split('.'), names);
      return path === null ? found : `‹${valueWords(path, names)}›`;
    }),
  );
}

/** Returns a message with each known placeholder named by its label: `‹Amount of Collect the facts›`. */
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
    text += path === null ? visibleText(template.slice(place.from, place.to)) : `‹${valueWords(path, names)}›`;
    end = place.to;
  }
  return text + visibleText(template.slice(end));
}

/** Returns the ids of all known steps, and of those that a message names. An id can contain dots. */
function stepsIn(template: string, { titleOf, steps }: ValueNames): Set<string> {
  const named = [...template.matchAll(/\{\{\s*outputs?\.([^{}]{1,300})\}\}/g)].flatMap(([, path = '']) => {
    const parts = path.trim().split('.');
    return parts.map((_, n) => parts.slice(0, n + 1).join('.')).filter((id) => titleOf(id) !== id);
  });
  return new Set([...steps.map(({ id }) => id), ...named]);
}

function treeWords(tree: ConditionTree, names: ValueNames): string {
  switch (tree.kind) {
    case 'comparison':
      return comparisonWords(tree.comparison, names);
    case 'group':
      return `(${treeWords(tree.inner, names)})`;
    case 'not':
      return `not (${treeWords(tree.inner, names)})`;
    case 'and':
    case 'or':
      return tree.parts
        .map((part) => (part.kind === 'and' ? `(${treeWords(part, names)})` : treeWords(part, names)))
        .join(` ${tree.kind} `);
  }
}

function comparisonWords({ tested, operator, to }: Comparison, names: ValueNames): string {
  const { path, as } = tested;
  if ('value' in to && typeof to.value === 'boolean') {
    const isTrue = to.value === (operator === '=');
    return verdict(path, isTrue, names) ?? `${valueWords(path, names)} is ${isTrue ? 'yes' : 'no'}`;
  }
  const isDate = 'date' in to || outputOf(path, names)?.kind === 'date';
  const said = `${valueWords(path, names)} ${operatorWords(operator, isDate)} ${operandWords(to, names)}`;
  return as === 'one case' ? `${said}, in upper or lower case` : said;
}

/** Returns the words for an operator, such as `is at least`; for dates `is on or after`. */
export const operatorWords = (operator: Operator, isDate: boolean): string =>
  (isDate ? OF_DATES[operator] : undefined) ?? OPERATORS[operator] ?? operator;

/** Returns the result of an approval or a condition in words: `Sign off was approved`. Null for any other value. */
function verdict({ stepId, parts }: ValuePath, isTrue: boolean, { titleOf, steps }: ValueNames): string | null {
  const step = steps.findLast(({ id }) => id === stepId);
  if (stepId === null || step === undefined || parts.length !== 1) return null;
  const title = visibleText(titleOf(stepId));
  if (step.type === 'approval' && parts[0] === 'approved') return `${title} was ${isTrue ? '' : 'not '}approved`;
  if (step.type === 'condition' && parts[0] === 'result') return `${title} was ${isTrue ? 'true' : 'false'}`;
  return null;
}

function operandWords(operand: Operand, names: ValueNames): string {
  if ('path' in operand) return valueWords(operand.path, names);
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

const partsOf = (path: string): string[] => path.split('.').filter((part) => part !== '');

/** Returns the name of a value: `Decision of Decide on the batch`. */
export function valueWords(path: ValuePath, names: ValueNames): string {
  const { stepId, parts } = path;
  if (stepId === null) return OF_RUN[parts.join('.')] ?? `${plainName(parts)} of the run`;
  const title = visibleText(names.titleOf(stepId));
  if (parts.length === 0) return `Output of ${title}`;
  return `${visibleText(outputOf(path, names)?.label ?? plainName(parts))} of ${title}`;
}

function outputOf({ stepId, parts }: ValuePath, { steps }: ValueNames): OutputName | undefined {
  const name = parts.join('.');
  for (const { type, config } of steps.filter(({ id }) => id === stepId).toReversed()) {
    const output = kindOf(type)
      .outputs(config)
      ?.find((each) => each.name === name);
    if (output) return output;
  }
  return undefined;
}

/** Returns the name of a field without a known label: `unit_price` becomes `Unit price`. */
function plainName(parts: readonly string[]): string {
  const words = (parts[0] === 'fields' ? parts.slice(1) : parts).join(' ').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
