import { isolated, LIST_SAVE_DEFAULTS, stepTitle } from '@stet/domain/workflows';
import type { Step } from '@stet/domain/workflows';

/** A step as lists of steps name it: its number and its title. */
type NamedStep = { id: string; name: string };

export const titleOf = stepTitle;

/** '4 Assess risk tier', in the order of the table. */
export const namedSteps = (steps: readonly Step[]): NamedStep[] =>
  steps.map((step, row) => ({ id: step.id, name: `${row + 1} ${isolated(titleOf(step))}` }));

const LONGEST_NAME = 48;

/** The same, short enough to be spoken of at another step: what is longer ends in an ellipsis. */
export function shortNames(steps: readonly Step[]): Map<string, string> {
  return new Map(
    namedSteps(steps).map(({ id, name }) => {
      if (name.length <= LONGEST_NAME) return [id, name];
      // Half of a pair is no character.
      const cut = name.slice(0, LONGEST_NAME - 1).replace(/[\uD800-\uDBFF]$/, '');
      return [id, `${cut.trimEnd()}…`];
    }),
  );
}

/** Who the step is for, as the Role column shows it: its assignee, else the role of its settings. */
export function roleOf(step: Step): string {
  if (step.assignee.trim() !== '') return step.assignee;
  const role = 'assignedRole' in step.config ? step.config.assignedRole : undefined;
  return role?.trim() ? role : LIST_SAVE_DEFAULTS.assignee;
}

/** What stands under Description; a condition without a text of its own shows its expression. */
export function descriptionOf(step: Step): { text: string; isExpression: boolean } {
  const expression = step.type === 'condition' ? (step.config.condition ?? '') : '';
  if (step.description.trim() === '' && expression.trim() !== '') return { text: expression, isExpression: true };
  return { text: step.description, isExpression: false };
}

/** Where a step goes on to, where that isn't simply the row below: 'Yes → 6 Sign', '→ 5 Sign, 7 Notify'. Null for the plain chain. */
export function branchWords(step: Step, following: Step | undefined, nameOf: (id: string) => string): string | null {
  if (step.type === 'condition') {
    const { trueNext, falseNext } = step.config;
    const rest = step.next.filter((id) => id !== trueNext && id !== falseNext);
    const words = [
      ...(trueNext ? [`Yes → ${nameOf(trueNext)}`] : []),
      ...(falseNext ? [`No → ${nameOf(falseNext)}`] : []),
      ...(rest.length > 0 ? [`${otherWord(trueNext, falseNext)}→ ${rest.map(nameOf).join(', ')}`] : []),
    ];
    if (trueNext || falseNext) return words.join(' · ');
  }
  const isPlain = following ? step.next.length === 1 && step.next[0] === following.id : step.next.length === 0;
  if (isPlain) return null;
  return step.next.length === 0 ? 'Ends here' : `→ ${step.next.map(nameOf).join(', ')}`;
}

function otherWord(trueNext: string | undefined, falseNext: string | undefined): string {
  if (trueNext && falseNext) return 'Always ';
  return trueNext ? 'No ' : 'Yes ';
}
