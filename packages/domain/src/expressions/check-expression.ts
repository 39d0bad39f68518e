import { cutText } from '../workflows/cut-text.ts';
import { parseExpression } from 'feelin';

/** `from` and `to` are offsets in characters, such that `text.slice(from, to)` is what the sentence speaks of. */
export type ExpressionProblem = { from: number; to: number; problem: string };

/** The names that an expression can use, with what stands under them: names with hyphens are read by it. */
export type ExpressionNames = Readonly<Record<string, unknown>>;

type Found = ReturnType<typeof parseExpression>['topNode'];

/**
 * What is wrong with the form of a FEEL expression, in the order of its text; empty where it can be evaluated. Names that
 * nobody knows are no matter of form: they are null. A blank text is no expression.
 */
export function checkExpression(text: string, names: ExpressionNames = {}): ExpressionProblem[] {
  if (text.trim() === '') return [{ from: 0, to: text.length, problem: 'Write a condition' }];
  const problems: ExpressionProblem[] = [];
  parseExpression(text, { ...names }, undefined).iterate({
    enter: ({ node }) => {
      if (node.type.isError) problems.push(problemAt(node, text));
      // Two operators in a row are read as a test of a decision table, which has no value here.
      else if (/^Simple\w*UnaryTest$/.test(node.name) && node.parent?.name === 'Comparison' && isBareOperator(node)) {
        problems.push({ from: node.from, to: node.from + 1, problem: 'Two operators follow each other' });
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
  return { from, to, problem: isEnd ? 'The expression breaks off here' : 'Something is missing here' };
}

function shortened(text: string): string {
  return text.length > 30 ? `${cutText(text, 29)}…` : text;
}
