-- Under strict review, My tasks offered steps that were then refused: a marked power doesn't count then, and marks consider everyone
-- who may be behind the separated work, but the tasks contained only those who certainly are.
alter table run_tasks add column uncertain_doer_ids uuid[] not null default '{}';

-- As before. Under strict review, `uncertain_doer_ids`, who may be behind the separated work, bar powers like those who handed it over.
drop function count_able_people(
  uuid, text[], uuid[], boolean, integer, boolean, timestamptz, timestamptz, uuid[], uuid[]
);
create function count_able_people(
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
           or not role_counts(org, account.id, since, started, coalesce(doer_ids, '{}'), strict_ids));
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
    (select r.created_at from runs r where r.org_id = org and r.id = run), task.doer_ids, task.giver_ids, task.uncertain_doer_ids)
$$;

create or replace function open_tasks_of(org uuid, names text[]) returns void language sql as $$
  insert into run_tasks as opened (
    org_id, run_id, step_id, who, due_at, at_risk_at, except_ids, reject_ids, is_decision, doer_ids, uncertain_doer_ids, giver_ids)
  select distinct on (t.run_id, t.step_id)
         t.org_id, t.run_id, t.step_id, t.otherwise, t.due_at, t.at_risk_at, t.except_ids, t.reject_ids, t.is_decision, t.doer_ids,
         t.uncertain_doer_ids, t.giver_ids
  from run_tasks t
  where t.org_id = org and t.otherwise is not null and t.who = any (names)
    and t.needs > count_able_for_step(org, t.run_id, t.step_id, t)
  on conflict (org_id, run_id, step_id, who) do update set opens_at = null, overdue_at = opened.opens_at
    where opened.opens_at is not null
$$;
