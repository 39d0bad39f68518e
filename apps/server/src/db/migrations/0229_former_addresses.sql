-- Changing an email address ------------------------------------------------------------------------------------------------
-- Stored content names people by address and never changes, so a former address still names its account.
create table former_addresses (
  email text primary key check (email = lower(email) and length(email) <= 254),
  user_id uuid not null references users (id),
  changed_at timestamptz not null default now()
);
create index former_addresses_by_user on former_addresses (user_id);
create index former_addresses_by_mailbox on former_addresses (mailbox_of(email));
grant select, insert, delete on former_addresses to stet_app;

-- A link with `new_email` also changes the address of the account.
alter table password_resets
  add column new_email text check (new_email = lower(new_email) and length(new_email) <= 254);

-- The current address of the account that an address names. Other addresses are returned unchanged.
create function current_address(named text) returns text language plpgsql stable as $$
begin
  return coalesce((select u.email from former_addresses f join users u on u.id = f.user_id where f.email = named), named);
end
$$;

create function current_addresses(named text[]) returns text[] language plpgsql stable as $$
begin
  if not exists (select from former_addresses f where f.email = any (named)) then
    return named;
  end if;
  return array(select current_address(name) from unnest(named) name);
end
$$;

-- No other account gets a former address, or one of the same mailbox. This is checked after the row was inserted, when a
-- change of an address that held the same key has been committed.
create function refuse_former_address() returns trigger language plpgsql as $$
begin
  if exists (select from former_addresses f where mailbox_of(f.email) = mailbox_of(new.email) and f.user_id <> new.id) then
    raise exception using errcode = 'unique_violation', constraint = 'users_email_taken',
      message = 'the address is a former one of another account';
  end if;
  return null;
end
$$;
create trigger users_avoid_former_addresses after insert or update of email on users
  for each row execute function refuse_former_address();

-- Accounts with new or changed addresses wait until the transaction ends, so that what it found out about addresses stays true.
create function lock_addresses() returns boolean language plpgsql as $$
begin
  lock table users in share row exclusive mode;
  return true;
end
$$;

-- As before, but a former address names its account.
create or replace function count_able_people(
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
  names := current_addresses(names);
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
      and (took_role_by_own_hand(org, account.id)
           or not role_counts(org, account.id, since, started, coalesce(doer_ids, '{}'), coalesce(giver_ids, '{}')));
    continue when is_decision and account.is_unproved and not may_decide_steps(org, account.id);
    able := able + 1;
    counted := counted || people;
  end loop;
  return able;
end
$$;

-- As before, also for the person's former addresses.
create or replace function open_tasks_left_behind() returns trigger language plpgsql security definer as $$
begin
  perform open_tasks_of(
    old.org_id,
    array['role:' || old.role, (select email from users where id = old.user_id), 'user:' || old.user_id]
      || array(select f.email from former_addresses f where f.user_id = old.user_id));
  return null;
end
$$;
do $$
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  execute format('alter function open_tasks_left_behind() set search_path = %I, pg_temp', current_schema());
end
$$;
