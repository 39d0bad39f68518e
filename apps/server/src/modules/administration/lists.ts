import type { OrgRole } from '@stet/domain/access';
import { QUEUE_JOBS_AND_TASKS } from '../../db/queue-tables.ts';
import type { Administration } from '../../kernel/deps.ts';

type Query = Administration['query'];
/**
 * A page of a list: at most `limit` rows that contain the text `q`, with ids less than `before`, newest first. Fields
 * that are null don't restrict the list.
 */
type Page = { before: string | null; limit: number | null; q: string | null };
export const EVERYTHING: Page = { before: null, limit: null, q: null };

export type OrganizationRow = {
  id: string;
  name: string;
  slug: string | null;
  type: 'individual' | 'team';
  members: number;
  owners: string[];
  workflows: number;
  runs: number;
  events: number;
  lastEventAt: Date | null;
  /** When the organization ends. Its data is deleted about a day later. Null if no end was set. */
  endsAt: Date | null;
};

export const listOrganizations = (query: Query, { before, limit, q }: Page): Promise<OrganizationRow[]> =>
  query<OrganizationRow>(
    `select o.id, o.name, o.slug, o.type,
            (select count(*)::int from memberships m where m.org_id = o.id) as members,
            array(select u.email from memberships m join users u on u.id = m.user_id
                  where m.org_id = o.id and m.role = 'owner' order by 1) as owners,
            (select count(*)::int from workflows w where w.org_id = o.id) as workflows,
            coalesce((select running + paused + completed + failed + cancelled from run_counts c where c.org_id = o.id), 0)::int as runs,
            coalesce(h.seq, 0)::int as events, h.at as "lastEventAt", e.ends_at as "endsAt"
     from organizations o left join audit_heads h on h.org_id = o.id
     left join ending_organizations e on e.org_id = o.id
     where ($1::uuid is null or o.id < $1)
       and ($3::text is null or strpos(lower(o.name), lower($3)) > 0 or strpos(o.slug, lower($3)) > 0)
     order by o.id desc limit $2`,
    [before, limit, q],
  );

export type PersonRow = {
  id: string;
  email: string;
  name: string;
  createdAt: Date;
  lastSeenAt: Date | null;
  /** The number of open sessions. */
  sessions: number;
  provedBy: string | null;
  disabledAt: Date | null;
  memberships: { name: string; slug: string | null; role: OrgRole }[];
};

/** The members of the organization with this URL prefix, or everyone if it is null. */
export const listPeople = (
  query: Query,
  { before, limit, q, slug = null }: Page & { slug?: string | null },
): Promise<PersonRow[]> =>
  query<PersonRow>(
    `select u.id, u.email, u.name, u.created_at as "createdAt", s.seen as "lastSeenAt", s.open as sessions,
            u.proved_by as "provedBy", u.disabled_at as "disabledAt",
            (select coalesce(json_agg(json_build_object('name', o.name, 'slug', o.slug, 'role', m.role) order by o.slug nulls first), '[]')
             from memberships m join organizations o on o.id = m.org_id where m.user_id = u.id) as memberships
     from users u
     cross join lateral (
       select max(last_seen_at) as seen, (count(*) filter (where ended_at is null and expires_at > now()))::int as open
       from sessions where user_id = u.id
     ) s
     where ($1::uuid is null or u.id < $1) and ($3::text is null or exists (
       select from memberships m join organizations o on o.id = m.org_id where m.user_id = u.id and o.slug = $3
     )) and ($4::text is null or strpos(lower(u.name), lower($4)) > 0 or strpos(lower(u.email), lower($4)) > 0)
     order by u.id desc limit $2`,
    [before, limit, slug, q],
  );

export type JobRow = {
  id: string;
  task: string;
  state: 'failed' | 'running' | 'retrying' | 'waiting';
  attempts: number;
  runAt: Date;
  reason: string | null;
  payload: unknown;
};

/** Jobs in the queue: those that failed for good first, then those whose next attempt is soonest. */
export const listJobs = (
  query: Query,
  { states, limit }: { states: readonly JobRow['state'][]; limit: number },
): Promise<JobRow[]> =>
  query<JobRow>(
    `select j.id::text, t.identifier as task, s.state, j.attempts, j.run_at as "runAt", j.last_error as reason, j.payload
     from ${QUEUE_JOBS_AND_TASKS}
     cross join lateral (select case when j.locked_at is not null then 'running' when j.attempts >= j.max_attempts then 'failed'
                                     when j.attempts > 0 then 'retrying' else 'waiting' end as state) s
     where s.state = any ($1)
     order by s.state = 'failed' desc, j.run_at, j.id limit $2`,
    [states, limit],
  );

export type DeliveryRow = {
  id: string;
  organization: string;
  webhook: string;
  url: string;
  action: string;
  state: 'waiting' | 'dead';
  attempts: number;
  status: number | null;
  problem: string | null;
  createdAt: Date;
};

/** Webhook deliveries that are waiting or failed, newest first. */
export const listDeliveries = (query: Query, limit: number): Promise<DeliveryRow[]> =>
  query<DeliveryRow>(
    `select d.id, o.name as organization, w.name as webhook, w.url, d.action, d.state, d.attempts, d.last_status as status,
            d.last_problem as problem, d.created_at as "createdAt"
     from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id
     join organizations o on o.id = d.org_id
     where d.state <> 'delivered' order by d.created_at desc, d.id desc limit $1`,
    [limit],
  );

/** The reason for the last failure of a delivery, or null. */
export const reasonOf = ({ problem, status }: Pick<DeliveryRow, 'problem' | 'status'>): string | null =>
  problem ?? (status === null ? null : `status ${status}`);
