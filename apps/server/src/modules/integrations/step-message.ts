import { assigneeKind, cutText } from '@stet/domain/workflows';
import { z } from 'zod';
import { momentInWords } from '../../kernel/moment-in-words.ts';
import type { SlackMessage } from '../../kernel/slack.ts';

/** What a button is about; Slack gives it back as it was, in a call that it signs. */
export const buttonValue = z.object({ o: z.uuid(), r: z.uuid(), s: z.string(), a: z.number().int() });
type ButtonValue = z.output<typeof buttonValue>;

/** The buttons that act, and the field for what is said with it. */
export const ACTIONS = { complete: 'complete_step', approve: 'approve_step' } as const;
export const INPUT = 'input';

type StepToTell = {
  title: string;
  type: string;
  due: Date | null;
  run: string;
  workflow: string;
  assignee: string;
  link: string;
  about: ButtonValue;
  /** What can be done from within Slack; a form has to be filled in in Stet. */
  canAct: boolean;
  /** The message goes to a channel, where it has to say whom it is for. */
  isForChannel: boolean;
};

/** Tells of a step that waits: run, step, due time, link, and what can be done about it at once. */
export function stepMessage(step: StepToTell): SlackMessage {
  const waits = step.isForChannel ? `waits for ${nameOf(step.assignee)}` : 'waits for you';
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

/** What stands in the message's place once it is done. */
export function settledMessage({
  title,
  run,
  link,
  said,
}: Record<'title' | 'run' | 'link' | 'said', string>): SlackMessage {
  return {
    text: escaped(`${title}: ${said}`),
    blocks: [section(`*<${link}|${escaped(title, 300)}>* of “${escaped(run)}”`), section(escaped(said))],
  };
}

/** What a client asks to be said, where the server knows of no such step: plain, and without anything to press. */
export function plainMessage({ title, workflow, link }: Record<'title' | 'workflow' | 'link', string>): SlackMessage {
  const text = escaped(`A step of “${workflow}” waits for you: ${title}`);
  return { text, blocks: [section(text), { type: 'actions', elements: [linkButton(link)] }] };
}

/** A text to people, as a notification step sends it. */
export function textMessage({ title, text, link }: Record<'title' | 'text' | 'link', string>): SlackMessage {
  return {
    text: escaped(`${title}: ${cutText(text, 200)}`),
    blocks: [
      section(`*${escaped(title, 500)}*`),
      ...(text.trim() === '' ? [] : [section(escaped(text, 2900))]),
      { type: 'actions', elements: [linkButton(link)] },
    ],
  };
}

/** What was held back for a day, each with its link. */
export function digestMessage({
  items,
  link,
}: {
  items: readonly { title: string; url: string }[];
  link: string;
}): SlackMessage {
  const title = `Daily digest, ${items.length === 1 ? '1 item' : `${items.length} items`}`;
  const shown = items.slice(0, MOST_LISTED).map(({ title: said, url }) => `• <${url}|${escaped(said, 100)}>`);
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

// Slack takes 3000 characters of a section.
const MOST_LISTED = 10;

const nameOf = (assignee: string): string =>
  assigneeKind(assignee) === 'role' ? `the ${assignee.trim().toLowerCase()}s` : assignee.trim();

const section = (text: string): object => ({ type: 'section', text: { type: 'mrkdwn', text } });
const field = (label: string, text: string): object => ({ type: 'mrkdwn', text: `*${label}*\n${text}` });

const input = (type: string): object => ({
  type: 'input',
  block_id: INPUT,
  optional: type === 'approval',
  label: { type: 'plain_text', text: type === 'approval' ? 'Comment' : 'Your input' },
  element: { type: 'plain_text_input', action_id: INPUT, multiline: true, max_length: 3000 },
});

const actButton = ({ type, about }: StepToTell): object => ({
  type: 'button',
  style: 'primary',
  action_id: type === 'approval' ? ACTIONS.approve : ACTIONS.complete,
  text: { type: 'plain_text', text: type === 'approval' ? 'Approve' : 'Complete' },
  value: JSON.stringify(about),
});

const linkButton = (url: string): object => ({
  type: 'button',
  action_id: 'open',
  text: { type: 'plain_text', text: 'Open in Stet' },
  url,
});

/** Slack shows a moment in each reader's own time zone. */
const moment = (at: Date): string =>
  `<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty}, {time}|${momentInWords(at)}>`;

/** The three characters that mean something in Slack's texts, with or without blocks: of people's words none may. */
export const escaped = (text: string, most = 1000): string =>
  cutText(text, most).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
