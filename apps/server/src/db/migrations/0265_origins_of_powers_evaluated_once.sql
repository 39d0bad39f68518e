-- Who may approve was evaluated again for each manager, each member of a group and each account with a role, each time from all roles
-- given during the run. Now each evaluation determines once which of these roles came from the people behind the work, and which
-- managers are left.
create index role_history_by_time on role_history (org_id, since);

-- The roles since a run started that came from someone certainly behind the separated work, directly or through others. Only the last
-- gift of a role counts: giving it again means that another manager agrees. It doesn't count if another manager confirmed the person
-- later, or if the role continues one that they had when the run started or that came from someone else. A manager's role that
-- someone gave back doesn't excuse a later one, whichever of the two manager's roles it was.
create function tainted_roles(org uuid, started timestamptz, doer_ids uuid[]) returns uuid[] language plpgsql stable as $$
declare
  held role_history;
  givers uuid[];
  tainted uuid[] := '{}';
begin
  for held in
    select h.* from role_history h
    where h.org_id = org and h.since > started and date_trunc('milliseconds', h.since) > started
    order by h.since, h.until, h.id
  loop
    -- A role that nobody gave continues the one before it.
    givers := coalesce(held.surely_behind, array[coalesce(held.given_by, held.user_id)]);
    continue when not givers && doer_ids and (tainted = '{}' or not exists (
      select from role_history g
      where g.org_id = org and g.user_id = any (givers) and g.since < held.since and coalesce(g.until, 'infinity') >= held.since
        and g.id = any (tainted)
    ));
    continue when is_confirmed_by_another(org, held.user_id, held.role, held.since, started, doer_ids);
    -- If the latest earlier role of a kind doesn't excuse this one, because it was given back in between, no older one does.
    continue when exists (
      select from (
        select distinct on (e.role) e.role, e.since from role_history e
        where e.org_id = org and e.user_id = held.user_id and e.role in ('owner', 'admin', held.role)
          and e.since < held.since and e.until > e.since and date_trunc('milliseconds', e.until) > started and e.id <> all (tainted)
        order by e.role, e.since desc
      ) earlier
      where roles_given_back(
        org, held.user_id, roles_including(held.role) || earlier.role, greatest(started, date_trunc('milliseconds', earlier.since)),
        coalesce(held.until, 'infinity')) = '{}'
    );
    tainted := tainted || held.id;
  end loop;
  return tainted;
end
$$;

-- The proved managers, and those of the last 7 days, except for those certainly behind the work, those whose role came from them during
-- the run (`tainted`) and those whose account the administrator disabled. If one of them isn't behind an approver either, they could
-- have given the approver's power.
create function other_managers(org uuid, doer_ids uuid[], tainted uuid[]) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select distinct h.user_id from role_history h join users u on u.id = h.user_id and u.disabled_at is null
    where h.org_id = org and h.role in ('owner', 'admin') and (h.until is null or h.until > greatest(h.since, now() - interval '7 days'))
      and h.user_id <> all (doer_ids) and h.id <> all (tainted) and member_proof(org, h.user_id) is not null
  );
end
$$;

-- As before. `tainted` and `others` can be given if the caller asks about several people; see `tainted_roles` and `other_managers`.
drop function is_role_barred(uuid, uuid, timestamptz, uuid[]);
create function is_role_barred(
  org uuid, person uuid, started timestamptz, doer_ids uuid[], tainted uuid[] default null, others uuid[] default null
) returns boolean language plpgsql stable as $$
begin
  tainted := coalesce(tainted, tainted_roles(org, started, doer_ids));
  return exists (
    select from role_history h where h.org_id = org and h.user_id = person and h.until is null and h.id = any (tainted)
  ) and not coalesce(others, other_managers(org, doer_ids, tainted)) <@ surely_behind(org, person);
end
$$;

drop function addition_comes_from(uuid, uuid[], timestamptz, timestamptz, uuid[]);
create function addition_comes_from(
  org uuid, adders uuid[], added_at timestamptz, started timestamptz, doer_ids uuid[], tainted uuid[]
) returns boolean language plpgsql stable as $$
begin
  return date_trunc('milliseconds', added_at) > started and (adders && doer_ids or tainted <> '{}' and exists (
    select from role_history h
    where h.org_id = org and h.user_id = any (adders) and h.since < added_at and coalesce(h.until, 'infinity') >= added_at
      and h.id = any (tainted)
  ));
end
$$;

create or replace function is_membership_barred(org uuid, added group_members, started timestamptz, doer_ids uuid[])
returns boolean language plpgsql stable as $$
declare
  tainted uuid[] := tainted_roles(org, started, doer_ids);
begin
  return addition_comes_from(org, sure_adders(added), added.added_at, started, doer_ids, tainted)
    and not is_confirmed_by_another(
      org, added.user_id, (select m.role from memberships m where m.org_id = org and m.user_id = added.user_id), added.added_at,
      started, doer_ids)
    and not other_managers(org, doer_ids, tainted) <@ surely_behind(org, added.user_id);
end
$$;

drop function has_other_manager(uuid, uuid, uuid[], timestamptz);
drop function role_comes_from(uuid, uuid, timestamptz, timestamptz, uuid[]);

-- As before, but whether someone was a manager is determined once for each person.
create or replace function people_behind_gifts(org uuid, people uuid[], started timestamptz) returns uuid[] language plpgsql stable as $$
begin
  return array(
    with recursive chain (id) as (
      select unnest(people)
      union
      select behind.id from chain
      cross join lateral (
        select case when had_role(org, chain.id, array['owner', 'admin'], started)
                    then roles_given_back(org, chain.id, array['owner', 'admin'], started, 'infinity') end as given_back
        offset 0
      ) manager
      join role_history h on h.org_id = org and h.user_id = chain.id and h.given_by is not null
        and date_trunc('milliseconds', h.since) > started and (manager.given_back is null or h.id = any (manager.given_back))
      cross join lateral unnest(possible_givers(h)) behind (id)
    )
    select id from chain
  );
end
$$;

-- As before. See `is_role_barred` for `tainted` and `others`.
drop function role_counts(uuid, uuid, timestamptz, timestamptz, uuid[], uuid[]);
create function role_counts(
  org uuid, person uuid, active_since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[], tainted uuid[] default null,
  others uuid[] default null
) returns boolean language plpgsql stable as $$
declare
  people uuid[];
  origins uuid[];
begin
  if active_since is null or started is null or not exists (select from role_gifts(org, person, started)) then
    return true;
  end if;
  if is_role_barred(org, person, started, doer_ids, tainted, others) then
    return false;
  end if;
  if not (select o.strict from organizations o where o.id = org) then
    return true;
  end if;
  people := array(select unnest(possible_givers(h)) from role_gifts(org, person, started) h);
  origins := people_behind_gifts(org, people, started);
  if origins && giver_ids or origins && doer_ids then
    return false;
  end if;
  return had_current_role(org, person, started) or not (person = any (people) or exists (
    select from role_history h
    where h.org_id = org and h.user_id = person and h.until is null and date_trunc('milliseconds', h.since) > active_since
  ));
end
$$;

-- As before; the origins of roles are determined once, and those of additions once for all that have the same adders.
create or replace function counted_members(
  org uuid, names text[], only_person uuid, since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[]
) returns uuid[] language plpgsql stable as $$
declare
  is_strict boolean;
  tainted uuid[];
  others uuid[];
begin
  if since is null then
    return array(
      select m.user_id from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
      where g.org_id = org and 'group:' || g.slug = any (names) and (only_person is null or m.user_id = only_person)
    );
  end if;
  is_strict := (select o.strict from organizations o where o.id = org);
  if exists (
    select from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
    where g.org_id = org and 'group:' || g.slug = any (names) and (only_person is null or m.user_id = only_person)
      and date_trunc('milliseconds', m.added_at) > started
  ) then
    tainted := tainted_roles(org, started, doer_ids);
    others := other_managers(org, doer_ids, tainted);
  end if;
  return array(
    with member as materialized (
      select m.user_id, m.added_at, added.at, sure_adders(m) as sure,
             case when added.at > started then possible_adders(m) else m.added_by end as possible, added.at > started as is_new
      from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
      cross join lateral (select date_trunc('milliseconds', m.added_at) as at) added
      where g.org_id = org and 'group:' || g.slug = any (names) and (only_person is null or m.user_id = only_person)
    ), addition as materialized (
      select a.sure, a.added_at, addition_comes_from(org, a.sure, a.added_at, started, doer_ids, tainted) as is_by_doer
      from (select distinct sure, added_at from member where is_new) a
    ), origin as materialized (
      select o.possible, o.is_new, origins.people && doer_ids or origins.people && giver_ids as is_by_doer_or_giver
      from (select distinct possible, is_new from member where is_strict) o
      cross join lateral (
        select case when o.is_new then people_behind_gifts(org, o.possible, started) else o.possible end as people offset 0
      ) origins
    ), barred as materialized (
      select m.user_id, m.added_at from (
        select distinct m.user_id, m.added_at from member m join addition a using (sure, added_at) where a.is_by_doer
      ) m
      where not is_confirmed_by_another(
          org, m.user_id, (select r.role from memberships r where r.org_id = org and r.user_id = m.user_id), m.added_at, started,
          doer_ids)
        and not others <@ surely_behind(org, m.user_id)
    )
    select m.user_id from member m left join origin o on o.possible = m.possible and o.is_new = m.is_new
    where not coalesce(
      (m.user_id, m.added_at) in (select user_id, added_at from barred)
      or is_strict and (o.is_by_doer_or_giver or m.at > since or m.is_new and m.user_id = any (m.possible)), false)
  );
end
$$;

-- As before; the origins of roles are determined once.
create or replace function count_able_people(
  org uuid, names text[], except_ids uuid[], is_decision boolean, most integer, is_approval boolean default false,
  since timestamptz default null, started timestamptz default null, doer_ids uuid[] default '{}', giver_ids uuid[] default '{}',
  uncertain_doer_ids uuid[] default '{}'
) returns integer language plpgsql stable as $$
declare
  account record;
  strict_ids uuid[] := coalesce(giver_ids, '{}') || coalesce(uncertain_doer_ids, '{}');
  people uuid[];
  barring uuid[];
  counted uuid[] := '{}';
  able integer := 0;
  -- Named by id or through a group.
  by_id uuid[] := array(select substr(name, 6)::uuid from unnest(names) name where name like 'user:%-%');
  -- The same for all accounts; see `is_role_barred`.
  tainted uuid[];
  others uuid[];
  -- Givers can decide, unless the review is strict.
  uncounted uuid[] := '{}';
begin
  names := current_addresses(names);
  if exists (select from unnest(names) name where name like 'group:%') then
    by_id := by_id || members_of_groups(
      org, names, case when is_approval then since end, started, coalesce(doer_ids, '{}'), strict_ids);
  end if;
  if is_decision and giver_ids <> '{}' and (select o.strict from organizations o where o.id = org) then
    uncounted := giver_ids;
  end if;
  if is_approval and since is not null and started is not null and exists (select from unnest(names) name where name like 'role:%') then
    tainted := tainted_roles(org, started, coalesce(doer_ids, '{}'));
    others := other_managers(org, coalesce(doer_ids, '{}'), tainted);
  end if;
  for account in
    select u.id, u.email, false as is_unproved from memberships m join users u on u.id = m.user_id
    where m.org_id = org and u.proved_by is not null and u.disabled_at is null
      and (u.email = any (names) or 'role:' || m.role = any (names) or u.id = any (by_id))
    union all
    select u.id, u.email, true from memberships m join users u on u.id = m.user_id
    where m.org_id = org and u.proved_by is null and u.disabled_at is null
      and (u.email = any (names) or 'role:' || m.role = any (names) or u.id = any (by_id))
  loop
    exit when able >= most;
    people := people_behind(org, account.id);
    barring := people;
    if account.email = any (names) then
      barring := array(select u.id from users u where u.id = any (people) and (u.id = account.id or u.proved_by is not null));
    end if;
    continue when barring && except_ids or people && counted or people && uncounted;
    continue when is_approval and account.email <> all (names) and account.id <> all (by_id)
      and (took_role_by_own_hand(org, account.id)
           or not role_counts(org, account.id, since, started, coalesce(doer_ids, '{}'), strict_ids, tainted, others));
    continue when is_decision and account.is_unproved and not may_decide_steps(org, account.id);
    able := able + 1;
    counted := counted || people;
  end loop;
  return able;
end
$$;
