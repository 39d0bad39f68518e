-- As before, in a language that keeps its plans. Every request asks for a person's groups, and planning took much longer than
-- the query itself.
create or replace function groups_of(org uuid, person uuid) returns json language plpgsql stable security definer as $$
begin
  return (
    select coalesce(json_agg(json_build_object(
             'slug', g.slug, 'addedAt', floor(extract(epoch from m.added_at) * 1000)::bigint, 'addedBy', m.added_by,
             'adderName', coalesce(u.name, '')
           ) order by g.slug), '[]')
    from group_members m join groups g on g.org_id = m.org_id and g.id = m.group_id
    left join users u on u.id = m.added_by[1]
    where m.org_id = org and m.user_id = person
  );
end
$$;
-- Replacing a function drops its settings: a security definer function finds its tables where they were made.
do $$
begin
  execute format('alter function groups_of(uuid, uuid) set search_path = %I, pg_temp', current_schema());
end
$$;
