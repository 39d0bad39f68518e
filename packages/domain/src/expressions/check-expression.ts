import { cutText } from '../workflows/cut-text.ts';
import { parseExpression } from 'feelin';

/** `text.slice(from, to)` is the part with the problem. */
export type ExpressionProblem = { from: number; to: number; problem: string };

/** The names that an expression can use, with their values; the parser needs them to read names with hyphens. */
export type ExpressionNames = Readonly<Record<string, unknown>>;

type Found = ReturnType<typeof parseExpression>['topNode'];

/**
 * Returns the syntax problems of a FEEL expression, in text order; empty if it can be evaluated. Unknown names are not
 * a problem, because their value is null. Blank text is a problem.
 */
export function checkExpression(text: string, names: ExpressionNames = {}): ExpressionProblem[] {
  if (text.trim() === '') return [{ from: 0, to: text.length, problem: 'Write a condition' }];
  const problems: ExpressionProblem[] = [];
  parseExpression(text, { ...names }, undefined).iterate({
    enter: ({ node }) => {
      if (node.type.isError) problems.push(problemAt(node, text));
      // The parser reads two operators in a row as a unary test of a decision table, which has no value in this
      // context.
      else if (/^Simple\w*UnaryTest$/.test(node.name) && node.parent?.name === 'Comparison' && isBareOperator(node)) {
        problems.push({ from: node.from, to: node.from + 1, problem: 'There are two operators in a row' });
      }
    },
  });
  return problems;
}

function isBareOperator(node: Found): boolean {
  return node.firstChild?.name === 'CompareOp';
}

function problemAt({ from, to }: Found, text: string): ExpressionProblem {
  const found = text.slice(from, to);
  if (found.trim() !== '') return { from, to, problem: `'${shortened(found)}' does not belong here` };
  const isEnd = text.slice(to).trim() === '';
  return { from, to, problem: isEnd ? 'The expression is incomplete' : 'Something is missing here' };
}

function shortened(text: string): string {
  return text.length > 30 ? `${cutText(text, 29)}…` : text;
}
