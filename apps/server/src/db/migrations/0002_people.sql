-- Invitations -------------------------------------------------------------------------------------------------------
create table invitations (
  org_id uuid not null references organizations (id),
  id uuid not null,
  email text not null check (email = lower(email) and length(email) <= 254),
  role text not null check (role in ('admin', 'editor', 'reviewer', 'viewer')),
  -- The link's token is derived from id and generation; only its hash is here. Sending again counts the generation up.
  generation integer not null default 1,
  token_hash bytea not null constraint invitations_by_token unique,
  invited_by uuid not null references users (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '10080 minutes',
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (org_id, id),
  check (accepted_at is null or revoked_at is null)
);
create unique index invitations_one_pending on invitations (org_id, email) where accepted_at is null and revoked_at is null;
create index invitations_pending on invitations (org_id, created_at desc, id desc) where accepted_at is null and revoked_at is null;

-- Passwords and sessions ----------------------------------------------------------------------------------------------
create table password_resets (
  id uuid primary key,
  -- Null where the address has no account: asking leaves a row either way, so that the work, too, is the same.
  user_id uuid references users (id),
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '1 hour',
  used_at timestamptz
);
create index password_resets_by_user on password_resets (user_id);
create index password_resets_by_age on password_resets (expires_at);

alter table sessions
  add column device text not null default '',
  add column last_seen_at timestamptz not null default now();
create index sessions_by_age on sessions (expires_at);

-- Waitlist ------------------------------------------------------------------------------------------------------------
create table waitlist (
  email text primary key check (email = lower(email) and length(email) <= 254),
  created_at timestamptz not null default now()
);

-- The landing page shows the count to everyone who comes by: it must not cost a scan of the list.
create table waitlist_size (
  only_row boolean primary key default true check (only_row),
  count bigint not null
);
insert into waitlist_size (count) values (0);

create function keep_waitlist_size() returns trigger language plpgsql security definer as $$
begin
  update waitlist_size set count = case tg_op when 'INSERT' then count + 1 when 'DELETE' then count - 1 else 0 end;
  return null;
end
$$;
create trigger waitlist_is_counted after insert or delete on waitlist for each row execute function keep_waitlist_size();
create trigger waitlist_is_counted_when_emptied after truncate on waitlist for each statement execute function keep_waitlist_size();

create table priority_applications (
  email text primary key check (email = lower(email) and length(email) <= 254),
  role text not null,
  other_role text not null,
  documentation_tools text[] not null,
  other_documentation_tool text not null,
  team_tools text[] not null,
  other_team_tool text not null,
  frustrations text not null,
  process_types text not null,
  collaboration_size text not null,
  frequency text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Rate limits ---------------------------------------------------------------------------------------------------------
-- Unlogged: a crash of the database may forget counts, never anything else.
create unlogged table rate_limits (
  key text primary key,
  window_start timestamptz not null,
  count integer not null
);
create index rate_limits_by_age on rate_limits (window_start);

-- Reads that come before a tenant is known ------------------------------------------------------------------------------
-- The organization that a person works in: the selected one, else, where they are no member of it any more, their first.
create function selected_org(person uuid) returns uuid language sql stable security definer as $$
  select m.org_id from users u join memberships m on m.user_id = u.id
  where u.id = person
  order by coalesce(m.org_id = u.current_org_id, false) desc, m.created_at, m.org_id
  limit 1
$$;

-- As before, with the organization by `selected_org`, and whether the session was seen within the last minute.
drop function find_session(uuid);
create function find_session(session uuid)
returns table (
  user_id uuid, email text, name text, role text, org_id uuid, org_role text, organizations json, seen_lately boolean
) language sql stable security definer rows 1 as $$
  select u.id, u.email, u.name, u.role, m.org_id, m.role, (
    select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'type', o.type, 'slug', o.slug, 'role', om.role)
                             order by om.created_at, o.id), '[]')
    from memberships om join organizations o on o.id = om.org_id where om.user_id = u.id
  ), s.last_seen_at > now() - interval '1 minute'
  from sessions s
  join users u on u.id = s.user_id
  left join memberships m on m.user_id = u.id and m.org_id = selected_org(u.id)
  where s.id = session and s.ended_at is null and s.expires_at > now()
$$;

-- The pending invitation of a token; no row where it is unknown, expired, accepted or revoked.
create function find_invitation(hash bytea)
returns table (org_id uuid, id uuid, email text, role text, org_name text, org_slug text, expires_at timestamptz)
language sql stable security definer rows 1 as $$
  select i.org_id, i.id, i.email, i.role, o.name, o.slug, i.expires_at
  from invitations i join organizations o on o.id = i.org_id
  where i.token_hash = hash and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
$$;

create function slug_is_taken(wanted text) returns boolean language sql stable security definer as $$
  select exists (select from organizations where slug = wanted)
$$;

-- Rights ------------------------------------------------------------------------------------------------------------
grant select, insert, update on invitations to stet_app;
grant select, insert, update, delete on password_resets, rate_limits to stet_app;
grant delete on sessions to stet_app;
grant insert on waitlist to stet_app;
grant select on waitlist_size to stet_app;
grant select, insert, update on priority_applications to stet_app;

alter table invitations enable row level security;
alter table invitations force row level security;
create policy tenant on invitations to stet_app using (org_id = current_org()) with check (org_id = current_org());

do $$
declare
  name text;
begin
  execute format('create policy owner on invitations to %I using (true) with check (true)', current_user);
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array[
    'keep_waitlist_size()', 'selected_org(uuid)', 'find_session(uuid)', 'find_invitation(bytea)', 'slug_is_taken(text)'
  ] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
grant execute on function selected_org(uuid), find_session(uuid), find_invitation(bytea), slug_is_taken(text) to stet_app;
