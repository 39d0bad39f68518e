import { formatDuration } from '../sla/duration.ts';
import { SCRIPT_SECONDS, STEP_DEFAULTS } from '../defaults/table.ts';
import type { NotificationChannel, Step } from '../workflows/step.ts';

const CHANNEL_WORDS = {
  email: 'email',
  slack: 'Slack',
  'in-app': 'a notice in the app',
} as const satisfies Record<NotificationChannel, string>;

/** What a step asks for beside its task, each as a sentence without its full stop; none where there is nothing to say. */
export function stepRules(step: Step): string[] {
  switch (step.type) {
    case 'manual': {
      const role = step.config.assignedRole?.trim();
      return step.config.requiresApproval
        ? [
            role
              ? `Another person with the role ${role} approves what is entered`
              : 'Another person approves what is entered',
          ]
        : [];
    }
    case 'approval': {
      const {
        minimumApprovers = STEP_DEFAULTS.approval.config.minimumApprovers,
        separateFrom,
        assignedRole,
      } = step.config;
      const role = assignedRole?.trim();
      return [
        ...(minimumApprovers > 1 ? [`${minimumApprovers} people have to approve`] : []),
        ...(role ? [`Whoever has the role ${role} may decide`] : []),
        ...(separateFrom ? ['Who completed the step before may not decide here'] : []),
      ];
    }
    case 'automated': {
      const { script, timeout = STEP_DEFAULTS.automated.config.timeout } = step.config;
      return (script ?? '').trim() === ''
        ? ['Simulated by the server: no script is set']
        : [`Carried out by the server, within ${secondsInWords(Math.min(timeout, SCRIPT_SECONDS.ceiling))}`];
    }
    case 'condition':
      return [];
    case 'notification':
      return notificationRules(step.config.recipients ?? [], step.config.channels ?? []);
  }
}

function notificationRules(recipients: readonly string[], channels: readonly NotificationChannel[]): string[] {
  const to = recipients.filter((recipient) => recipient.trim() !== '').join(', ');
  const by = channels.map((channel) => CHANNEL_WORDS[channel]).join(', ');
  if (to === '' && by === '') return [];
  return [['Sent', to && `to ${to}`, by && `by ${by}`].filter((part) => part !== '').join(' ')];
}

const secondsInWords = (seconds: number): string =>
  seconds < 60 || seconds % 60 !== 0 ? `${seconds} seconds` : formatDuration(seconds * 1000);
