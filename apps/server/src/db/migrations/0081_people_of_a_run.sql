-- Tasks that are decisions ---------------------------------------------------------------------------------------------
-- A vote, or a verdict on input: not a task of accounts that may not decide.
alter table run_tasks add column is_decision boolean not null default false;
update run_tasks t set is_decision = true
from run_steps s
where s.org_id = t.org_id and s.run_id = t.run_id and s.step_id = t.step_id
  -- On a manual step only those who gave its input are excepted.
  and (s.type = 'approval' or cardinality(t.except_ids) > 0);

-- People ---------------------------------------------------------------------------------------------------------------
-- Everyone whose act an act of this account is: itself, those behind it while it isn't proved, and accounts of its mailbox.
create function people_behind(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
begin
  return array[person]
    || array(select json_array_elements_text(account_standing(org, person) -> 'alsoCountsAs')::uuid)
    || array(
      select twin.id from users u join users twin on mailbox_of(twin.email) = mailbox_of(u.email)
      where u.id = person and twin.id <> person
    );
end
$$;

-- True if the account is proved, or no other proved manager could confirm it.
create function may_decide_steps(org uuid, person uuid) returns boolean language plpgsql stable as $$
begin
  return not coalesce((account_standing(org, person) ->> 'hasSecondManager')::boolean, false);
end
$$;

-- How many people of those named, by address or role, can act: each person once, with whichever account, and nobody who stands
-- behind or beside those excepted. Counts up to `most`. Proved accounts come first: each is one person, so the count is exact.
create function count_able_people(org uuid, names text[], except_ids uuid[], is_decision boolean, most integer)
returns integer language plpgsql stable as $$
declare
  account record;
  people uuid[];
  counted uuid[] := '{}';
  able integer := 0;
begin
  for account in
    select u.id, false as is_unproved from memberships m join users u on u.id = m.user_id
    where m.org_id = org and u.proved_by is not null and (u.email = any (names) or 'role:' || m.role = any (names))
    union all
    select u.id, true from memberships m join users u on u.id = m.user_id
    where m.org_id = org and u.proved_by is null and (u.email = any (names) or 'role:' || m.role = any (names))
  loop
    exit when able >= most;
    people := people_behind(org, account.id);
    continue when people && except_ids or people && counted;
    continue when is_decision and account.is_unproved and not may_decide_steps(org, account.id);
    able := able + 1;
    counted := counted || people;
  end loop;
  return able;
end
$$;

-- As before, by people instead of accounts.
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
    ), t.except_ids, t.is_decision, t.needs)
  on conflict (org_id, run_id, step_id, who) do update set opens_at = null where opened.opens_at is not null;
  return null;
end
$$;

do $$
begin
  execute format('alter function open_tasks_left_behind() set search_path = %I, pg_temp', current_schema());
end
$$;
