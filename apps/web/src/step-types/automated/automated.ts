import { STEP_KINDS } from '@stet/domain/steps';
import { durationInWords } from '@stet/presentation/duration-in-words';
import { Cpu } from 'lucide-react';
import type { StepParts } from '../parts.ts';
import { sinceWords } from '../run/since-words.ts';

export const automated: StepParts<'automated'> = {
  icon: Cpu,
  purpose: 'A script runs on the server',
  loadSettings: async () => (await import('./automated-settings.tsx')).AutomatedSettings,
  activity: ({ config }, step) => {
    const { timeout = STEP_KINDS.automated.defaults.config.timeout } = config;
    const limit = step.simulated ? '' : `, timeout ${timeout} s`;
    return { words: `Running on the server${sinceWords(step)}${limit}`, expression: '' };
  },
  outcome: ({ simulated, reportedMs }) =>
    simulated
      ? {
          words: `Took ${reportedMs === null ? 'no time' : durationInWords(reportedMs, 'seconds')}`,
          expression: '',
          // The simulated output contains only this time and the flag `simulated`.
          isWholeOutput: true,
        }
      : null,
};
