import { type ServerKind, SKIP, type Skippable, skipRule } from '../kind.ts';

/** The channels of a notification step. */
export const NOTIFICATION_CHANNELS = ['email', 'slack', 'in-app'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

export type NotificationConfig = Skippable & {
  recipients?: string[];
  template?: string;
  channels?: NotificationChannel[];
};

export type NotificationReport = { undeliverable: string[] };

const CHANNEL_WORDS = {
  email: 'email',
  slack: 'Slack',
  'in-app': 'a notification in the app',
} as const satisfies Record<NotificationChannel, string>;

const DEFAULTS = { sla: '5m', config: { channels: ['email', 'in-app'] } } as const;

/** The server sends a message. */
export const notification = {
  name: 'Notification',
  performedBy: 'server',
  isWork: false,
  defaults: DEFAULTS,
  settings: {
    recipients: { label: 'Recipients', limit: 100, entryLimit: 254, isExact: true },
    template: { label: 'Message', limit: 20_000, isTemplate: true },
    channels: { label: 'Channels', limit: NOTIFICATION_CHANNELS.length },
    skip: SKIP,
  },
  bpmn: {
    element: 'sendTask',
    readFrom: ['sendTask'],
    nameless: 'Message',
    configOf: (_drawn, note) => {
      note('message', 'Enter the recipients and the text');
      return { channels: [...DEFAULTS.config.channels] };
    },
  },
  outputs: () => null,
  rules: ({ recipients = [], channels = [], skip }) => {
    const to = recipients.filter((recipient) => recipient.trim() !== '').join(', ');
    const by = channels.map((channel) => CHANNEL_WORDS[channel]).join(', ');
    const sent = ['Sent', to && `to ${to}`, by && `by ${by}`].filter((part) => part !== '').join(' ');
    return [...(to === '' && by === '' ? [] : [sent]), ...skipRule(skip)];
  },
  findings: ({ config: { recipients = [] } }) =>
    recipients.some((recipient) => recipient.trim() !== '')
      ? []
      : [
          {
            severity: 'error',
            code: 'no_recipients',
            sentence: 'The recipients are missing, so nobody gets the message.',
          },
        ],
  integrations: ({ channels = [] }) => channels,
  reportWords: ({ undeliverable }) =>
    undeliverable.length === 0 ? 'sent to all recipients' : `could not be sent to ${undeliverable.join(', ')}`,
} as const satisfies ServerKind<NotificationConfig, NotificationReport>;
