-- An approval step can name a role that someone got during the run. As for groups, it matters who gave it to them.

-- Since when a member has their role, and who gave it to them.
create function role_given(org uuid, person uuid) returns json language plpgsql stable security definer as $$
begin
  return (
    select json_build_object(
             'since', floor(extract(epoch from h.since) * 1000)::bigint,
             'by', case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end)
    from role_history h left join users u on u.id = h.given_by
    where h.org_id = org and h.user_id = person and h.until is null
  );
end
$$;
do $$
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  execute format('alter function role_given(uuid, uuid) set search_path = %I, pg_temp', current_schema());
  revoke execute on function role_given(uuid, uuid) from public;
end
$$;
grant execute on function role_given(uuid, uuid) to stet_app;

-- False if an approval by someone whom a step names by their role doesn't count because of who gave it to them after the run
-- had started: someone behind the separated work or, under strict review, someone who handed it over, and anyone after the
-- step had been active since `active_since`. Null for `active_since` if the step isn't an approval.
create function role_counts(
  org uuid, person uuid, active_since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[]
) returns boolean language plpgsql stable as $$
declare
  given record;
  people uuid[] := '{}';
  is_strict boolean;
begin
  if active_since is null or started is null then
    return true;
  end if;
  select date_trunc('milliseconds', h.since) as since, h.given_by into given
  from role_history h where h.org_id = org and h.user_id = person and h.until is null;
  if not found or given.since <= started then
    return true;
  end if;
  if given.given_by is not null then
    people := people_behind(org, given.given_by);
  end if;
  is_strict := (select o.strict from organizations o where o.id = org);
  return not (people && doer_ids or is_strict and (people && giver_ids or given.since > active_since));
end
$$;

-- As before, without those whose role doesn't count.
create or replace function count_able_people(
  org uuid, names text[], except_ids uuid[], is_decision boolean, most integer, is_approval boolean default false,
  since timestamptz default null, started timestamptz default null, doer_ids uuid[] default '{}', giver_ids uuid[] default '{}'
) returns integer language plpgsql stable as $$
declare
  account record;
  people uuid[];
  barring uuid[];
  counted uuid[] := '{}';
  able integer := 0;
  -- Named by id or through a group.
  by_id uuid[] := array(select substr(name, 6)::uuid from unnest(names) name where name like 'user:%-%');
  -- Givers can decide, unless the review is strict.
  uncounted uuid[] := '{}';
begin
  if exists (select from unnest(names) name where name like 'group:%') then
    by_id := by_id || members_of_groups(
      org, names, case when is_approval then since end, started, coalesce(doer_ids, '{}'), coalesce(giver_ids, '{}'));
  end if;
  if is_decision and giver_ids <> '{}' and (select o.strict from organizations o where o.id = org) then
    uncounted := giver_ids;
  end if;
  for account in
    select u.id, u.email, false as is_unproved from memberships m join users u on u.id = m.user_id
    where m.org_id = org and u.proved_by is not null
      and (u.email = any (names) or 'role:' || m.role = any (names) or u.id = any (by_id))
    union all
    select u.id, u.email, true from memberships m join users u on u.id = m.user_id
    where m.org_id = org and u.proved_by is null
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
           or not role_counts(org, account.id, since, started, coalesce(doer_ids, '{}'), coalesce(giver_ids, '{}')));
    continue when is_decision and account.is_unproved and not may_decide_steps(org, account.id);
    able := able + 1;
    counted := counted || people;
  end loop;
  return able;
end
$$;
