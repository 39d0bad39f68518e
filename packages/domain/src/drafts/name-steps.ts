import { visibleText } from '../workflows/hidden-characters.ts';
import type { Step } from '../steps/index.ts';

/**
 * Names a step in the description of a change: its title, with its id if another step has the same title (ignoring case
 * and white space), or only the id if it has no title. If an id occurs twice, the last step counts, so callers can pass
 * both sides of a change: before, then after. Invisible characters are shown as text.
 */
export function nameSteps(steps: readonly Pick<Step, 'id' | 'title'>[]): (stepId: string) => string {
  const titles = new Map<string, string>();
  const users = new Map<string, Set<string>>();
  for (const { id, title } of steps) {
    titles.set(id, visibleText(title.trim()));
    const same = users.get(comparable(title)) ?? new Set();
    users.set(comparable(title), same.add(id));
  }
  return (stepId) => {
    const title = titles.get(stepId) ?? '';
    if (title === '') return stepId;
    return (users.get(comparable(title))?.size ?? 0) > 1 ? `${title} (${stepId})` : title;
  };
}

const comparable = (title: string): string => title.trim().replace(/\s+/g, ' ').toLowerCase();
