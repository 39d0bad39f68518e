import { visibleText } from '../workflows/hidden-characters.ts';
import type { Step } from '../workflows/step.ts';

/**
 * What to call a step in a line about a change: its title, with its id if a step under another id has the same title (upper
 * case and white space make no difference), or the id alone if it has no title. The last of the steps given under an id
 * counts, so both sides of a change can be given: before, then after. Characters that people can't see are written out.
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
