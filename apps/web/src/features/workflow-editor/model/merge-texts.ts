import { isolated } from '@stet/domain/workflows';
import type { MergeConflict } from '@stet/domain/drafts';
import type { MergeSides } from './resolve-merge.ts';

/** A conflict's description: its subject, and the value on each side. */
type MergeText = { about: string; field: string; theirs: string; mine: string };

const FIELDS = {
  title: 'Step',
  description: 'Task',
  assignee: 'Assignee',
  sla: 'SLA',
  type: 'Type and settings',
  config: 'Type and settings',
  next: 'Next steps',
  step: 'The step',
} as const satisfies Record<Extract<MergeConflict, { on: 'step' }>['field'], string>;

export function mergeText(conflict: MergeConflict, sides: MergeSides): MergeText {
  const titles = new Map(
    [...sides.base.steps, ...sides.theirs.steps, ...sides.mine.steps].map(({ id, title }) => [id, title]),
  );
  const named = (ids: readonly string[]): string =>
    ids.map((id) => isolated(titles.get(id) ?? id)).join(', ') || 'None: the workflow ends';
  switch (conflict.on) {
    case 'metadata':
      return {
        about: 'Workflow',
        field: conflict.field === 'title' ? 'Workflow Name' : 'Description',
        theirs: conflict.live,
        mine: conflict.draft,
      };
    case 'order':
      return {
        about: 'Workflow',
        field: 'Order of the steps',
        theirs: named(conflict.live),
        mine: named(conflict.draft),
      };
    case 'step': {
      const { stepId, field, live, draft } = conflict;
      const words = (value: unknown, side: 'theirs' | 'mine'): string => {
        if (field === 'step') return value === null ? 'Removed' : 'Kept, with its changes';
        if (field === 'next') return Array.isArray(value) ? named(value.map(String)) : 'None: the workflow ends';
        if (field === 'type' || field === 'config') return kindOf(sides, side, stepId);
        return typeof value === 'string' ? value : '';
      };
      return {
        about: titles.get(stepId) ?? stepId,
        field: FIELDS[field],
        theirs: words(live, 'theirs'),
        mine: words(draft, 'mine'),
      };
    }
  }
}

function kindOf(sides: MergeSides, side: 'theirs' | 'mine', stepId: string): string {
  const step = sides[side].steps.find(({ id }) => id === stepId);
  if (!step) return '';
  const settings = Object.entries(step.config).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [step.type, ...settings].join('\n');
}
