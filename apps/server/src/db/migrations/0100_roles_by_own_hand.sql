-- True if someone took the role they hold by their own hand within the last 7 days: they gave it to themselves, or another account
-- on their mailbox gave it to them.
create function took_role_by_own_hand(org uuid, person uuid) returns boolean language plpgsql stable security definer as $$
begin
  return exists (
    select from role_history h join users taker on taker.id = h.user_id join users giver on giver.id = h.given_by
    where h.org_id = org and h.user_id = person and h.until is null and h.since > now() - interval '7 days'
      and mailbox_of(giver.email) = mailbox_of(taker.email)
  );
end
$$;

-- As before; if the names are those of an approval step, nobody counts as named by a role that they took by their own hand.
drop function count_able_people(uuid, text[], uuid[], boolean, integer);
create function count_able_people(
  org uuid, names text[], except_ids uuid[], is_decision boolean, most integer, is_approval boolean default false
) returns integer language plpgsql stable as $$
declare
  account record;
  people uuid[];
  counted uuid[] := '{}';
  able integer := 0;
begin
  for account in
    select u.id, u.email, false as is_unproved from memberships m join users u on u.id = m.user_id
    where m.org_id = org and u.proved_by is not null and (u.email = any (names) or 'role:' || m.role = any (names))
    union all
    select u.id, u.email, true from memberships m join users u on u.id = m.user_id
    where m.org_id = org and u.proved_by is null and (u.email = any (names) or 'role:' || m.role = any (names))
  loop
    exit when able >= most;
    people := people_behind(org, account.id);
    continue when people && except_ids or people && counted;
    continue when is_approval and account.email <> all (names) and took_role_by_own_hand(org, account.id);
    continue when is_decision and account.is_unproved and not may_decide_steps(org, account.id);
    able := able + 1;
    counted := counted || people;
  end loop;
  return able;
end
$$;

create or replace function open_tasks_left_behind() returns trigger language plpgsql security definer as $$
begin
  insert into run_tasks as opened (org_id, run_id, step_id, who, due_at, at_risk_at, except_ids, is_decision)
  select distinct on (t.run_id, t.step_id)
         t.org_id, t.run_id, t.step_id, t.otherwise, t.due_at, t.at_risk_at, t.except_ids, t.is_decision
  from run_tasks t
  where t.org_id = old.org_id and t.otherwise is not null
    and t.who = any(array['role:' || old.role, (select email from users where id = old.user_id)])
    and t.needs > count_able_people(old.org_id, array(
      select n.who from run_tasks n where n.org_id = old.org_id and n.run_id = t.run_id and n.step_id = t.step_id
    ), t.except_ids, t.is_decision, t.needs, t.otherwise = 'permission:step.stand_in')
  on conflict (org_id, run_id, step_id, who) do update set opens_at = null where opened.opens_at is not null;
  return null;
end
$$;

do $$
declare
  name text;
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array['took_role_by_own_hand(uuid, uuid)', 'open_tasks_left_behind()'] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
  revoke execute on function took_role_by_own_hand(uuid, uuid) from public;
end
$$;
grant execute on function took_role_by_own_hand(uuid, uuid) to stet_app;
