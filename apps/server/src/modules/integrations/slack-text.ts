import { cutText } from '@stet/domain/workflows';
import type { SlackMessage } from '../../kernel/slack.ts';

/** The Slack message that a notification step sends, or that contains a personal notification. */
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

export const section = (text: string): object => ({ type: 'section', text: { type: 'mrkdwn', text } });

export const linkButton = (url: string): object => ({
  type: 'button',
  action_id: 'open',
  text: { type: 'plain_text', text: 'Open in Stet' },
  url,
});

/** Cuts a text, and escapes the three control characters of Slack messages. Use it for all text written by people. */
export const escaped = (text: string, most = 1000): string =>
  cutText(text, most).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
