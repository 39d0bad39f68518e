import type { Notification } from '@stet/contract';
import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { notifyInSlack } from './notify-in-slack.ts';
import { preferenceHandlers } from './preferences.ts';
import { receiveSlack } from './receive-slack.ts';
import {
  type NotificationRow,
  countUnreadNotifications,
  listNotifications,
  listUnreadNotifications,
  markNotificationRead,
  markNotificationsRead,
} from './notifications.sql.ts';

const MOST_COUNTED = 100;

export const notificationHandlers = {
  ...preferenceHandlers,
  'POST /api/integrations/slack/interactivity': receiveSlack,
  'POST /api/integrations/slack/notify': notifyInSlack,

  'GET /api/notifications': async ({ db }, { actor, query }) => {
    const { limit, cursor, unread } = query;
    const after = cursor === undefined ? null : readCursor(cursor);
    const at = { orgId: actor.orgId, userId: actor.userId, limit: limit + 1 };
    const rows = await db.transaction(actor, (tx) =>
      tx.many(unread ? listUnreadNotifications : listNotifications, {
        ...at,
        beforeAt: after?.at ?? null,
        beforeId: after?.id ?? null,
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
      tx.maybeOne(countUnreadNotifications, { orgId, userId, limit: MOST_COUNTED }),
    );
    return answer({ unread: row?.unread ?? 0 });
  },

  'POST /api/notifications/{id}/read': async ({ db }, { actor, once, params }) =>
    db.changeOnce(actor, once, async (tx) => {
      const row = await tx.maybeOne(markNotificationRead, { orgId: actor.orgId, userId: actor.userId, id: params.id });
      if (!row) throw new Refused({ code: 'not_found', what: 'notification' });
      return answer(present(row));
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
  createdAt: row.created_at.toISOString(),
  readAt: row.read_at?.toISOString() ?? null,
});

function readCursor(cursor: string): { at: string; id: string } {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\da-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor of this list' }] });
  return { at, id };
}
