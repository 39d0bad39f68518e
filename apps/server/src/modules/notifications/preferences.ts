import { DIGEST_HOUR, DIGEST_ZONE, pacesFor, preferencesOf } from '@stet/domain/notifications';
import type { WorkCalendar } from '@stet/domain/sla';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';

const listPreferences = statement({
  name: 'list_notification_preferences',
  params: ['orgId', 'userId'],
  row: z.object({ news: z.string(), channel: z.string(), pace: z.string() }),
  text: `select news, channel, pace from notification_preferences where org_id = $1 and user_id = $2`,
});

const findDigestSettings = statement({
  name: 'find_digest_settings',
  params: ['orgId'],
  row: z.object({ working_hours: z.custom<Pick<WorkCalendar, 'timeZone'> | null>(), has_slack: z.boolean() }),
  text: `select o.working_hours, exists (select from slack_connections c where c.org_id = o.id) as has_slack
         from organizations o where o.id = $1`,
});

const savePreference = statement({
  name: 'save_notification_preference',
  params: ['orgId', 'userId', 'news', 'channel', 'pace'],
  text: `insert into notification_preferences (org_id, user_id, news, channel, pace) values ($1, $2, $3, $4, $5)
         on conflict (org_id, user_id, news, channel) do update set pace = excluded.pace`,
});

const dropHeldItems = statement({
  name: 'drop_held_items',
  params: ['orgId', 'userId', 'news', 'channel'],
  text: `update notifications
         set email = case when $4 = 'email' and email = 'daily' then 'none' else email end,
             slack = case when $4 = 'slack' and slack = 'daily' then 'none' else slack end
         where org_id = $1 and user_id = $2 and news = $3 and digest_id is null and (email = 'daily' or slack = 'daily')`,
});

type Whose = { orgId: string; userId: string };
type Picked = { news: string; channel: string; pace: string };

async function read(tx: Tx, { orgId, userId }: Whose) {
  const [picked, how] = await Promise.all([
    tx.many(listPreferences, { orgId, userId }),
    tx.maybeOne(findDigestSettings, { orgId }),
  ]);
  return (change: readonly Picked[] = []) => ({
    paces: preferencesOf([...change, ...picked]),
    digest: { hour: DIGEST_HOUR, timeZone: how?.working_hours?.timeZone ?? DIGEST_ZONE },
    slackConnected: how?.has_slack ?? false,
  });
}

/** A member's notification preferences in this organization. */
export const preferenceHandlers = {
  'GET /api/notifications/preferences': async ({ db }, { actor }) =>
    db.transaction(actor, async (tx) => answer((await read(tx, actor))())),

  'PATCH /api/notifications/preferences': async ({ db }, { actor, once, body }) => {
    const { news, channel, pace } = body;
    if (!pacesFor(news, channel).includes(pace))
      throw new Refused({ code: 'invalid', problems: [{ field: 'pace', problem: 'can’t be chosen for this' }] });
    return db.changeOnce(actor, once, async (tx) => {
      const { orgId, userId } = actor;
      const present = await read(tx, actor);
      tx.write(savePreference, { orgId, userId, news, channel, pace });
      // If a kind is turned off in a channel, its items are removed from the next digest in this channel.
      if (pace === 'off') tx.write(dropHeldItems, { orgId, userId, news, channel });
      return answer(present([{ news, channel, pace }]));
    });
  },
} satisfies Partial<Handlers>;
