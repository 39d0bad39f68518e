-- API tokens ----------------------------------------------------------------------------------------------------------
create table api_tokens (
  org_id uuid not null references organizations (id),
  id uuid not null,
  kind text not null check (kind in ('personal', 'organization')),
  -- Whose it is; of an organization's own, who made it and answers for it.
  user_id uuid not null references users (id),
  name text not null,
  -- Of an organization's own; a personal one follows the role of its person.
  role text check (role in ('admin', 'editor', 'reviewer', 'viewer')),
  scopes text[] not null,
  -- SHA-256: the token itself is told once and kept nowhere.
  hash bytea not null constraint api_tokens_by_hash unique,
  ending text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (org_id, id),
  check ((role is null) = (kind = 'personal'))
);
create index api_tokens_of_person on api_tokens (org_id, user_id, created_at desc, id desc) where revoked_at is null;
create index api_tokens_newest on api_tokens (org_id, created_at desc, id desc) where revoked_at is null;

-- Whom a token stands for now; no row where it is unknown, revoked or expired, or its person is no member any more.
create function find_api_token(token_hash bytea)
returns table (
  id uuid, kind text, token_name text, scopes text[], user_id uuid, email text, name text, role text,
  org_id uuid, org_role text, organizations json, seen_lately boolean
) language sql stable security definer rows 1 as $$
  select t.id, t.kind, t.name, t.scopes, u.id, u.email, u.name, u.role, o.id, coalesce(t.role, m.role),
         json_build_array(json_build_object('id', o.id, 'name', o.name, 'type', o.type, 'slug', o.slug, 'role', coalesce(t.role, m.role))),
         coalesce(t.last_used_at > now() - interval '1 minute', false)
  from api_tokens t
  join organizations o on o.id = t.org_id
  join users u on u.id = t.user_id
  left join memberships m on m.org_id = t.org_id and m.user_id = t.user_id
  where t.hash = token_hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
    and (t.kind = 'organization' or m.role is not null)
$$;

-- As `hold_standing`, of a token: its own role or that of its person is, at this moment, one of these, and it is not revoked.
create function hold_token_standing(org uuid, token uuid, roles text[]) returns boolean language plpgsql as $$
declare
  held api_tokens%rowtype;
begin
  select * into held from api_tokens t
  where t.org_id = org and t.id = token and t.revoked_at is null and (t.expires_at is null or t.expires_at > now()) for share;
  if held.kind = 'personal' then
    perform hold_standing(org, held.user_id, roles);
  elsif held.role is null or held.role <> all (roles) then
    raise exception 'the token has changed since the request came in' using errcode = 'ST403';
  end if;
  return true;
end
$$;
grant execute on function hold_token_standing(uuid, uuid, text[]) to stet_app;

create function touch_api_token(token_hash bytea) returns void language sql security definer as $$
  update api_tokens set last_used_at = now()
  where hash = token_hash and (last_used_at is null or last_used_at < now() - interval '1 minute')
$$;

grant select, insert, update on api_tokens to stet_app;
alter table api_tokens enable row level security;
alter table api_tokens force row level security;
create policy tenant on api_tokens to stet_app using (org_id = current_org()) with check (org_id = current_org());

do $$
declare
  name text;
begin
  execute format('create policy owner on api_tokens to %I using (true) with check (true)', current_user);
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array['find_api_token(bytea)', 'touch_api_token(bytea)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
grant execute on function find_api_token(bytea), touch_api_token(bytea) to stet_app;
