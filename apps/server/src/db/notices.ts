import { DEFAULT_PREFERENCES, NEWS_OF, type NoticeKind } from '@stet/domain/notifications';
import type { Tx } from '../kernel/database.ts';
import { statement } from './statement.ts';

/** What people are told. A person is told the same `source` once, over each channel as they want it. */
export type Notice = {
  source: string;
  kind: NoticeKind;
  title: string;
  body: string;
  runId?: string | null;
  stepId?: string | null;
  /** The draft that it is about. */
  draft?: { key: string; id: string };
  /** Members of the organization by id, by e-mail, and by role; others are left out. */
  to: {
    userIds?: readonly string[];
    emails?: readonly string[];
    roles?: readonly string[];
    exceptIds?: readonly string[];
  };
  /** Outside of the application only those are told who are meant by name, and not all who hold a role. */
  namedOnly?: boolean;
  /** There is a message of its own in Slack, with more to it than words and a link. */
  hasOwnSlackMessage?: boolean;
  /** What the letter has to know besides. */
  about?: Record<string, unknown>;
};

// Who is new to a source is known to this statement alone, so that it leaves the jobs as well: each person is mailed once.
// Past 200 people a mail to all of them is not meant; in the list they all have it.
const insertNotices = statement({
  name: 'insert_notices',
  params: ['orgId', 'notices', 'defaults'],
  text: `with news as (
           select * from jsonb_to_recordset($2::jsonb)
             as n (source text, kind text, news text, run_id uuid, step_id text, workflow_key text, draft_id uuid, title text, body text,
                   user_ids jsonb, emails jsonb, roles jsonb, except_ids jsonb, named_only boolean, own_slack boolean, about jsonb)
         ), told as (
           insert into notifications (org_id, user_id, id, source, kind, news, run_id, step_id, workflow_key, draft_id, title, body,
                                      is_shown, email, slack)
           select $1, who.user_id, gen_random_uuid(), n.source, n.kind, n.news, n.run_id, n.step_id, n.workflow_key, n.draft_id,
                  left(n.title, 300), left(n.body, 2000), n.news is null or paces.in_app <> 'off',
                  case when n.news is null or (n.named_only and not who.is_named) or not who.is_few
                         or paces.email = 'off' then 'none'
                       when paces.email = 'daily' then 'daily' else 'now' end,
                  case when n.news is null or (n.named_only and not who.is_named) or not who.is_few or paces.slack = 'off'
                         or not exists (select from slack_connections c where c.org_id = $1) then 'none'
                       when paces.slack = 'daily' then 'daily' when n.own_slack then 'none' else 'now' end
           from news n
           cross join lateral (
             select user_id, bool_or(is_named) as is_named,
                    row_number() over (order by bool_or(is_named) desc, user_id) <= 200 as is_few from (
               select m.user_id, true as is_named from jsonb_array_elements_text(n.user_ids) given
                 join memberships m on m.org_id = $1 and m.user_id = given.value::uuid
               union all
               select m.user_id, true from jsonb_array_elements_text(n.emails) given
                 join users u on u.email = lower(trim(given.value)) join memberships m on m.org_id = $1 and m.user_id = u.id
               union all
               select m.user_id, false from jsonb_array_elements_text(n.roles) given
                 join memberships m on m.org_id = $1 and m.role = given.value
             ) meant where not jsonb_exists(n.except_ids, user_id::text) group by user_id
           ) who
           cross join lateral (
             select coalesce(max(p.pace) filter (where p.channel = 'in-app'), $3::jsonb #>> array[n.news, 'in-app']) as in_app,
                    coalesce(max(p.pace) filter (where p.channel = 'email'), $3::jsonb #>> array[n.news, 'email']) as email,
                    coalesce(max(p.pace) filter (where p.channel = 'slack'), $3::jsonb #>> array[n.news, 'slack']) as slack
             from notification_preferences p where p.org_id = $1 and p.user_id = who.user_id and p.news = n.news
           ) paces
           order by who.user_id
           on conflict (org_id, user_id, source) do nothing
           returning user_id, id, source, email, slack
         )
         insert into outbox (task, payload, job_key, turn_of)
         select 'mail_notice', jsonb_build_object('orgId', $1::uuid, 'userId', t.user_id, 'id', t.id, 'about', n.about), null, $1::uuid::text
         from told t join news n on n.source = t.source where t.email = 'now'
         union all
         select 'tell_in_slack',
                jsonb_build_object('orgId', $1::uuid, 'about', jsonb_build_object('kind', 'news', 'userId', t.user_id, 'id', t.id)),
                'slack:news:' || t.id, null
         from told t where t.slack = 'now'`,
});

/** Tells people with the transaction: they are told exactly if it is committed. */
export function leaveNotices(tx: Tx, orgId: string, notices: readonly Notice[]): void {
  if (notices.length === 0) return;
  const rows = notices.map(({ to, ...notice }) => ({
    source: notice.source,
    kind: notice.kind,
    news: NEWS_OF[notice.kind],
    run_id: notice.runId ?? null,
    step_id: notice.stepId ?? null,
    workflow_key: notice.draft?.key ?? null,
    draft_id: notice.draft?.id ?? null,
    title: notice.title,
    body: notice.body,
    user_ids: to.userIds ?? [],
    emails: to.emails ?? [],
    roles: to.roles ?? [],
    except_ids: to.exceptIds ?? [],
    named_only: notice.namedOnly ?? false,
    own_slack: notice.hasOwnSlackMessage ?? false,
    about: notice.about ?? {},
  }));
  // Who is meant is known to the database alone; each browser asks how many are unread.
  tx.announce(notices.map(({ source }) => ({ subject: 'notification', id: source })));
  tx.write(insertNotices, {
    orgId,
    notices: JSON.stringify(rows),
    defaults: JSON.stringify(DEFAULT_PREFERENCES),
  });
}
