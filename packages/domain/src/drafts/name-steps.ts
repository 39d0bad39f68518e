import { visibleText } from '../workflows/hidden-characters.ts';
import type { Step } from '../steps/index.ts';

/**
 * Returns a function that names steps by their titles in the description of a change. The id is added if another step
 * has the same title, ignoring case and white space, and used alone if the step has no title. If an id occurs twice,
 * the last step counts, so callers can pass both sides of a change: before, then after. Invisible characters are shown
 * as text.
 */
export function nameSteps(steps: readonly Pick<Step, 'id' | 'title'>[]): (stepId: string) => string {
  const titles = new Map(steps.map(({ id, title }) => [id, title]));
  let shared: Set<string> | undefined;
  const isShared = (title: string): boolean => {
    shared ??= sharedTitles(steps);
    return shared.has(comparable(title));
  };
  return (stepId) => {
    const title = titles.get(stepId) ?? '';
    const visible = visibleText(title.trim());
    if (visible === '') return stepId;
    return isShared(title) ? `${visible} (${stepId})` : visible;
  };
}

/** Returns the titles that several steps share, as `comparable` returns them. */
function sharedTitles(steps: readonly Pick<Step, 'id' | 'title'>[]): Set<string> {
  const users = new Map<string, string>();
  const shared = new Set<string>();
  for (const { id, title } of steps) {
    const same = comparable(title);
    const user = users.get(same);
    if (user === undefined) users.set(same, id);
    else if (user !== id) shared.add(same);
  }
  return shared;
}

const comparable = (title: string): string => title.trim().replace(/\s+/g, ' ').toLowerCase();
