import { type Step, answersOf, refersToNext, settingNamed } from '@stet/domain/steps';
import type { ValueNames } from '@stet/presentation/condition-tree';
import { conditionWords } from '@stet/presentation/condition-words';
import { partsOf } from '../../../../step-types/registry.ts';
import { isolated, LIST_SAVE_DEFAULTS, stepTitle } from '@stet/domain/workflows';

/** A step in a list, with its number and title. */
type NamedStep = { id: string; name: string };

export const titleOf = stepTitle;

/** The steps in the table's order, named for example '4 Assess risk tier'. */
export const namedSteps = (steps: readonly Step[]): NamedStep[] =>
  steps.map((step, row) => ({ id: step.id, name: `${row + 1} ${isolated(titleOf(step))}` }));

const LONGEST_NAME = 48;

/** The same names, truncated for references from other steps. */
export function shortNames(steps: readonly Step[]): Map<string, string> {
  return new Map(
    namedSteps(steps).map(({ id, name }) => {
      if (name.length <= LONGEST_NAME) return [id, name];
      // Don't cut a surrogate pair in half.
      const cut = name.slice(0, LONGEST_NAME - 1).replace(/[\uD800-\uDBFF]$/, '');
      return [id, `${cut.trimEnd()}…`];
    }),
  );
}

/** The text in the Role column: the assignee, the role in the settings, or 'Unassigned'. */
export function roleOf(step: Step): string {
  if (step.assignee.trim() !== '') return step.assignee;
  const role = 'assignedRole' in step.config ? step.config.assignedRole : undefined;
  return role?.trim() ? role : LIST_SAVE_DEFAULTS.assignee;
}

/** The text in the Description column. Without a description, it is the step's condition, if it has one. */
export function descriptionOf(step: Step, names: ValueNames): { text: string; isExpression: boolean } {
  const expression = partsOf(step.type).expression?.(step) ?? '';
  if (step.description.trim() === '' && expression.trim() !== '') return conditionWords(expression, names);
  return { text: step.description, isExpression: false };
}

/**
 * The next steps in words: 'Yes → 6 Sign', '→ 5 Sign, 7 Notify' or 'Ends here'. Null if the only one is the step below,
 * and for the last step if it has none.
 */
export function branchWords(step: Step, following: Step | undefined, nameOf: (id: string) => string): string | null {
  const branches = refersToNext(step);
  if (branches.length > 0) {
    const answers = branches.map(({ setting, target }) => ({ answer: settingNamed(setting)?.answer, target }));
    const rest = step.next.filter((id) => !branches.some(({ target }) => target === id));
    const otherwise = answersOf(step.type).filter((answer) => !answers.some((each) => each.answer === answer));
    return [
      ...answers.map(({ answer, target }) => `${answer ?? 'Then'} → ${nameOf(target)}`),
      ...(rest.length > 0 ? [`${otherwise[0] ?? 'Always'} → ${rest.map(nameOf).join(', ')}`] : []),
    ].join(' · ');
  }
  const isPlain = following ? step.next.length === 1 && step.next[0] === following.id : step.next.length === 0;
  if (isPlain) return null;
  return step.next.length === 0 ? 'Ends here' : `→ ${step.next.map(nameOf).join(', ')}`;
}
