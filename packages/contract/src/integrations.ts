import { z } from 'zod';
import type { Routes } from './route.ts';
import { HOUR, message, moment } from './shared.ts';

const channel = z.object({ id: z.string(), name: z.string() });
export type SlackChannel = z.infer<typeof channel>;

export const slackStatus = z.object({
  connected: z.boolean(),
  /** Whether this installation has a Slack app at all. */
  available: z.boolean(),
  /** The workspace's name. */
  workspace: z.string().nullable(),
  /** Where messages go whose assignee is not found in Slack. */
  channel: channel.nullable(),
  /** Why Slack takes no messages any more, though connected; null while it does. */
  problem: z.string().nullable(),
  connectedAt: moment.nullable(),
  connectedBy: z.string().nullable(),
});
export type SlackStatus = z.infer<typeof slackStatus>;

const secret = z.string().min(1).max(4000);
const page = { contentType: 'text/html; charset=utf-8' } as const;

/** Slack: connecting a workspace, and telling people there of their steps (specification, sections 2 and 7). */
export const integrationRoutes = {
  'GET /api/integrations/slack/status': {
    access: 'workflow.read',
    summary: 'Whether the organization is connected to Slack, and to which workspace',
    ok: slackStatus,
  },
  'POST /api/integrations/slack/tickets': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'A ticket for one navigation to `install`, good for a minute; a browser that navigates sends no token',
    ok: z.object({ url: z.string() }),
    rateLimit: { name: 'slack-ticket', perAddress: 60, perAccount: 30, windowSeconds: HOUR },
  },
  'GET /api/integrations/slack/install': {
    access: 'public',
    summary: 'Go to Slack and ask for the connection; without a ticket, to the integrations screen',
    query: z.strictObject({ ticket: secret.optional() }),
    ok: page,
    status: 302,
    rateLimit: { name: 'slack-install', perAddress: 120, windowSeconds: HOUR },
  },
  'GET /api/integrations/slack/callback': {
    access: 'public',
    summary:
      'Where Slack sends the browser back to; goes on to the integrations screen with `slack=success` or `slack=error`',
    query: z.strictObject({
      code: secret.optional(),
      state: secret.optional(),
      error: z.string().max(200).optional(),
      error_description: z.string().max(1000).optional(),
    }),
    ok: page,
    status: 302,
    rateLimit: { name: 'slack-callback', perAddress: 120, windowSeconds: HOUR },
  },
  'POST /api/integrations/slack/interactivity': {
    access: 'public',
    summary: 'Slack’s own call when someone uses a button; signed by Slack',
    body: z.string().max(100_000),
    bodyKind: 'form',
    ok: { contentType: 'text/plain; charset=utf-8' },
  },
  'POST /api/integrations/slack/notify': {
    access: 'workflow.read',
    summary:
      'Tell the assignee of a step in Slack; what the server has told or will tell by itself is told once. Every member may; an API token needs `step.act_assigned`',
    body: z.strictObject({
      assignee: z.string().trim().min(1).max(254),
      message: z.string().trim().min(1).max(300).describe('The step’s title'),
      workflowName: z.string().trim().min(1).max(200),
    }),
    ok: message,
    rateLimit: { name: 'slack-notify', perAddress: 1200, perAccount: 600, windowSeconds: HOUR },
  },
  'GET /api/integrations/slack/channels': {
    access: 'org.manage',
    summary: 'The workspace’s public channels; none where the organization is not connected',
    ok: z.array(channel),
  },
  'PATCH /api/integrations/slack': {
    access: 'org.manage',
    summary: 'Pick the channel for assignees who are not found in Slack; null for none',
    body: z.strictObject({ channelId: z.string().trim().min(1).max(100).nullable() }),
    ok: slackStatus,
  },
  'DELETE /api/integrations/slack': {
    access: 'org.manage',
    summary: 'Disconnect the organization from Slack',
    ok: slackStatus,
  },
} satisfies Routes;
