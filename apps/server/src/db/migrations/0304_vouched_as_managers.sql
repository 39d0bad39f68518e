-- Any confirmation that covers the current role counted for everyone behind an account. If Vera had confirmed Rick as an editor, and only
-- Dora as an admin, Vera vouched for what he did as an admin too as soon as he left or became an editor again. Now only confirmations as an
-- owner or admin count for those who confirm others and give powers.

-- True if a manager's confirmation of a member covers all roles.
create function covers_managers(k confirmations) returns boolean language plpgsql stable as $$
begin
  return k.status = 'confirmed' and (k.counts_for_all_roles or k.payload ->> 'role' in ('owner', 'admin'));
end
$$;

-- As before. If nobody confirmed the person as a manager, confirmations that cover the person's current role count instead.
create or replace function vouching_mailboxes(org uuid, person uuid) returns text[] language plpgsql stable as $$
declare
  was_manager boolean := exists (
    select from confirmations k
    where k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = person::text and covers_managers(k)
  );
begin
  return array(
    with recursive words (id) as (
      select person
      union
      -- `offset 0`: for each account, its rows are read by their keys. A join could read all accounts of the installation.
      select by.id from words w cross join lateral (
        select k.decided_by as id from confirmations k
        where k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = w.id::text
          and lacks_own_proof(w.id)
          and case when w.id = person and not was_manager then confirmation_counts(k) else covers_managers(k) end
        offset 0
      ) by
    )
    select distinct (select mailbox_of(u.email) from users u where u.id = w.id) from words w where not lacks_own_proof(w.id)
  );
end
$$;

-- All confirmations by the people behind the work were read, for each task. Now only these accounts are considered: deciders, and people who
-- can have given them powers.
drop function only_vouched(uuid, uuid[]);
create function only_vouched(org uuid, people uuid[], among uuid[]) returns uuid[] language plpgsql stable as $$
declare
  own text[];
begin
  if coalesce(cardinality(among), 0) = 0 or coalesce(cardinality(people), 0) = 0 then
    return '{}';
  end if;
  own := array(select distinct mailbox_of(u.email) from users u where u.id = any (people));
  return array(
    select a.id from (select distinct unnest(among) as id) a
    cross join lateral (select vouching_mailboxes(org, a.id) as by where lacks_own_proof(a.id) offset 0) vouched
    where cardinality(vouched.by) = 1 and vouched.by <@ own
  );
end
$$;
drop index confirmations_by_decider;

-- Only owners and admins can give roles and add people to groups.
create index role_history_of_managers on role_history (org_id, user_id) where role in ('owner', 'admin');
create function unproved_managers(org uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select distinct h.user_id from role_history h
    where h.org_id = org and h.role in ('owner', 'admin') and lacks_own_proof(h.user_id)
  );
end
$$;

drop function tied_by_vouchers(uuid, uuid[], uuid);
create function tied_by_vouchers(org uuid, people uuid[], run uuid, among uuid[]) returns uuid[] language plpgsql stable as $$
declare
  vouchers uuid[] := only_vouchers(org, people, run);
begin
  return vouchers || only_vouched(org, people || vouchers, among);
end
$$;

-- As before, with the new functions.
create or replace function count_able_people(
  org uuid, names text[], except_ids uuid[], is_decision boolean, most integer, is_approval boolean default false,
  since timestamptz default null, started timestamptz default null, doer_ids uuid[] default '{}', giver_ids uuid[] default '{}',
  uncertain_doer_ids uuid[] default '{}', run uuid default null
) returns integer language plpgsql stable as $$
declare
  account record;
  strict_ids uuid[] := coalesce(giver_ids, '{}') || coalesce(uncertain_doer_ids, '{}');
  -- Under strict review, everyone behind the work, and the managers who alone vouch for one of them.
  behind uuid[];
  vouchers uuid[];
  people uuid[];
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
  if is_decision and (select o.strict from organizations o where o.id = org) then
    behind := strict_ids || coalesce(doer_ids, '{}') || case when is_approval then '{}' else coalesce(except_ids, '{}') end;
    vouchers := only_vouchers(org, behind, run);
    behind := behind || vouchers;
    uncounted := coalesce(giver_ids, '{}') || vouchers;
    strict_ids := strict_ids || vouchers || only_vouched(org, behind, unproved_managers(org));
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
    continue when is_decision and account.is_unproved
      and (not may_decide_steps(org, account.id) or only_vouched(org, behind, array[account.id]) <> '{}');
    able := able + 1;
    counted := counted || people;
  end loop;
  return able;
end
$$;
