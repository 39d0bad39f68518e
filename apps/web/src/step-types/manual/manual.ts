import { checkFieldList } from '@stet/domain/steps';
import { SquarePen } from 'lucide-react';
import type { StepParts } from '../parts.ts';

export const manual: StepParts<'manual'> = {
  icon: SquarePen,
  purpose: 'A person does the work and records the result',
  loadSettings: async () => (await import('./manual-settings.tsx')).ManualSettings,
  notes: ({ config }) =>
    checkFieldList(config.fields ?? []).map(({ index, problem }) => ({
      kind: 'problem',
      text: `Form field ${index + 1}: ${problem}`,
    })),
  loadPanel: async () => (await import('./manual-panel.tsx')).ManualPanel,
};
