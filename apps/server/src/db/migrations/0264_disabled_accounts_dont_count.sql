-- An account that the administrator disabled can't decide anything. So it counts neither as someone who could confirm or approve, nor
-- among the people whom a step names. As if its person had left long ago, others can act in its place at once.

-- As before, without disabled managers.
create or replace function unproved_standing(org uuid, person uuid) returns json language plpgsql stable as $$
declare
  behind uuid[] := possible_inviters(org, person);
begin
  return (
    select json_build_object(
      'alsoCountsAs', behind,
      'hasSecondManager', coalesce(bool_or(h.user_id <> all (behind)), false),
      'secondManagerUntil',
        case when bool_or(h.user_id <> all (behind) and h.until is null) then null
             else max(h.until) filter (where h.user_id <> all (behind)) + interval '7 days' end,
      'isManaged', coalesce(bool_or(h.until is null), false)
    )
    from role_history h join users u on u.id = h.user_id and u.disabled_at is null
    where h.org_id = org and h.user_id <> person and h.role in ('owner', 'admin')
      and (h.until is null or h.until > now() - interval '7 days') and member_proof(org, h.user_id) is not null
  );
end
$$;

-- As before, without disabled accounts.
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
           or not role_counts(org, account.id, since, started, coalesce(doer_ids, '{}'), strict_ids));
    continue when is_decision and account.is_unproved and not may_decide_steps(org, account.id);
    able := able + 1;
    counted := counted || people;
  end loop;
  return able;
end
$$;

-- Gives the tasks of a disabled account also to those who can act for it, in all its organizations.
create function open_tasks_of_account(account uuid) returns void language plpgsql as $$
begin
  perform open_tasks_of(
    m.org_id,
    array['role:' || m.role, u.email, 'user:' || u.id] || group_names_of(m.org_id, u.id)
      || array(select f.email from former_addresses f where f.user_id = u.id))
  from memberships m join users u on u.id = m.user_id
  where u.id = account;
end
$$;
create function open_tasks_of_disabled_account() returns trigger language plpgsql security definer as $$
begin
  perform open_tasks_of_account(new.id);
  return null;
end
$$;
do $$
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  execute format('alter function open_tasks_of_disabled_account() set search_path = %I, pg_temp', current_schema());
end
$$;
create trigger tasks_of_disabled_accounts_are_opened after update of disabled_at on users
  for each row when (old.disabled_at is null and new.disabled_at is not null) execute function open_tasks_of_disabled_account();

select open_tasks_of_account(id) from users where disabled_at is not null;
