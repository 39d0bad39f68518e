-- Who answered for a token before: they may still have its secret, so what it writes counts as theirs too.
alter table api_tokens add column held_before uuid[] not null default '{}';

drop function find_api_token(bytea);
create function find_api_token(token_hash bytea)
returns table (
  id uuid, kind text, token_name text, scopes text[], user_id uuid, email text, name text, role text,
  org_id uuid, org_role text, organizations json, seen_lately boolean, proved_by text, standing json,
  same_mailbox uuid[], held_before uuid[]
) language plpgsql stable security definer rows 1 as $$
#variable_conflict use_column
begin
  return query
  select t.id, t.kind, t.name, t.scopes, u.id, u.email, u.name, u.role, o.id, coalesce(t.role, m.role),
         json_build_array(json_build_object('id', o.id, 'name', o.name, 'type', o.type, 'slug', o.slug, 'role', coalesce(t.role, m.role))),
         coalesce(t.last_used_at > now() - interval '1 minute', false),
         u.proved_by, case when u.proved_by is null then account_standing(o.id, u.id) end,
         array(select s.id from users s where mailbox_of(s.email) = mailbox_of(u.email) and s.id <> u.id),
         t.held_before
  from api_tokens t
  join organizations o on o.id = t.org_id
  join users u on u.id = t.user_id
  left join memberships m on m.org_id = t.org_id and m.user_id = t.user_id
  where t.hash = token_hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
    and (t.kind = 'organization' or (m.role is not null and (u.tokens_ended_at is null or t.created_at > u.tokens_ended_at)));
end
$$;

-- An invitation that is sent again is another mail.
create or replace function invitations_sent_by(person uuid) returns integer language sql stable security definer as $$
  select coalesce(sum(generation), 0)::integer from invitations where invited_by = person
$$;

do $$
declare
  name text;
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array['find_api_token(bytea)', 'invitations_sent_by(uuid)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
grant execute on function find_api_token(bytea), invitations_sent_by(uuid) to stet_app;
