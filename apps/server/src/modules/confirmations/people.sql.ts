import { type KnownPerson, type OrgRole, PERMISSIONS, type Proof } from '@stet/domain/access';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Tx } from '../../kernel/database.ts';

const listKnownPeople = statement({
  name: 'list_known_people',
  params: ['orgId', 'roles', 'draftId', 'userIds'],
  row: z.object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: z.custom<OrgRole>().nullable(),
    is_disabled: z.boolean(),
    proved_by: z.custom<Proof>().nullable(),
    invited_by: z.uuid().nullable(),
    inviters: z.custom<string[]>(),
    confirmed_by: z.custom<string[]>(),
    confirmed_as_manager_by: z.custom<string[]>(),
    has_provider: z.boolean(),
    history: z.custom<{ role: OrgRole; givenBy: string | null; since: number; until: number | null }[]>(),
    now: z.date(),
  }),
  text: `with recursive concerned as (
           select user_id from memberships where org_id = $1 and role = any ($2)
           union select user_id from role_history where org_id = $1 and role = any ($2) and until > now() - interval '7 days'
           union select user_id from draft_contributors where org_id = $1 and draft_id = $3
           union select reviewer_id from draft_reviews where org_id = $1 and draft_id = $3 and on_behalf_of is not null
           union select (jsonb_array_elements(contributors) ->> 'id')::uuid from draft_objections
                 where org_id = $1 and ended_at is null and content_hash = (
                   select content_hash from workflow_versions where org_id = $1 and id = $3
                 )
           union select unnest(p.added_by) from workflow_versions v join workflow_people p on p.org_id = v.org_id and p.workflow_id = v.workflow_id
                 where v.org_id = $1 and v.id = $3 and p.part = 'reviewer'
           union select unnest(m.added_by) from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
                 where g.org_id = $1 and g.slug in (
                   select r ->> 'group' from organizations o cross join jsonb_array_elements(o.review_routes) r where o.id = $1
                   union select r ->> 'group' from workflow_versions v cross join jsonb_array_elements(v.requirements) r
                         where v.org_id = $1 and v.version is null and v.requirements <> '[]' and ($3::uuid is null or v.id = $3))
           union select unnest($4::uuid[])
         ), known (user_id) as (
           select user_id from concerned
           union
           select next.user_id from known cross join lateral (
             select given_by as user_id from role_history where org_id = $1 and user_id = known.user_id
             union select invited_by from memberships where org_id = $1 and user_id = known.user_id
             union select unnest(senders_of_link($1, p.id)) from users p where p.id = known.user_id and p.proved_by is null
             union select decided_by from confirmations
                   where org_id = $1 and kind = 'member' and status = 'confirmed' and subject_id = known.user_id::text
             union select twin.id from users u join users twin on mailbox_of(twin.email) = mailbox_of(u.email)
                   where u.id = known.user_id
                     and exists (select from role_history h where h.org_id = $1 and h.user_id = twin.id)
           ) next where next.user_id is not null
         ), confirmed as (
           select k.subject_id::uuid as user_id, k.decided_by, covers_managers(k) as as_manager from confirmations k
           where k.org_id = $1 and k.kind = 'member' and k.status = 'confirmed' and confirmation_counts(k)
             and k.subject_id in (select user_id::text from known)
         )
         select u.id, u.name, u.email, m.role, u.disabled_at is not null as is_disabled, member_proof($1, u.id) as proved_by, m.invited_by,
                case when u.proved_by is null then senders_of_link($1, u.id)::text[] else '{}' end as inviters,
                array(select c.decided_by::text from confirmed c where c.user_id = u.id) as confirmed_by,
                array(select c.decided_by::text from confirmed c where c.user_id = u.id and c.as_manager) as confirmed_as_manager_by,
                exists (select from identities i where i.user_id = u.id) as has_provider,
                (select coalesce(json_agg(json_build_object(
                   'role', h.role, 'givenBy', h.given_by,
                   'since', extract(epoch from h.since) * 1000, 'until', extract(epoch from h.until) * 1000)), '[]')
                 from role_history h where h.org_id = $1 and h.user_id = u.id) as history,
                clock_timestamp() as now
         from known join users u on u.id = known.user_id
         left join memberships m on m.org_id = $1 and m.user_id = u.id
         order by u.id`,
});

/** The people whom the rules about second persons consider, and the database's time in epoch milliseconds. */
export type KnownPeople = { people: KnownPerson[]; at: number };

/**
 * Reads the given people and everyone who can review or manage, or could within the last 7 days. For a draft, also reads:
 * - its contributors, and those recorded with open objections to its content
 * - the delegates who reviewed it
 * - everyone who named a reviewer of its workflow, or added someone to a group that has to approve drafts
 *
 * The result also includes everyone who invited any of these people, gave them a role, confirmed them or shares their
 * mailbox, and transitively the same for them.
 */
export async function knownPeople(
  tx: Tx,
  { orgId, draftId = null, userIds = [] }: { orgId: string; draftId?: string | null; userIds?: readonly string[] },
): Promise<KnownPeople> {
  const rows = await tx.many(listKnownPeople, { orgId, roles: PERMISSIONS['draft.review'], draftId, userIds });
  return {
    at: rows[0]?.now.getTime() ?? 0,
    people: rows.map(
      ({
        is_disabled,
        proved_by,
        invited_by,
        confirmed_by,
        confirmed_as_manager_by,
        has_provider,
        now: _now,
        ...person
      }) => ({
        ...person,
        isDisabled: is_disabled,
        provedBy: proved_by,
        invitedBy: invited_by,
        confirmedBy: confirmed_by,
        confirmedAsManagerBy: confirmed_as_manager_by,
        hasProvider: has_provider,
      }),
    ),
  };
}
