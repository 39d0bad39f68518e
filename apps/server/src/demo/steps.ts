import type { Step, StepConfigByType, StepType } from '@stet/domain/steps';

type Written<T extends StepType> = {
  title: string;
  /** An email address, a role, `system` or `auto`. */
  assignee: string;
  sla: string;
  task: string;
  config?: StepConfigByType[T];
};

const stepOf =
  <T extends StepType>(type: T) =>
  (id: string, { title, assignee, sla, task, config }: Written<T>): Step => ({
    id,
    type,
    title,
    description: task,
    assignee,
    sla,
    config: config ?? {},
    next: [],
  });

export const manual = stepOf('manual');
export const approval = stepOf('approval');
export const automated = stepOf('automated');
export const condition = stepOf('condition');
export const notification = stepOf('notification');

/** Links each step to the step in the next row, unless `forks` says otherwise. */
export function linked(steps: readonly Step[], forks: Record<string, string[]> = {}): Step[] {
  return steps.map((step, row) => {
    const below = steps[row + 1];
    return { ...step, next: forks[step.id] ?? (below ? [below.id] : []) };
  });
}

/** A copy of the steps in which some fields of one step are changed. */
export function changed(
  steps: readonly Step[],
  id: string,
  change: Partial<Pick<Step, 'title' | 'description' | 'assignee' | 'sla'>> & { config?: object },
): Step[] {
  found(steps, id);
  return steps.map((step) => (step.id === id ? { ...step, ...change } : step));
}

/** A copy of the steps with more steps inserted below the row with this `id`. */
export function insertedBelow(steps: readonly Step[], id: string, ...more: Step[]): Step[] {
  const row = found(steps, id);
  return [...steps.slice(0, row + 1), ...more, ...steps.slice(row + 1)];
}

export function removed(steps: readonly Step[], id: string): Step[] {
  found(steps, id);
  return steps.filter((step) => step.id !== id);
}

function found(steps: readonly Step[], id: string): number {
  const row = steps.findIndex((step) => step.id === id);
  if (row === -1) throw new Error(`no step ${id}`);
  return row;
}
