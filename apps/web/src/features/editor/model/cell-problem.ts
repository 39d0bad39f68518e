import { parseDuration } from '@stet/domain/sla';
import { assigneeProblem, EDITOR_FIELDS, LIMITS } from '@stet/domain/workflows';
import type { EditorField, Step } from '@stet/domain/workflows';
import { formatNumber } from '../../../lib/format/number.ts';
import { readCell } from './document.ts';

/** Characters that the server takes (rulings, section 4). */
const CELL_LIMITS = {
  step: LIMITS.stepTitle,
  task: LIMITS.stepDescription,
  assignee: 254,
  sla: 100,
} as const satisfies Record<EditorField, number>;

/** What is said under a cell; `refuses`: the document can't be saved with it. */
type CellProblem = { sentence: string; refuses: boolean };

/** What is wrong with a cell, null where nothing is. What was typed stays as it is and is flagged (rulings, section 7). */
export function cellProblem(step: Step, field: EditorField): CellProblem | null {
  const text = readCell(step, field);
  const most = CELL_LIMITS[field];
  if (text.length > most) {
    const sentence = `At most ${formatNumber(most)} characters; this has ${formatNumber(text.length)}`;
    return { sentence, refuses: true };
  }
  switch (field) {
    case 'step':
      return text.trim() === '' ? { sentence: 'This step has no name', refuses: false } : null;
    case 'assignee': {
      const sentence = assigneeProblem(text);
      return sentence === null ? null : { sentence, refuses: false };
    }
    case 'sla':
      return parseDuration(text).ok ? null : { sentence: 'Not a duration: this step has no clock', refuses: false };
    case 'task':
      return null;
  }
}

const CELL_NAMES = { step: 'step name', assignee: 'assignee', sla: 'SLA', task: 'task' } as const satisfies Record<
  EditorField,
  string
>;

/** Why these steps can't be saved, naming the first such cell; null where they can. */
export function saveRefusal(steps: readonly Step[]): string | null {
  for (const [index, step] of steps.entries()) {
    for (const field of EDITOR_FIELDS) {
      const problem = cellProblem(step, field);
      if (problem?.refuses) return `Step ${index + 1}, ${CELL_NAMES[field]}: ${problem.sentence.toLowerCase()}`;
    }
  }
  return null;
}
