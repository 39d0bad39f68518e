import { parseDuration } from '@stet/domain/sla';
import type { Step } from '@stet/domain/steps';
import { EDITOR_FIELDS, LIMITS, type EditorField } from '@stet/domain/workflows';
import { ASSIGNEE_ROLES_HINT, assigneeProblem } from '@stet/domain/access';
import { formatNumber } from '../../../lib/format/number.ts';
import { readCell } from './document.ts';

/** The maximum lengths that the server accepts, in UTF-16 code units. */
const CELL_LIMITS = {
  step: LIMITS.stepTitle,
  task: LIMITS.stepDescription,
  assignee: LIMITS.assignee,
  sla: 100,
} as const satisfies Record<EditorField, number>;

/** The message below a cell, with help. `refuses`: the problem prevents saving. */
export type CellProblem = { sentence: string; hint?: string; refuses: boolean };

/** A cell's problem, or null if there is none. */
export function cellProblem(step: Step, field: EditorField): CellProblem | null {
  const text = readCell(step, field);
  const most = CELL_LIMITS[field];
  if (text.length > most) {
    const sentence = `At most ${formatNumber(most)} characters; this text has ${formatNumber(text.length)}`;
    return { sentence, refuses: true };
  }
  switch (field) {
    case 'step':
      return text.trim() === '' ? { sentence: 'This step has no name', refuses: false } : null;
    case 'assignee': {
      const sentence = assigneeProblem(text);
      return sentence === null ? null : { sentence, hint: ASSIGNEE_ROLES_HINT, refuses: false };
    }
    case 'sla':
      return parseDuration(text).ok ? null : { sentence: 'Not a duration, so this step has no SLA', refuses: false };
    case 'task':
      return null;
  }
}

const CELL_NAMES = { step: 'step name', assignee: 'assignee', sla: 'SLA', task: 'task' } as const satisfies Record<
  EditorField,
  string
>;

/** The first problem that prevents saving these steps, with the name of its cell. Null if they can be saved. */
export function saveRefusal(steps: readonly Step[]): string | null {
  for (const [index, step] of steps.entries()) {
    for (const field of EDITOR_FIELDS) {
      const problem = cellProblem(step, field);
      if (problem?.refuses) return `Step ${index + 1}, ${CELL_NAMES[field]}: ${problem.sentence.toLowerCase()}`;
    }
  }
  return null;
}
