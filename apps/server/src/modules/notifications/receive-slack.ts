import { z } from 'zod';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import type { FromSlack } from './act-from-slack.job.ts';
import { ACTIONS, INPUT, buttonValue } from './slack-messages.ts';

// The fields of Slack's request that the server uses. It ignores all others.
const pressed = z.object({
  type: z.literal('block_actions'),
  trigger_id: z.string().min(1).max(200),
  team: z.object({ id: z.string() }),
  user: z.object({ id: z.string() }),
  container: z.object({ channel_id: z.string(), message_ts: z.string() }),
  actions: z.tuple([z.object({ action_id: z.string(), value: z.string().optional() })]),
  state: z
    .object({ values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))) })
    .optional(),
});

/** Enqueues an action from Slack. Slack expects a response within three seconds. */
export const receiveSlack: Handler<'POST /api/integrations/slack/interactivity'> = async (deps, { body, headers }) => {
  const { slack } = deps;
  if (!slack?.receivesActions) throw new Refused({ code: 'not_found', what: 'slack_app' });
  const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = headers;
  const call = { signature: textOf(signature), timestamp: textOf(timestamp), body };
  if (!slack.isGenuine(call, Date.now())) throw new Refused({ code: 'not_from_slack' });
  const action = actionOf(new URLSearchParams(body).get('payload') ?? '');
  if (action) {
    const { orgId, trigger } = action;
    await deps.db.transaction({ orgId, userId: null }, async (tx) =>
      enqueueJobs(tx, [{ task: 'act_from_slack', payload: action, key: `slack:act:${trigger}` }]),
    );
    deps.pokeOutbox();
  }
  return answer(Buffer.alloc(0));
};

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;

/** Returns the action if one of our buttons was clicked. Otherwise null, because Slack also reports clicks on links. */
function actionOf(payload: string): FromSlack | null {
  const press = pressed.safeParse(jsonOf(payload)).data;
  const button = press?.actions[0];
  const about = buttonValue.safeParse(jsonOf(button?.value ?? '')).data;
  const isOurs = button?.action_id === ACTIONS.complete || button?.action_id === ACTIONS.approve;
  if (!press || !button || !about || !isOurs) return null;
  return {
    orgId: about.o,
    runId: about.r,
    stepId: about.s,
    activation: about.a,
    action: button.action_id === ACTIONS.approve ? 'approve' : 'complete',
    text: press.state?.values[INPUT]?.[INPUT]?.value?.trim() ?? '',
    teamId: press.team.id,
    slackUserId: press.user.id,
    channel: press.container.channel_id,
    ts: press.container.message_ts,
    trigger: press.trigger_id,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
