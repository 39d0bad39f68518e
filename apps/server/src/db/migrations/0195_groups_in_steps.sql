-- Steps can name groups and the starter of the run: tasks then wait for `group:finance` or `user:` with an id.

-- When a step first became active in its run. Returns to the step don't change it.
alter table run_steps add column first_activated_at timestamptz;
update run_steps set first_activated_at = activated_at;

-- Everyone behind the work that an approval must be independent of.
alter table run_tasks add column doer_ids uuid[] not null default '{}';

-- The groups of a member, with who added them when.
create function groups_of(org uuid, person uuid) returns json language sql stable security definer as $$
  select coalesce(json_agg(json_build_object(
           'slug', g.slug, 'addedAt', floor(extract(epoch from m.added_at) * 1000)::bigint, 'addedBy', m.added_by,
           'adderName', coalesce(u.name, '')
         ) order by g.slug), '[]')
  from group_members m join groups g on g.org_id = m.org_id and g.id = m.group_id
  left join users u on u.id = m.added_by[1]
  where m.org_id = org and m.user_id = person
$$;

-- How tasks name the groups of a member.
create function group_names_of(org uuid, person uuid) returns text[] language sql stable as $$
  select array(
    select 'group:' || g.slug from group_members m join groups g on g.org_id = m.org_id and g.id = m.group_id
    where m.org_id = org and m.user_id = person
  )
$$;

-- The members of the named groups. For an approval that has been active since `since`, without those who don't count
-- because of who added them later: someone behind the separated work or, under strict review, anyone.
create function members_of_groups(org uuid, names text[], since timestamptz, doer_ids uuid[])
returns uuid[] language sql stable as $$
  select array(
    select m.user_id from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
    where g.org_id = org and 'group:' || g.slug = any (names)
      and not coalesce(
        date_trunc('milliseconds', m.added_at) > since
        and (m.added_by && doer_ids or (select o.strict from organizations o where o.id = org)), false)
  )
$$;

-- As before; the names can also be those of groups and of the person who started the run.
drop function count_able_people(uuid, text[], uuid[], boolean, integer, boolean);
create function count_able_people(
  org uuid, names text[], except_ids uuid[], is_decision boolean, most integer, is_approval boolean default false,
  since timestamptz default null, doer_ids uuid[] default '{}'
) returns integer language plpgsql stable as $$
declare
  account record;
  people uuid[];
  barring uuid[];
  counted uuid[] := '{}';
  able integer := 0;
  -- Named by id or through a group.
  by_id uuid[] := array(select substr(name, 6)::uuid from unnest(names) name where name like 'user:%-%');
begin
  if exists (select from unnest(names) name where name like 'group:%') then
    by_id := by_id || members_of_groups(org, names, case when is_approval then since end, coalesce(doer_ids, '{}'));
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
    continue when barring && except_ids or people && counted;
    continue when is_approval and account.email <> all (names) and account.id <> all (by_id)
      and took_role_by_own_hand(org, account.id);
    continue when is_decision and account.is_unproved and not may_decide_steps(org, account.id);
    able := able + 1;
    counted := counted || people;
  end loop;
  return able;
end
$$;

-- How many people can do what a step's tasks ask of those that the step names.
create function count_able_for_step(org uuid, run uuid, step text, task run_tasks) returns integer language sql stable as $$
  select count_able_people(
    org,
    array(select n.who from run_tasks n where n.org_id = org and n.run_id = run and n.step_id = step and n.otherwise is not null),
    task.except_ids, task.is_decision, task.needs, task.otherwise = 'permission:step.stand_in',
    (select s.first_activated_at from run_steps s where s.org_id = org and s.run_id = run and s.step_id = step), task.doer_ids)
$$;

create or replace function is_too_few(org uuid, run uuid, step text) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from run_tasks n
    where n.org_id = org and n.run_id = run and n.step_id = step and n.otherwise = 'permission:step.stand_in'
      and n.needs > count_able_for_step(org, run, step, n)
  );
end
$$;

-- Gives the tasks that wait for these names also to those who can act for them, if too few people are left.
create function open_tasks_of(org uuid, names text[]) returns void language sql as $$
  insert into run_tasks as opened (org_id, run_id, step_id, who, due_at, at_risk_at, except_ids, is_decision)
  select distinct on (t.run_id, t.step_id)
         t.org_id, t.run_id, t.step_id, t.otherwise, t.due_at, t.at_risk_at, t.except_ids, t.is_decision
  from run_tasks t
  where t.org_id = org and t.otherwise is not null and t.who = any (names)
    and t.needs > count_able_for_step(org, t.run_id, t.step_id, t)
  on conflict (org_id, run_id, step_id, who) do update set opens_at = null, overdue_at = opened.opens_at
    where opened.opens_at is not null
$$;

create or replace function open_tasks_left_behind() returns trigger language plpgsql security definer as $$
begin
  perform open_tasks_of(
    old.org_id,
    array['role:' || old.role, (select email from users where id = old.user_id), 'user:' || old.user_id]);
  return null;
end
$$;

-- Someone who leaves a group leaves its tasks behind too.
create function open_tasks_of_groups() returns trigger language plpgsql security definer as $$
begin
  perform open_tasks_of(of_organization.org_id, of_organization.names)
  from (
    select gone.org_id, array_agg(distinct 'group:' || g.slug) as names
    from gone join groups g on g.org_id = gone.org_id and g.id = gone.group_id
    group by gone.org_id
  ) of_organization;
  return null;
end
$$;
create trigger tasks_of_groups_are_opened after delete on group_members
  referencing old table as gone for each statement execute function open_tasks_of_groups();

do $$
declare
  name text;
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array['groups_of(uuid, uuid)', 'open_tasks_left_behind()', 'open_tasks_of_groups()'] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
  revoke execute on function groups_of(uuid, uuid) from public;
end
$$;
grant execute on function groups_of(uuid, uuid) to stet_app;
