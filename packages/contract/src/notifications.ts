import { PREFERENCE_KINDS, PREFERENCE_CHANNELS, PACES } from '@stet/domain/notifications';
import { ORG_ROLES } from '@stet/domain/access';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, message, moment } from './shared.ts';

export const notification = z.object({
  id,
  /** For example `step_assigned` or `draft_merged`. Releases can add kinds, so programs should ignore unknown ones. */
  kind: z.string(),
  title: z.string(),
  body: z.string(),
  runId: id.nullable(),
  stepId: z.string().nullable(),
  /** The draft that the notification refers to. */
  draft: z.object({ key: z.string(), id }).nullable(),
  /** The workflow of the run or the draft. */
  workflowKey: z.string().nullable(),
  /** The role whose members are notified of a batch of steps; null for a notification about a single object. */
  role: z.enum(ORG_ROLES).nullable(),
  /** In a grouped list, how many notifications are in the group, of which this is the newest; otherwise 1. */
  count: z.number().int(),
  createdAt: moment,
  /** Null while unread. In a grouped list, null while any in the group is unread. */
  readAt: moment.nullable(),
  /** When a request for a review was met or withdrawn. */
  closedAt: moment.nullable(),
});
export type Notification = z.infer<typeof notification>;

const pace = z.enum(PACES);
const paces = z.object({ 'in-app': pace, email: pace, slack: pace });
const preferences = z.object({
  /** For each kind of notification and each channel: immediately, in the daily digest, or off. */
  paces: z.object({ assignments: paces, sla: paces, review_requests: paces, decisions: paces, mentions: paces }),
  /** When the daily digest is sent: the hour, in the organization's time zone. */
  digest: z.object({ hour: z.number().int(), timeZone: z.string() }),
  slackConnected: z.boolean(),
});
export type NotificationPreferences = z.infer<typeof preferences>;

export const notificationRoutes = {
  'GET /api/notifications': {
    access: 'workflow.read',
    tokens: 'personal',
    summary:
      'The user’s notifications in this organization, newest first; X-Next-Cursor contains the cursor of the next page',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(100).default(30),
      cursor: z.string().max(200).optional(),
      unread: z.stringbool().optional(),
      /**
       * One entry for each run, each draft, and each batch of steps for a role, with the newest of its notifications.
       */
      grouped: z.stringbool().optional(),
      /** The kind of notification in the preferences, or `other` if it can't be turned off. */
      kind: z.enum([...PREFERENCE_KINDS, 'other']).optional(),
      workflow: z.string().max(200).optional(),
    }),
    ok: z.array(notification),
  },
  'GET /api/notifications/count': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Number of unread notifications, grouped by object; 100 means 100 or more',
    ok: z.object({ unread: z.number().int() }),
  },
  'GET /api/notifications/preferences': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'The user’s notification preferences in this organization',
    ok: preferences,
  },
  'PATCH /api/notifications/preferences': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Set how one kind of notification is delivered on one channel; assignments always appear in the app',
    body: z.strictObject({ news: z.enum(PREFERENCE_KINDS), channel: z.enum(PREFERENCE_CHANNELS), pace }),
    ok: preferences,
  },
  'POST /api/notifications/{id}/read': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Mark one notification as read and, with `group`, the earlier ones of its group',
    params: z.strictObject({ id }),
    body: z.strictObject({ group: z.boolean().optional() }).optional(),
    ok: notification,
  },
  'POST /api/notifications/read': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Mark all notifications up to a time as read; the default is now',
    body: z.strictObject({ upTo: moment.optional() }).optional(),
    ok: message,
  },
} satisfies Routes;
