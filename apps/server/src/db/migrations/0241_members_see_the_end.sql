-- As before, with the date on which an organization ends, which its members see.
drop function organizations_of(uuid);
create function organizations_of(person uuid)
returns table (id uuid, name text, type text, slug text, role text, ends_at timestamptz)
language plpgsql stable security definer as $$
#variable_conflict use_column
begin
  return query
  select o.id, o.name, o.type, o.slug, m.role, e.ends_at
  from memberships m join organizations o on o.id = m.org_id left join ending_organizations e on e.org_id = o.id
  where m.user_id = person and not has_ended(m.org_id)
  order by m.created_at, o.id;
end
$$;
do $$
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  execute format('alter function organizations_of(uuid) set search_path = %I, pg_temp', current_schema());
  revoke execute on function organizations_of(uuid) from public;
end
$$;
grant execute on function organizations_of(uuid) to stet_app;
