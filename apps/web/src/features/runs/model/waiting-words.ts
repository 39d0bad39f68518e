import { STEP_KINDS, type Step } from '@stet/domain/steps';
import type { RunStep } from '@stet/contract';
import { formatClock } from '../../../lib/format/time.ts';

const CHANNEL_WORDS = { email: 'e-mail', slack: 'Slack', 'in-app': 'the application' } as const;

/** What the server does in a step that no person completes. `code` is an expression. */
export function waitingWords(step: RunStep, plan: Step | undefined): { words: string; code: string } {
  const since = step.activatedAt ? ` since ${formatClock(step.activatedAt)}` : '';
  if (plan?.type === 'condition')
    return { words: `Evaluating on the server${since}`, code: plan.config.condition ?? '' };
  if (plan?.type === 'notification') {
    const { recipients = [], channels = STEP_KINDS.notification.defaults.config.channels } = plan.config;
    const to = recipients.length === 1 ? '1 recipient' : `${recipients.length} recipients`;
    return {
      words: `Being sent to ${to} by ${channels.map((each) => CHANNEL_WORDS[each]).join(', ')}${since}`,
      code: '',
    };
  }
  const timeout =
    plan?.type === 'automated' ? (plan.config.timeout ?? STEP_KINDS.automated.defaults.config.timeout) : null;
  const limit = timeout === null || step.simulated ? '' : `, timeout ${timeout} s`;
  return { words: `Running on the server${since}${limit}`, code: '' };
}
