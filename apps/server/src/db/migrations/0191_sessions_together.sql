-- Sessions of requests that arrive together are read together. As `find_session`, but of the person's organizations only the
-- selected one, because only a few requests need all of them.
create function find_sessions(keys uuid[])
returns table (
  key uuid, user_id uuid, email text, name text, role text, org_id uuid, org_role text, org_name text, org_type text, org_slug text,
  seen_lately boolean, proved_by text, standing json, same_mailbox uuid[], role_by_own_hand boolean
) language plpgsql stable security definer rows 5 as $$
#variable_conflict use_column
begin
  return query
  select s.id, u.id, u.email, u.name, u.role, o.id, m.role, o.name, o.type, o.slug, s.last_seen_at > now() - interval '1 minute',
         u.proved_by, case when u.proved_by is null and o.id is not null then account_standing(o.id, u.id) end,
         array(select t.id from users t where mailbox_of(t.email) = mailbox_of(u.email) and t.id <> u.id),
         o.id is not null and took_role_by_own_hand(o.id, u.id)
  from sessions s
  join users u on u.id = s.user_id
  left join lateral (
    select m.org_id, m.role from memberships m
    where m.user_id = u.id
    order by coalesce(m.org_id = u.current_org_id, false) desc, m.created_at, m.org_id
    limit 1
  ) m on true
  left join organizations o on o.id = m.org_id
  where s.id = any(keys) and s.ended_at is null and s.expires_at > now();
end
$$;
drop function find_session(uuid);

create function organizations_of(person uuid) returns table (id uuid, name text, type text, slug text, role text)
language plpgsql stable security definer as $$
#variable_conflict use_column
begin
  return query
  select o.id, o.name, o.type, o.slug, m.role
  from memberships m join organizations o on o.id = m.org_id
  where m.user_id = person
  order by m.created_at, o.id;
end
$$;

do $$
declare
  name text;
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array['find_sessions(uuid[])', 'organizations_of(uuid)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
grant execute on function find_sessions(uuid[]), organizations_of(uuid) to stet_app;
