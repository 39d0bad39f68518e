-- My tasks asks for each task whether one person counts in a group, and managers whether enough people do. Finding out whether
-- a membership came from someone behind the work is expensive, so it is done only for the people asked about, and once for all
-- whom the same person added at the same time.

-- True if adding a member came from someone certainly behind the separated work, directly or through others. `added_by` is
-- everyone to whom it is attributed, the acting account first.
create function addition_comes_from(org uuid, added_by uuid[], added_at timestamptz, started timestamptz, doer_ids uuid[])
returns boolean language plpgsql stable as $$
begin
  return date_trunc('milliseconds', added_at) > started and exists (
    -- Accounts that aren't proved can look like the acting account's.
    select from users u
    where u.id = any (added_by) and (u.id = added_by[1] or u.proved_by is not null)
      and (u.id = any (doer_ids) or role_comes_from(org, u.id, added_at, started, doer_ids))
  );
end
$$;

-- As before.
create or replace function is_membership_barred(
  org uuid, person uuid, added_by uuid[], added_at timestamptz, started timestamptz, doer_ids uuid[]
) returns boolean language plpgsql stable as $$
begin
  return addition_comes_from(org, added_by, added_at, started, doer_ids)
    and not is_confirmed_by_another(
      org, person, (select m.role from memberships m where m.org_id = org and m.user_id = person), added_at, started, doer_ids)
    and has_other_manager(org, person, doer_ids, started);
end
$$;

-- As `members_of_groups` was, but if `only_person` isn't null, only about this person.
create function counted_members(
  org uuid, names text[], only_person uuid, since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[]
) returns uuid[] language plpgsql stable as $$
declare
  is_strict boolean;
begin
  if since is null then
    return array(
      select m.user_id from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
      where g.org_id = org and 'group:' || g.slug = any (names) and (only_person is null or m.user_id = only_person)
    );
  end if;
  is_strict := (select o.strict from organizations o where o.id = org);
  return array(
    with member as materialized (
      select m.user_id, m.added_by, m.added_at, date_trunc('milliseconds', m.added_at) as at
      from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
      where g.org_id = org and 'group:' || g.slug = any (names) and (only_person is null or m.user_id = only_person)
    ), addition as materialized (
      select a.added_by, a.added_at, addition_comes_from(org, a.added_by, a.added_at, started, doer_ids) as is_by_doer,
             is_strict and (
               select origins.people && doer_ids or origins.people && giver_ids
               from (select case when a.at > started then people_behind_gifts(org, a.added_by, started) else a.added_by end
                       as people) origins
             ) as is_by_doer_or_giver
      from (select distinct added_by, added_at, at from member) a
    ), concerned as materialized (
      select distinct m.user_id, m.added_at from member m join addition a using (added_by, added_at)
      where a.is_by_doer and not is_confirmed_by_another(
        org, m.user_id, (select r.role from memberships r where r.org_id = org and r.user_id = m.user_id), m.added_at, started,
        doer_ids)
    ), tie as materialized (
      -- `has_other_manager` is the same for all members behind whom there are the same managers, usually none.
      select c.user_id, c.added_at, case when only_person is null then array(
               select behind.id from unnest(surely_behind(org, c.user_id)) behind (id)
               where behind.id in (select h.user_id from role_history h where h.org_id = org and h.role in ('owner', 'admin'))
               order by 1
             ) end as manager_ids
      from concerned c
    ), judged as materialized (
      select one.manager_ids, has_other_manager(org, one.user_id, doer_ids, started) as is_barred
      from (select distinct on (manager_ids) manager_ids, user_id from tie) one
    ), barred as materialized (
      select t.user_id, t.added_at
      from tie t join judged j on j.manager_ids is not distinct from t.manager_ids
      where j.is_barred
    )
    select m.user_id from member m join addition a using (added_by, added_at)
    where not coalesce(
      a.is_by_doer and (m.user_id, m.added_at) in (select user_id, added_at from barred)
      or is_strict and (a.is_by_doer_or_giver or m.at > since or m.at > started and m.user_id = any (m.added_by)), false)
  );
end
$$;

create or replace function members_of_groups(
  org uuid, names text[], since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[]
) returns uuid[] language plpgsql stable as $$
begin
  return counted_members(org, names, null, since, started, doer_ids, giver_ids);
end
$$;
