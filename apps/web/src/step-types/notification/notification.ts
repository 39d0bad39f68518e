import { STEP_KINDS } from '@stet/domain/steps';
import { isolated } from '@stet/domain/workflows';
import { Send } from 'lucide-react';
import type { StepParts } from '../parts.ts';
import { sinceWords } from '../run/since-words.ts';

const CHANNEL_WORDS = { email: 'email', slack: 'Slack', 'in-app': 'the app' } as const;

export const notification: StepParts<'notification'> = {
  icon: Send,
  purpose: 'Notifies people by email, in Slack or in the app',
  loadSettings: async () => (await import('./notification-settings.tsx')).NotificationSettings,
  activity: ({ config }, step) => {
    const { recipients = [], channels = STEP_KINDS.notification.defaults.config.channels } = config;
    const to = recipients.length === 1 ? '1 recipient' : `${recipients.length} recipients`;
    const by = channels.map((each) => CHANNEL_WORDS[each]).join(', ');
    return { words: `Being sent to ${to} via ${by}${sinceWords(step)}`, expression: '' };
  },
  outcome: ({ undeliverable }) => ({
    words: undeliverable.length === 0 ? 'Sent to everyone' : `Not reached: ${undeliverable.map(isolated).join(', ')}`,
    expression: '',
    isWholeOutput: false,
  }),
};
