-- If only Mara vouches for an account, it could be hers. Powers that Mara gave were compared with its work, but powers that the account
-- gave weren't compared with Mara's work.

-- The accounts without a proof of their own for which only one mailbox vouches: that of one of these people.
create function only_vouched(org uuid, people uuid[]) returns uuid[] language plpgsql stable as $$
begin
  if not exists (select from confirmations k where k.org_id = org and k.kind = 'member' and k.status = 'confirmed') then
    return '{}';
  end if;
  return array(
    select confirmed.id from (
      select distinct u.id from confirmations k
      join users u on u.id::text = k.subject_id and u.proved_by is null
      join users voucher on voucher.id = k.decided_by
      where k.org_id = org and k.kind = 'member' and k.status = 'confirmed'
        and mailbox_of(voucher.email) in (select mailbox_of(p.email) from users p where p.id = any (people))
    ) confirmed
    cross join lateral (select vouchers_of(org, confirmed.id) as by offset 0) vouched
    where (
      select count(distinct mailbox_of(v.email)) = 1 and bool_and(mailbox_of(v.email) in (
        select mailbox_of(p.email) from users p where p.id = any (people)
      ))
      from users v where v.id = any (vouched.by)
    )
  );
end
$$;

-- Under strict review, neither a decision by these people on the work in a run nor a power that they gave counts: those who alone vouch
-- for one of the people behind the work, and those for whom only one of all of them vouches.
create function tied_by_vouchers(org uuid, people uuid[], run uuid) returns uuid[] language plpgsql stable as $$
declare
  vouchers uuid[] := only_vouchers(org, people, run);
begin
  return vouchers || only_vouched(org, people || vouchers);
end
$$;

-- As before, with these people. Input has its submitters in `except_ids`; the only manager who vouches for one of them can't approve it
-- under strict review, so stand-ins can if too few others are left.
create or replace function count_able_people(
  org uuid, names text[], except_ids uuid[], is_decision boolean, most integer, is_approval boolean default false,
  since timestamptz default null, started timestamptz default null, doer_ids uuid[] default '{}', giver_ids uuid[] default '{}',
  uncertain_doer_ids uuid[] default '{}', run uuid default null
) returns integer language plpgsql stable as $$
declare
  account record;
  strict_ids uuid[] := coalesce(giver_ids, '{}') || coalesce(uncertain_doer_ids, '{}');
  tied uuid[] := '{}';
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
    tied := tied_by_vouchers(
      org, strict_ids || coalesce(doer_ids, '{}') || case when is_approval then '{}' else coalesce(except_ids, '{}') end, run);
    uncounted := coalesce(giver_ids, '{}') || tied;
    strict_ids := strict_ids || tied;
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
