import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, message, moment } from './shared.ts';

export const notification = z.object({
  id,
  /** step_assigned, run_failed, message, input_submitted, input_returned, sla_at_risk, sla_breached; there may be more to come. */
  kind: z.string(),
  title: z.string(),
  body: z.string(),
  runId: id.nullable(),
  stepId: z.string().nullable(),
  createdAt: moment,
  /** Null while it is unread. */
  readAt: moment.nullable(),
});
export type Notification = z.infer<typeof notification>;

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
