import { assignedGroup, assigneeKind, assigneeNames } from '@stet/domain/access';
import { z } from 'zod';
import { momentInWords } from '@stet/presentation/moment-in-words';
import type { SlackMessage } from '../../kernel/slack.ts';
import { escaped, linkButton, section } from '../integrations/index.ts';

/**
 * The ids of the organization, run, step and activation that a button acts on. Slack returns this value unchanged in a
 * signed request.
 */
export const buttonValue = z.object({ o: z.uuid(), r: z.uuid(), s: z.string(), a: z.number().int() });
type ButtonValue = z.output<typeof buttonValue>;

/** The ids of the action buttons. */
export const ACTIONS = { complete: 'complete_step', approve: 'approve_step' } as const;
export const INPUT = 'input';

type StepInSlack = {
  title: string;
  type: string;
  due: Date | null;
  run: string;
  workflow: string;
  assignee: string;
  link: string;
  about: ButtonValue;
  /** True if the step can be done in Slack. A step with a form can be done only in Stet. */
  canAct: boolean;
  /** True if the message is sent to a channel and therefore has to name its recipient. */
  isForChannel: boolean;
};

/**
 * The message about a step that is waiting: step, run, workflow, due time and a link. If the step can be done in Slack,
 * also a text field and a button.
 */
export function stepMessage(step: StepInSlack): SlackMessage {
  const waits = step.isForChannel ? `is waiting for ${nameOf(step.assignee)}` : 'is waiting for you';
  return {
    text: escaped(`${step.title} ${waits}: ${step.run}`),
    blocks: [
      section(`*<${step.link}|${escaped(step.title, 300)}>* ${escaped(waits, 300)}.`),
      {
        type: 'section',
        fields: [
          field('Run', escaped(step.run)),
          field('Workflow', escaped(step.workflow)),
          field('Due', step.due ? moment(step.due) : 'No due time'),
        ],
      },
      ...(step.canAct ? [input(step.type)] : []),
      { type: 'actions', elements: [...(step.canAct ? [actButton(step)] : []), linkButton(step.link)] },
    ],
  };
}

/** The message that replaces the previous one when the step is no longer waiting, or waits for someone else. */
export function finishedMessage({
  title,
  run,
  link,
  outcome,
}: Record<'title' | 'run' | 'link' | 'outcome', string>): SlackMessage {
  return {
    text: escaped(`${title}: ${outcome}`),
    blocks: [section(`*<${link}|${escaped(title, 300)}>* in “${escaped(run)}”`), section(escaped(outcome))],
  };
}

/** The message that a client requests for a step that the server doesn't have: plain text with a link to My tasks. */
export function plainMessage({ title, workflow, link }: Record<'title' | 'workflow' | 'link', string>): SlackMessage {
  const text = escaped(`A step in “${workflow}” is waiting for you: ${title}`);
  return { text, blocks: [section(text), { type: 'actions', elements: [linkButton(link)] }] };
}

/** The digest of a day, with links to its first items and the number of the others. */
export function digestMessage({
  items,
  link,
}: {
  items: readonly { title: string; url: string }[];
  link: string;
}): SlackMessage {
  const title = `Daily digest, ${items.length === 1 ? '1 item' : `${items.length} items`}`;
  const shown = items.slice(0, MAX_LISTED).map(({ title: outcome, url }) => `• <${url}|${escaped(outcome, 100)}>`);
  const rest = items.length - shown.length;
  return {
    text: title,
    blocks: [
      section(`*${title}*`),
      section([...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')),
      { type: 'actions', elements: [linkButton(link)] },
    ],
  };
}

// The list is one section, and Slack accepts at most 3000 characters per section.
const MAX_LISTED = 10;

/** The people that an assignee names, for example `the reviewers, the group finance`. */
export const nameOf = (assignee: string): string =>
  assigneeNames(assignee)
    .map((name) => {
      const group = assignedGroup(name);
      if (group !== null) return `the group ${group}`;
      if (assigneeKind(name) === 'role') return `the ${name.toLowerCase()}s`;
      return assigneeKind(name) === 'starter' ? 'the person who started the run' : name;
    })
    .join(', ');

const field = (label: string, text: string): object => ({ type: 'mrkdwn', text: `*${label}*\n${text}` });

const input = (type: string): object => ({
  type: 'input',
  block_id: INPUT,
  optional: type === 'approval',
  label: { type: 'plain_text', text: type === 'approval' ? 'Comment' : 'Your input' },
  element: { type: 'plain_text_input', action_id: INPUT, multiline: true, max_length: 3000 },
});

const actButton = ({ type, about }: StepInSlack): object => ({
  type: 'button',
  style: 'primary',
  action_id: type === 'approval' ? ACTIONS.approve : ACTIONS.complete,
  text: { type: 'plain_text', text: type === 'approval' ? 'Approve' : 'Complete' },
  value: JSON.stringify(about),
});

/** A time that Slack shows each reader in their time zone. */
const moment = (at: Date): string =>
  `<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty}, {time}|${momentInWords(at)}>`;
