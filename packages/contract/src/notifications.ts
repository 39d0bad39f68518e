import { NEWS, NEWS_CHANNELS, PACES } from '@stet/domain/notifications';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, message, moment } from './shared.ts';

export const notification = z.object({
  id,
  /**
   * step_assigned, run_failed, message, input_submitted, input_returned, sla_at_risk, sla_breached, review_requested, draft_approved,
   * draft_changes_requested, draft_merged, draft_withdrawn, mentioned; there may be more to come.
   */
  kind: z.string(),
  title: z.string(),
  body: z.string(),
  runId: id.nullable(),
  stepId: z.string().nullable(),
  /** The draft that it is about. */
  draft: z.object({ key: z.string(), id }).nullable(),
  createdAt: moment,
  /** Null while it is unread. */
  readAt: moment.nullable(),
});
export type Notification = z.infer<typeof notification>;

const pace = z.enum(PACES);
const paces = z.object({ 'in-app': pace, email: pace, slack: pace });
const preferences = z.object({
  /** By kind of news and channel: at once, in the daily digest, or not at all. */
  paces: z.object({ assignments: paces, sla: paces, review_requests: paces, decisions: paces, mentions: paces }),
  /** When the daily digest goes out: the hour, on the organization's clock. */
  digest: z.object({ hour: z.number().int(), timeZone: z.string() }),
  slackConnected: z.boolean(),
});
export type NotificationPreferences = z.infer<typeof preferences>;

export const notificationRoutes = {
  'GET /api/notifications': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'What the signed-in person was told in this organization, newest first; X-Next-Cursor names the next page',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(100).default(30),
      cursor: z.string().max(200).optional(),
      unread: z.stringbool().optional(),
    }),
    ok: z.array(notification),
  },
  'GET /api/notifications/count': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'How many are unread; 100 stands for that and more',
    ok: z.object({ unread: z.number().int() }),
  },
  'GET /api/notifications/preferences': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'How the signed-in person wants to be told in this organization',
    ok: preferences,
  },
  'PATCH /api/notifications/preferences': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Pick how one kind of news is told over one channel; assignments always stand in the application',
    body: z.strictObject({ news: z.enum(NEWS), channel: z.enum(NEWS_CHANNELS), pace }),
    ok: preferences,
  },
  'POST /api/notifications/{id}/read': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Mark one as read',
    params: z.strictObject({ id }),
    ok: notification,
  },
  'POST /api/notifications/read': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Mark all as read that came up to a moment, now where none is given',
    body: z.strictObject({ upTo: moment.optional() }).optional(),
    ok: message,
  },
} satisfies Routes;
