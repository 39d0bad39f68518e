-- All accounts of a mailbox count as one person. So if a proved person did the work, another account of their mailbox that isn't proved
-- counted as possibly behind it too, and the manager who alone vouches for that account. Under strict review, My tasks offered
-- the people whom this manager had added to a group only a rejection, although they could approve.

-- True if an action in the run counts as this person's, and its actor's own address wasn't proved.
create function acted_without_proof(org uuid, run uuid, person uuid) returns boolean language plpgsql stable as $$
begin
  -- In lax mode, the conditions could be true of two different actors in one list.
  return exists (
    select from runs r where r.org_id = org and r.id = run and jsonb_path_exists(
      r.state,
      'strict $.** ? ((@.unproved == true || exists (@.vouchedBy)) && (@.id == $id || @.personId == $id || @.also[*] == $id))',
      jsonb_build_object('id', person))
  );
end
$$;

-- The managers who alone vouch for one of these people who are behind the work in a run, with all accounts of their mailboxes.
create function only_vouchers(org uuid, people uuid[], run uuid) returns uuid[] language plpgsql stable as $$
begin
  if not exists (select from users u where u.id = any (people) and u.proved_by is null) then
    return '{}';
  end if;
  return array(
    select distinct unnest(vouched.by) from users u
    cross join lateral (select vouchers_of(org, u.id) as by offset 0) vouched
    where u.id = any (people) and u.proved_by is null
      and (select count(distinct mailbox_of(voucher.email)) from users voucher where voucher.id = any (vouched.by)) = 1
      and acted_without_proof(org, run, u.id)
  );
end
$$;
drop function only_vouchers(uuid, uuid[]);

-- As before, for the work in this run.
drop function count_able_people(
  uuid, text[], uuid[], boolean, integer, boolean, timestamptz, timestamptz, uuid[], uuid[], uuid[]);
create function count_able_people(
  org uuid, names text[], except_ids uuid[], is_decision boolean, most integer, is_approval boolean default false,
  since timestamptz default null, started timestamptz default null, doer_ids uuid[] default '{}', giver_ids uuid[] default '{}',
  uncertain_doer_ids uuid[] default '{}', run uuid default null
) returns integer language plpgsql stable as $$
declare
  account record;
  strict_ids uuid[] := coalesce(giver_ids, '{}') || coalesce(uncertain_doer_ids, '{}');
  vouchers uuid[] := '{}';
  people uuid[];
  barring uuid[];
  counted uuid[] := '{}';
  able integer := 0;
  -- Named by id or through a group.
  by_id uuid[] := array(select substr(name, 6)::uuid from unnest(names) name where name like 'user:%-%');
  -- The same for all accounts; see `is_role_barred`.
  tainted uuid[];
  others uuid[];
  -- Givers and these managers can decide, unless the review is strict.
  uncounted uuid[] := '{}';
begin
  names := current_addresses(names);
  if is_decision and (select o.strict from organizations o where o.id = org) then
    vouchers := only_vouchers(org, strict_ids || coalesce(doer_ids, '{}'), run);
    uncounted := coalesce(giver_ids, '{}') || vouchers;
    strict_ids := strict_ids || vouchers;
  end if;
  if exists (select from unnest(names) name where name like 'group:%') then
    by_id := by_id || members_of_groups(
      org, names, case when is_approval then since end, started, coalesce(doer_ids, '{}'), strict_ids);
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

create or replace function count_able_for_step(org uuid, run uuid, step text, task run_tasks)
returns integer language sql stable as $$
  select count_able_people(
    org,
    array(select n.who from run_tasks n where n.org_id = org and n.run_id = run and n.step_id = step and n.otherwise is not null),
    task.except_ids, task.is_decision, task.needs, task.otherwise = 'permission:step.stand_in',
    (select s.first_activated_at from run_steps s where s.org_id = org and s.run_id = run and s.step_id = step),
    (select r.created_at from runs r where r.org_id = org and r.id = run), task.doer_ids, task.giver_ids, task.uncertain_doer_ids, run)
$$;
