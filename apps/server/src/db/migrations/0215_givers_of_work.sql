-- Everyone who handed the work of a step over to those who did it. They may decide on it, with a mark; under strict review
-- their decisions don't count, and neither do those of people whom they added to a group.
alter table run_tasks add column giver_ids uuid[] not null default '{}';

drop function members_of_groups(uuid, text[], timestamptz, timestamptz, uuid[]);

-- The members of the named groups. For an approval that has been active since `since`, without those who don't count
-- because of who added them: someone behind the separated work after the run had started or, under strict review, at any
-- time; and under strict review someone who handed that work over at any time, and anyone after `since`.
create function members_of_groups(
  org uuid, names text[], since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[]
) returns uuid[] language sql stable as $$
  select array(
    select m.user_id from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
    cross join lateral (
      select date_trunc('milliseconds', m.added_at) as at, m.added_by && doer_ids as is_by_doer,
             m.added_by && giver_ids as is_by_giver,
             (select o.strict from organizations o where o.id = org) as is_strict
    ) added
    where g.org_id = org and 'group:' || g.slug = any (names)
      and (since is null or not coalesce(
        added.is_by_doer and added.at > started
        or added.is_strict and (added.is_by_doer or added.is_by_giver or added.at > since), false))
  )
$$;

drop function count_able_people(uuid, text[], uuid[], boolean, integer, boolean, timestamptz, timestamptz, uuid[]);
create function count_able_people(
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
      and took_role_by_own_hand(org, account.id);
    continue when is_decision and account.is_unproved and not may_decide_steps(org, account.id);
    able := able + 1;
    counted := counted || people;
  end loop;
  return able;
end
$$;

create or replace function count_able_for_step(org uuid, run uuid, step text, task run_tasks)
returns integer language sql stable as $$
  select count_able_people(
    org,
    array(select n.who from run_tasks n where n.org_id = org and n.run_id = run and n.step_id = step and n.otherwise is not null),
    task.except_ids, task.is_decision, task.needs, task.otherwise = 'permission:step.stand_in',
    (select s.first_activated_at from run_steps s where s.org_id = org and s.run_id = run and s.step_id = step),
    (select r.created_at from runs r where r.org_id = org and r.id = run), task.doer_ids, task.giver_ids)
$$;
