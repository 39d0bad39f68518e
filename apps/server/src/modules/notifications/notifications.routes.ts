import type { Notification } from '@stet/contract';
import { ORG_ROLES } from '@stet/domain/access';
import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { notifyInSlack } from './notify-in-slack.ts';
import { preferenceHandlers } from './preferences.ts';
import { receiveSlack } from './receive-slack.ts';
import {
  type NotificationRow,
  countUnreadThreads,
  listNotifications,
  listThreads,
  listUnreadNotifications,
  listUnreadThreads,
  markNotificationRead,
  markNotificationsRead,
} from './notifications.sql.ts';

const MAX_COUNTED = 100;

export const notificationHandlers = {
  ...preferenceHandlers,
  'POST /api/integrations/slack/interactivity': receiveSlack,
  'POST /api/integrations/slack/notify': notifyInSlack,

  'GET /api/notifications': async ({ db }, { actor, query }) => {
    const { limit, cursor, unread, grouped, kind, workflow } = query;
    const [all, unreadOnly] = grouped ? [listThreads, listUnreadThreads] : [listNotifications, listUnreadNotifications];
    const after = cursor === undefined ? null : readCursor(cursor);
    const at = { orgId: actor.orgId, userId: actor.userId, limit: limit + 1 };
    const rows = await db.transaction(actor, (tx) =>
      tx.many(unread ? unreadOnly : all, {
        ...at,
        beforeAt: after?.at ?? null,
        beforeId: after?.id ?? null,
        kind: kind ?? null,
        workflow: workflow ?? null,
      }),
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return answer(
      page.map(present),
      rows.length > limit && last ? { 'x-next-cursor': `${last.created_at.toISOString()}_${last.id}` } : {},
    );
  },

  'GET /api/notifications/count': async ({ db }, { actor }) => {
    const { orgId, userId } = actor;
    const row = await db.transaction(actor, (tx) =>
      tx.maybeOne(countUnreadThreads, { orgId, userId, limit: MAX_COUNTED }),
    );
    return answer({ unread: row?.unread ?? 0 });
  },

  'POST /api/notifications/{id}/read': async ({ db }, { actor, once, params, body }) =>
    db.changeOnce(actor, once, async (tx) => {
      const group = body?.group ?? false;
      const which = { orgId: actor.orgId, userId: actor.userId, id: params.id, group };
      const row = await tx.maybeOne(markNotificationRead, which);
      if (!row) throw new Refused({ code: 'not_found', what: 'notification' });
      return answer(present({ ...row, count: 1 }));
    }),

  'POST /api/notifications/read': async ({ db }, { actor, once, body }) =>
    db.changeOnce(actor, once, async (tx) => {
      tx.write(markNotificationsRead, { orgId: actor.orgId, userId: actor.userId, upTo: body?.upTo ?? null });
      return answer({ message: 'Marked as read' });
    }),
} satisfies Partial<Handlers>;

const present = (row: NotificationRow): Notification => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  body: row.body,
  runId: row.run_id,
  stepId: row.step_id,
  draft: row.workflow_key !== null && row.draft_id !== null ? { key: row.workflow_key, id: row.draft_id } : null,
  workflowKey: row.workflow_key,
  role: roleIn(row.thread),
  count: row.count,
  createdAt: row.created_at.toISOString(),
  readAt: row.read_at?.toISOString() ?? null,
  closedAt: row.closed_at?.toISOString() ?? null,
});

/** The role whose batch of notifications this thread is. Null for other threads. */
const roleIn = (thread: string): Notification['role'] =>
  ORG_ROLES.find((role) => thread.startsWith(`role:${role}:`)) ?? null;

function readCursor(cursor: string): { at: string; id: string } {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\da-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor for this list' }] });
  return { at, id };
}
