import { LIMITS } from '@stet/domain/workflows';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { HOUR, message, moment } from './shared.ts';

const channel = z.object({ id: z.string(), name: z.string() });
export type SlackChannel = z.infer<typeof channel>;

export const slackStatus = z.object({
  connected: z.boolean(),
  /** Whether this installation has a Slack app. */
  available: z.boolean(),
  /** The workspace's name. */
  workspace: z.string().nullable(),
  /**
   * The channel for messages about steps that aren't assigned to a single person, or whose assignee isn't found in
   * Slack.
   */
  channel: channel.nullable(),
  /** The reason why Slack rejects messages although the organization is connected; null while Slack accepts them. */
  problem: z.string().nullable(),
  connectedAt: moment.nullable(),
  connectedBy: z.string().nullable(),
});
export type SlackStatus = z.infer<typeof slackStatus>;

const secret = z.string().min(1).max(4000);
const page = { contentType: 'text/html; charset=utf-8' } as const;

/** Slack: connecting a workspace, and notifying people there of their steps (specification, sections 2 and 7). */
export const integrationRoutes = {
  'GET /api/integrations/slack/status': {
    access: 'workflow.read',
    summary: 'The Slack connection of the organization and its workspace',
    ok: slackStatus,
  },
  'POST /api/integrations/slack/tickets': {
    access: 'org.manage',
    tokens: 'none',
    summary:
      'A ticket for one navigation to `install`, valid for one minute; it is needed because a navigating browser sends no token',
    ok: z.object({ url: z.string() }),
    rateLimit: { name: 'slack-ticket', perAddress: 60, perAccount: 30, windowSeconds: HOUR },
  },
  'GET /api/integrations/slack/install': {
    access: 'public',
    summary: 'Redirect to Slack to request the connection; without a ticket, redirect to the integrations screen',
    query: z.strictObject({ ticket: secret.optional() }),
    ok: page,
    status: 302,
    rateLimit: { name: 'slack-install', perAddress: 120, windowSeconds: HOUR },
  },
  'GET /api/integrations/slack/callback': {
    access: 'public',
    summary: 'Callback for Slack; redirects to the integrations screen with `slack=success` or `slack=error`',
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
    summary: 'Receives Slack’s signed requests when someone uses a button',
    body: z.string().max(100_000),
    bodyKind: 'form',
    ok: { contentType: 'text/plain; charset=utf-8' },
  },
  'POST /api/integrations/slack/notify': {
    access: 'workflow.read',
    summary:
      'Notify the assignee of a step in Slack; a notification that the server sends itself is not sent twice. Allowed for every member; API tokens need `step.act_assigned`',
    body: z.strictObject({
      assignee: z.string().trim().min(1).max(LIMITS.assignee),
      message: z.string().trim().min(1).max(300).describe('The step’s title'),
      workflowName: z.string().trim().min(1).max(200),
    }),
    ok: message,
    rateLimit: { name: 'slack-notify', perAddress: 1200, perAccount: 600, windowSeconds: HOUR },
  },
  'GET /api/integrations/slack/channels': {
    access: 'org.manage',
    summary: 'The workspace’s public channels; empty if the organization isn’t connected',
    ok: z.array(channel),
  },
  'PATCH /api/integrations/slack': {
    access: 'org.manage',
    summary: 'Set the channel for steps of roles, groups, and people who have no Slack account; null for none',
    body: z.strictObject({ channelId: z.string().trim().min(1).max(100).nullable() }),
    ok: slackStatus,
  },
  'DELETE /api/integrations/slack': {
    access: 'org.manage',
    summary: 'Disconnect the organization from Slack',
    ok: slackStatus,
  },
} satisfies Routes;
