import { branchNamed } from '@stet/domain/steps';
import { isolated } from '@stet/domain/workflows';
import { Split } from 'lucide-react';
import type { StepParts } from '../parts.ts';
import { sinceWords } from '../run/since-words.ts';

export const condition: StepParts<'condition'> = {
  icon: Split,
  purpose: 'Chooses the next step',
  loadSettings: async () => (await import('./condition-settings.tsx')).ConditionSettings,
  notes: ({ config }) =>
    config.condition?.trim() ? [] : [{ kind: 'hint', text: 'No condition yet. A run would fail here' }],
  expression: ({ config }) => config.condition ?? '',
  activity: ({ config }, step) => ({
    words: `Evaluating on the server${sinceWords(step)}`,
    expression: config.condition ?? '',
  }),
  outcome: ({ result }, planned, { workflow }) => {
    const target = branchNamed(planned, result);
    const title = workflow.steps.find(({ id }) => id === target)?.title;
    return {
      words: `was ${String(result)}${title === undefined ? '' : `, continued with ${isolated(title)}`}`,
      expression: planned.config.condition ?? '',
      isWholeOutput: true,
    };
  },
};
