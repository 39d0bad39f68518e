import { createHmac, randomBytes } from 'node:crypto';
import type { SlackPosted } from './slack-blocks.ts';

export const SIGNING_SECRET = 'a signing secret of the tests';

/** A click on a button in a message. */
export type Press = {
  message: SlackPosted;
  action: string;
  userId: string;
  input?: string;
  trigger?: string;
  team?: string;
};

/** The payload that Slack sends for a click. */
export function payloadOf({ message, action, userId, input, trigger }: Press, teamId: string): string {
  const button = message.blocks.flatMap(({ elements = [] }) => elements).find(({ action_id }) => action_id === action);
  if (!button) throw new Error(`the message has no button ${action}`);
  const field = message.blocks.find(({ type }) => type === 'input')?.block_id;
  const payload = {
    type: 'block_actions',
    team: { id: teamId, domain: 'halden' },
    user: { id: userId, team_id: teamId },
    api_app_id: 'A0APP',
    trigger_id: trigger ?? `${Date.now()}.${randomBytes(6).toString('hex')}`,
    container: { type: 'message', message_ts: message.ts, channel_id: message.channel },
    actions: [{ type: 'button', action_id: action, block_id: 'b', value: button.value }],
    state: {
      values: field === undefined ? {} : { [field]: { [field]: { type: 'plain_text_input', value: input ?? null } } },
    },
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

/** Sends a call with a signature like Slack's. The secret, the time and the signature can be wrong. */
export function sendSigned(
  to: string,
  body: string,
  { secret = SIGNING_SECRET, seconds = Math.floor(Date.now() / 1000), signature = '' } = {},
): Promise<Response> {
  const signed = `v0=${createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')}`;
  return fetch(to, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(seconds),
      'x-slack-signature': signature || signed,
    },
    body,
  });
}
