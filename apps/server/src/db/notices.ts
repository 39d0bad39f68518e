import type { Tx } from '../kernel/database.ts';
import { statement } from './statement.ts';

/** What people are told within the application. A person is told the same `source` once. */
export type Notice = {
  source: string;
  kind:
    | 'step_assigned'
    | 'run_failed'
    | 'message'
    | 'input_submitted'
    | 'input_returned'
    | 'sla_at_risk'
    | 'sla_breached';
  title: string;
  body: string;
  runId: string | null;
  stepId: string | null;
  /** Members of the organization by id, by e-mail, and by role; others are left out. */
  to: { userIds?: readonly string[]; emails?: readonly string[]; roles?: readonly string[] };
};

const insertNotices = statement({
  name: 'insert_notices',
  params: ['orgId', 'notices'],
  text: `insert into notifications (org_id, user_id, id, source, kind, run_id, step_id, title, body)
         select $1, who.user_id, gen_random_uuid(), n.source, n.kind, n.run_id, n.step_id, left(n.title, 300), left(n.body, 2000)
         from jsonb_to_recordset($2::jsonb)
           as n (source text, kind text, run_id uuid, step_id text, title text, body text, user_ids jsonb, emails jsonb, roles jsonb)
         cross join lateral (
           select m.user_id from jsonb_array_elements_text(n.user_ids) given
             join memberships m on m.org_id = $1 and m.user_id = given.value::uuid
           union
           select m.user_id from jsonb_array_elements_text(n.emails) given
             join users u on u.email = lower(trim(given.value)) join memberships m on m.org_id = $1 and m.user_id = u.id
           union
           select m.user_id from jsonb_array_elements_text(n.roles) given
             join memberships m on m.org_id = $1 and m.role = given.value
         ) who
         order by who.user_id
         on conflict (org_id, user_id, source) do nothing`,
});

/** Tells people with the transaction: they are told exactly if it is committed. */
export function leaveNotices(tx: Tx, orgId: string, notices: readonly Notice[]): void {
  if (notices.length === 0) return;
  const rows = notices.map(({ source, kind, title, body, runId, stepId, to }) => ({
    source,
    kind,
    run_id: runId,
    step_id: stepId,
    title,
    body,
    user_ids: to.userIds ?? [],
    emails: to.emails ?? [],
    roles: to.roles ?? [],
  }));
  // Who is meant is known to the database alone; each browser asks how many are unread.
  tx.announce(notices.map(({ source }) => ({ subject: 'notification', id: source })));
  tx.write(insertNotices, { orgId, notices: JSON.stringify(rows) });
}
