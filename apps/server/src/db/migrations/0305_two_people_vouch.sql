-- If two different people confirmed an account, it isn't tied to either of them. SQL followed this rule only for the people behind work. For the
-- person who decides, it also used other confirmations than those that prove the account when it acts.

-- The manager who alone vouches for an account that acts now, with all accounts of their mailbox. Empty if nobody vouches for it, if several
-- mailboxes do, or if it has a proof of its own.
create function only_vouchers_of(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
declare
  vouchers uuid[];
begin
  if not coalesce(lacks_own_proof(person), false) then
    return '{}';
  end if;
  vouchers := vouchers_of(org, person);
  if (select count(distinct mailbox_of(u.email)) from users u where u.id = any (vouchers)) > 1 then
    return '{}';
  end if;
  return vouchers;
end
$$;

-- As before, with the new function.
create or replace function only_vouchers(org uuid, people uuid[], run uuid) returns uuid[] language plpgsql stable as $$
begin
  if not exists (select from users u where u.id = any (people) and u.proved_by is null) then
    return '{}';
  end if;
  return array(
    select distinct unnest(only_vouchers_of(org, u.id)) from users u
    where u.id = any (people) and u.proved_by is null and acted_without_proof(org, run, u.id)
  );
end
$$;

-- As before, and the manager who alone vouches for the account.
create or replace function account_standing(org uuid, person uuid) returns json language plpgsql stable as $$
declare
  proof text := member_proof(org, person);
  more jsonb := jsonb_build_object(
    'vouchedBy', vouchers_of(org, person), 'onlyVouchers', only_vouchers_of(org, person),
    'isStrict', (select o.strict from organizations o where o.id = org)
  );
  standing jsonb;
begin
  if proof is not null then
    return jsonb_build_object('provedBy', proof) || more;
  end if;
  standing := unproved_standing(org, person)::jsonb || more || jsonb_build_object('sureInviters', sure_inviters(org, person));
  if exists (
    select from confirmations k
    where k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = person::text
      and not (standing -> 'alsoCountsAs') ? k.decided_by::text
  ) then
    return standing || '{"alsoCountsAs": [], "sureInviters": []}';
  end if;
  return standing;
end
$$;

-- As before, but under strict review, an account for which only one mailbox vouches isn't counted in addition to this person, whoever
-- votes first, and only confirmations that prove the account when it acts now matter for its decisions.
drop function count_able_people(
  uuid, text[], uuid[], boolean, integer, boolean, timestamptz, timestamptz, uuid[], uuid[], uuid[], uuid);
create function count_able_people(
  org uuid, names text[], except_ids uuid[], is_decision boolean, most integer, is_approval boolean default false,
  since timestamptz default null, started timestamptz default null, doer_ids uuid[] default '{}', giver_ids uuid[] default '{}',
  uncertain_doer_ids uuid[] default '{}', run uuid default null, voter_ids uuid[] default '{}'
) returns integer language plpgsql stable as $$
declare
  account record;
  is_strict boolean := is_decision and (select o.strict from organizations o where o.id = org);
  strict_ids uuid[] := coalesce(giver_ids, '{}') || coalesce(uncertain_doer_ids, '{}');
  -- Under strict review, everyone behind the work, and the managers who alone vouch for one of them.
  behind uuid[];
  vouchers uuid[];
  people uuid[];
  -- Those who alone vouch for the account.
  alone uuid[];
  barring uuid[];
  counted uuid[] := '{}';
  able integer := 0;
  -- Named by id or through a group.
  by_id uuid[] := array(select substr(name, 6)::uuid from unnest(names) name where name like 'user:%-%');
  -- The same for all accounts; see `is_role_barred`.
  tainted uuid[];
  others uuid[];
  -- Givers and these people can decide, unless the review is strict.
  uncounted uuid[] := '{}';
begin
  names := current_addresses(names);
  if is_strict then
    behind := strict_ids || coalesce(doer_ids, '{}') || case when is_approval then '{}' else coalesce(except_ids, '{}') end;
    vouchers := only_vouchers(org, behind, run);
    behind := behind || vouchers;
    uncounted := coalesce(giver_ids, '{}') || vouchers;
    strict_ids := strict_ids || vouchers || only_vouched(org, behind, unproved_managers(org));
    -- Deciders must also be known apart from those who voted.
    vouchers := only_vouchers(org, voter_ids, run);
    behind := behind || coalesce(voter_ids, '{}') || vouchers;
    uncounted := uncounted || vouchers;
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
    alone := case when is_strict and account.is_unproved then only_vouchers_of(org, account.id) else '{}' end;
    continue when barring && except_ids or people && counted or people && uncounted or alone && counted or alone && behind;
    continue when is_approval and account.email <> all (names) and account.id <> all (by_id)
      and (took_role_by_own_hand(org, account.id)
           or not role_counts(org, account.id, since, started, coalesce(doer_ids, '{}'), strict_ids, tainted, others));
    continue when is_decision and account.is_unproved and not may_decide_steps(org, account.id);
    able := able + 1;
    counted := counted || people || alone;
  end loop;
  return able;
end
$$;

-- Everyone behind the votes for an active approval step.
create function voters_of(org uuid, run uuid, step text) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select distinct behind.id::uuid from runs r
    cross join lateral jsonb_array_elements(r.state -> 'steps' -> step -> 'votes') vote (fact)
    cross join lateral (
      select coalesce(vote.fact -> 'by' ->> 'personId', vote.fact -> 'by' ->> 'id') as id
      union all
      select jsonb_array_elements_text(vote.fact -> 'by' -> 'also')
    ) behind
    where r.org_id = org and r.id = run
  );
end
$$;

-- As before, with the people who voted. They matter only under strict review.
create or replace function count_able_for_step(org uuid, run uuid, step text, task run_tasks)
returns integer language sql stable as $$
  select count_able_people(
    org,
    array(select n.who from run_tasks n where n.org_id = org and n.run_id = run and n.step_id = step and n.otherwise is not null),
    task.except_ids, task.is_decision, task.needs, task.otherwise = 'permission:step.stand_in',
    (select s.first_activated_at from run_steps s where s.org_id = org and s.run_id = run and s.step_id = step),
    (select r.created_at from runs r where r.org_id = org and r.id = run), task.doer_ids, task.giver_ids, task.uncertain_doer_ids, run,
    case when task.is_decision and (select o.strict from organizations o where o.id = org) then voters_of(org, run, step) else '{}' end)
$$;

-- True if a decision by these people wouldn't count under strict review, because one of them alone vouches for someone whose action they would
-- have to be independent of, or only one such person vouches for one of the deciders. The task of approving input has its submitters in
-- `except_ids`.
create function is_tied_by_vouchers(task run_tasks, people uuid[], deciders uuid[]) returns boolean language plpgsql stable as $$
declare
  others uuid[] := task.doer_ids || task.giver_ids || task.uncertain_doer_ids;
  vouchers uuid[];
begin
  if not task.is_decision or not (select o.strict from organizations o where o.id = task.org_id) or not exists (
    select from users u where u.id = any (others || task.except_ids || deciders) and u.proved_by is null
  ) then
    return false;
  end if;
  others := others || case
    when exists (
      select from run_steps s where s.org_id = task.org_id and s.run_id = task.run_id and s.step_id = task.step_id and s.type = 'approval'
    ) then voters_of(task.org_id, task.run_id, task.step_id)
    else task.except_ids
  end;
  vouchers := only_vouchers(task.org_id, others, task.run_id);
  return vouchers && people
    or exists (select from unnest(deciders) d (id) where only_vouchers_of(task.org_id, d.id) && (others || vouchers));
end
$$;

-- A confirmation that covered the current role counted here, so a role that someone gave themselves through an account counted as soon as
-- the account became an editor again or left. As before, but everyone in `words` acted as a manager.
create or replace function took_role_by_own_hand(org uuid, person uuid) returns boolean language plpgsql stable security definer as $$
begin
  -- Nobody gave a founder their role.
  if not exists (
    select from role_history h
    where h.org_id = org and h.user_id = person and h.until is null and h.since > now() - interval '7 days' and h.given_by is not null
  ) then
    return false;
  end if;
  return exists (
    select from role_history h join users taker on taker.id = h.user_id
    cross join lateral (
      with recursive words (id) as (
        select h.given_by
        union
        select k.decided_by
        from words w join users u on u.id = w.id
        join confirmations k on k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = w.id::text
        where u.proved_by is null and mailbox_of(u.email) <> mailbox_of(taker.email) and covers_managers(k)
      )
      select coalesce(bool_or(mailbox_of(u.email) = mailbox_of(taker.email)), false)
             and not coalesce(bool_or(
               mailbox_of(u.email) <> mailbox_of(taker.email)
               and (u.proved_by is not null or not exists (
                 select from confirmations k
                 where k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = u.id::text
                   and covers_managers(k)
               ))
             ), false) as is_own
      from words w join users u on u.id = w.id
    ) giver
    where h.org_id = org and h.user_id = person and h.until is null and h.since > now() - interval '7 days' and giver.is_own
  );
end
$$;
-- Replacing a function drops its settings: a security definer function finds its tables where they were made.
do $$
begin
  execute format('alter function took_role_by_own_hand(uuid, uuid) set search_path = %I, pg_temp', current_schema());
end
$$;
