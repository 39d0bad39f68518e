-- The shortest password that members of an organization may set; the specification's unless an organization raises it.
alter table organizations add column password_minimum integer not null default 6 check (password_minimum between 6 and 64);

-- The last reminder about a personal token without an end.
alter table api_tokens add column reminded_at timestamptz;

-- Failed sign-ins of an account, by the hour, in each of its organizations, until their trail has them.
create table failed_sign_ins (
  org_id uuid not null references organizations (id),
  user_id uuid not null references users (id),
  hour timestamptz not null,
  count integer not null,
  primary key (org_id, user_id, hour)
);
create index failed_sign_ins_by_hour on failed_sign_ins (hour);

create function count_failed_sign_in(person uuid) returns void language sql security definer as $$
  insert into failed_sign_ins as f (org_id, user_id, hour, count)
  select m.org_id, m.user_id, date_trunc('hour', now()), 1 from memberships m where m.user_id = person order by m.org_id
  on conflict (org_id, user_id, hour) do update set count = f.count + 1
$$;

-- Where an hour with failed sign-ins is over.
create function orgs_with_failed_sign_ins() returns setof uuid language sql stable security definer as $$
  select distinct org_id from failed_sign_ins where hour < date_trunc('hour', now())
$$;

-- The highest minimum of a person's organizations and of the one they join.
create function password_minimum(person uuid, joined uuid) returns integer language sql stable security definer as $$
  select coalesce(max(o.password_minimum), 6) from organizations o
  where o.id = joined or o.id in (select m.org_id from memberships m where m.user_id = person)
$$;

create function is_invited(address text) returns boolean language sql stable security definer as $$
  select exists (select from invitations where email = address and accepted_at is null and revoked_at is null and expires_at > now())
$$;
create index invitations_by_address on invitations (email) where accepted_at is null and revoked_at is null;

-- Where someone has a personal token without an end and was not reminded of it for 30 days.
create function orgs_with_endless_tokens() returns setof uuid language sql stable security definer as $$
  select distinct org_id from api_tokens
  where kind = 'personal' and expires_at is null and revoked_at is null and coalesce(reminded_at, '-infinity') < now() - interval '30 days'
$$;
create index api_tokens_endless on api_tokens (org_id, reminded_at) where kind = 'personal' and expires_at is null and revoked_at is null;

grant select, insert, update, delete on failed_sign_ins to stet_app;
do $$
declare
  name text;
begin
  alter table failed_sign_ins enable row level security;
  alter table failed_sign_ins force row level security;
  create policy tenant on failed_sign_ins to stet_app using (org_id = current_org()) with check (org_id = current_org());
  execute format('create policy owner on failed_sign_ins to %I using (true) with check (true)', current_user);
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array[
    'count_failed_sign_in(uuid)', 'orgs_with_failed_sign_ins()', 'password_minimum(uuid, uuid)', 'is_invited(text)',
    'orgs_with_endless_tokens()'
  ] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
    execute format('grant execute on function %s to stet_app', name);
  end loop;
end
$$;
