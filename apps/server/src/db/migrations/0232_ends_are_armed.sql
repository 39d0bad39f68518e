-- The end of an organization takes effect a day after its date was first seen as passed, so that a clock that jumps ahead
-- deletes nothing at once.
alter table ending_organizations add column passed_since timestamptz;

-- Records when the dates of organizations were first seen as passed. A clock that was set back starts the day again.
create function note_passed_ends() returns void language sql security definer as $$
  update ending_organizations set passed_since = case when ends_at <= now() then now() end
  where (ends_at <= now()) is distinct from (passed_since is not null) or passed_since > now()
$$;

create or replace function has_ended(org uuid) returns boolean language sql stable as $$
  select exists (
    select from ending_organizations e
    where e.org_id = org and e.ends_at <= now() and e.passed_since <= now() - interval '24 hours'
  )
$$;

create or replace function ended_organizations() returns table (org_id uuid, name text) language sql stable security definer as $$
  select o.id, o.name from ending_organizations e join organizations o on o.id = e.org_id where has_ended(e.org_id) order by o.id
$$;

create or replace function postpone_end(org uuid) returns void language sql security definer as $$
  update ending_organizations set ends_at = now() + interval '30 days', passed_since = null
  where org_id = org and ends_at <= now()
$$;

-- As before, but a cancellation at the same time waits, and then sees that the organization has ended.
create or replace function delete_ended_rows(org uuid, of_table text, most integer) returns integer language plpgsql security definer as $$
declare
  deleted integer;
begin
  perform from ending_organizations where org_id = org for share;
  -- Another execution may have finished in the meantime.
  if not exists (select from organizations where id = org) then
    return 0;
  end if;
  if not has_ended(org) or of_table = 'ending_organizations' then
    raise exception 'the organization has not ended' using errcode = 'insufficient_privilege';
  end if;
  -- The name is that of a table of this schema with a column `org_id`, or the statement fails.
  execute format('delete from %I.%I where org_id = $1 and ctid = any (array(select ctid from %I.%I where org_id = $1 limit $2))',
                 current_schema(), of_table, current_schema(), of_table)
    using org, most;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- People aren't in organizations that have ended. Nothing can be recorded there, not even a sign-in.
create or replace function selected_org(person uuid) returns uuid language plpgsql stable security definer as $$
begin
  return (
    select m.org_id from users u join memberships m on m.user_id = u.id
    where u.id = person and not has_ended(m.org_id)
    order by coalesce(m.org_id = u.current_org_id, false) desc, m.created_at, m.org_id
    limit 1
  );
end
$$;

create or replace function find_sessions(keys uuid[])
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
    where m.user_id = u.id and not has_ended(m.org_id)
    order by coalesce(m.org_id = u.current_org_id, false) desc, m.created_at, m.org_id
    limit 1
  ) m on true
  left join organizations o on o.id = m.org_id
  where s.id = any(keys) and s.ended_at is null and s.expires_at > now();
end
$$;

create or replace function organizations_of(person uuid) returns table (id uuid, name text, type text, slug text, role text)
language plpgsql stable security definer as $$
#variable_conflict use_column
begin
  return query
  select o.id, o.name, o.type, o.slug, m.role
  from memberships m join organizations o on o.id = m.org_id
  where m.user_id = person and not has_ended(m.org_id)
  order by m.created_at, o.id;
end
$$;

-- As before, but runs can be deleted: a new status of null isn't a number.
create or replace function keep_run_counts() returns trigger language plpgsql security definer as $$
declare
  was text := case when tg_op <> 'INSERT' then old.status end;
  is_now text := case when tg_op <> 'DELETE' then new.status end;
  sla_was text := case when was = 'running' then old.sla_state end;
  sla_is_now text := case when is_now = 'running' then new.sla_state end;
begin
  if tg_op = 'DELETE' then
    if has_ended(old.org_id) then
      return null;
    end if;
  end if;
  insert into run_counts as c (org_id, running, paused, completed, failed, cancelled, on_track, at_risk, breached)
  values (
    coalesce(new.org_id, old.org_id), coalesce((is_now = 'running')::int, 0), coalesce((is_now = 'paused')::int, 0),
    coalesce((is_now = 'completed')::int, 0), coalesce((is_now = 'failed')::int, 0), coalesce((is_now = 'cancelled')::int, 0),
    coalesce((sla_is_now = 'on_track')::int, 0), coalesce((sla_is_now = 'at_risk')::int, 0),
    coalesce((sla_is_now = 'breached')::int, 0)
  )
  on conflict (org_id) do update set
    running = c.running + coalesce((is_now = 'running')::int, 0) - coalesce((was = 'running')::int, 0),
    paused = c.paused + coalesce((is_now = 'paused')::int, 0) - coalesce((was = 'paused')::int, 0),
    completed = c.completed + coalesce((is_now = 'completed')::int, 0) - coalesce((was = 'completed')::int, 0),
    failed = c.failed + coalesce((is_now = 'failed')::int, 0) - coalesce((was = 'failed')::int, 0),
    cancelled = c.cancelled + coalesce((is_now = 'cancelled')::int, 0) - coalesce((was = 'cancelled')::int, 0),
    on_track = c.on_track + coalesce((sla_is_now = 'on_track')::int, 0) - coalesce((sla_was = 'on_track')::int, 0),
    at_risk = c.at_risk + coalesce((sla_is_now = 'at_risk')::int, 0) - coalesce((sla_was = 'at_risk')::int, 0),
    breached = c.breached + coalesce((sla_is_now = 'breached')::int, 0) - coalesce((sla_was = 'breached')::int, 0);
  return null;
end
$$;

do $$
declare
  name text;
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array[
    'note_passed_ends()', 'ended_organizations()', 'postpone_end(uuid)', 'delete_ended_rows(uuid, text, integer)',
    'selected_org(uuid)', 'find_sessions(uuid[])', 'organizations_of(uuid)', 'keep_run_counts()'
  ] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
  revoke execute on function note_passed_ends() from public;
end
$$;
grant execute on function note_passed_ends() to stet_app;
