-- Who a person is to an identity provider. Issuer and subject name them for good; their address there may change.
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id),
  -- The address under which they were connected.
  email text not null,
  connected_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_by_user on identities (user_id);

grant select, insert, update (email) on identities to stet_app;

-- When all that could get into an account was ended: personal API tokens from before then open nothing, in any organization.
alter table users add column tokens_ended_at timestamptz;

-- As before, but for personal tokens from before that moment.
create or replace function find_api_token(token_hash bytea)
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
    and (t.kind = 'organization' or (m.role is not null and (u.tokens_ended_at is null or t.created_at > u.tokens_ended_at)))
$$;

create or replace function hold_token_standing(org uuid, token uuid, roles text[]) returns boolean language plpgsql as $$
declare
  held api_tokens%rowtype;
begin
  select * into held from api_tokens t
  where t.org_id = org and t.id = token and t.revoked_at is null and (t.expires_at is null or t.expires_at > now()) for share;
  if held.kind = 'personal' then
    perform 1 from users u
    where u.id = held.user_id and (u.tokens_ended_at is null or held.created_at > u.tokens_ended_at) for share;
    if not found then
      raise exception 'the token has ended since the request came in' using errcode = 'ST403';
    end if;
    perform hold_standing(org, held.user_id, roles);
  elsif held.role is null or held.role <> all (roles) then
    raise exception 'the token has changed since the request came in' using errcode = 'ST403';
  end if;
  return true;
end
$$;

-- Where someone has personal tokens: each organization's trail tells of the end of its own.
create function orgs_of_personal_tokens(person uuid) returns setof uuid language sql stable security definer as $$
  select distinct org_id from api_tokens where user_id = person and kind = 'personal' and revoked_at is null
$$;
create index api_tokens_by_person on api_tokens (user_id) where revoked_at is null and kind = 'personal';

do $$
declare
  name text;
begin
  foreach name in array array['find_api_token(bytea)', 'orgs_of_personal_tokens(uuid)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
grant execute on function find_api_token(bytea), orgs_of_personal_tokens(uuid) to stet_app;
