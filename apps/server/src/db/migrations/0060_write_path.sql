-- What every request asks first ---------------------------------------------------------------------------------------
-- As before, word for word, in a language that keeps its plans: before PostgreSQL 18 a function in plain SQL that runs with its
-- owner's rights is planned anew at each call, which took longer than the look itself.
create or replace function selected_org(person uuid) returns uuid language plpgsql stable security definer as $$
begin
  return (
    select m.org_id from users u join memberships m on m.user_id = u.id
    where u.id = person
    order by coalesce(m.org_id = u.current_org_id, false) desc, m.created_at, m.org_id
    limit 1
  );
end
$$;

create or replace function find_session(session uuid)
returns table (
  user_id uuid, email text, name text, role text, org_id uuid, org_role text, organizations json, seen_lately boolean
) language plpgsql stable security definer rows 1 as $$
#variable_conflict use_column
begin
  return query
  select u.id, u.email, u.name, u.role, m.org_id, m.role, (
    select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'type', o.type, 'slug', o.slug, 'role', om.role)
                             order by om.created_at, o.id), '[]')
    from memberships om join organizations o on o.id = om.org_id where om.user_id = u.id
  ), s.last_seen_at > now() - interval '1 minute'
  from sessions s
  join users u on u.id = s.user_id
  left join memberships m on m.user_id = u.id and m.org_id = selected_org(u.id)
  where s.id = session and s.ended_at is null and s.expires_at > now();
end
$$;

create or replace function find_api_token(token_hash bytea)
returns table (
  id uuid, kind text, token_name text, scopes text[], user_id uuid, email text, name text, role text,
  org_id uuid, org_role text, organizations json, seen_lately boolean
) language plpgsql stable security definer rows 1 as $$
#variable_conflict use_column
begin
  return query
  select t.id, t.kind, t.name, t.scopes, u.id, u.email, u.name, u.role, o.id, coalesce(t.role, m.role),
         json_build_array(json_build_object('id', o.id, 'name', o.name, 'type', o.type, 'slug', o.slug, 'role', coalesce(t.role, m.role))),
         coalesce(t.last_used_at > now() - interval '1 minute', false)
  from api_tokens t
  join organizations o on o.id = t.org_id
  join users u on u.id = t.user_id
  left join memberships m on m.org_id = t.org_id and m.user_id = t.user_id
  where t.hash = token_hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
    and (t.kind = 'organization' or (m.role is not null and (u.tokens_ended_at is null or t.created_at > u.tokens_ended_at)));
end
$$;

-- Counts of runs ------------------------------------------------------------------------------------------------------
-- One row for each organization, which all who start or end a run there wait for: taken at the commit, and not with the first
-- write, so that they wait for the commit alone.
drop trigger runs_are_counted on runs;
create constraint trigger runs_are_counted after insert or delete or update of status on runs
  deferrable initially deferred for each row execute function keep_run_counts();

-- Next crossings ------------------------------------------------------------------------------------------------------
-- The moment moves with every step. Beside the runs and not in an index on them, it leaves the row's place in all other indexes
-- alone: an update then finds room in the row's own page, and writes to no index, the one on words least of all.
create table run_crossings (
  org_id uuid not null,
  run_id uuid not null,
  at timestamptz not null,
  primary key (org_id, run_id),
  foreign key (org_id, run_id) references runs (org_id, id) on delete cascade
);
insert into run_crossings (org_id, run_id, at) select org_id, id, next_crossing_at from runs where next_crossing_at is not null;
create index run_crossings_next on run_crossings (at);
create index run_crossings_by_org on run_crossings (org_id, at);

create function keep_run_crossing() returns trigger language plpgsql security definer as $$
begin
  if new.next_crossing_at is null then
    delete from run_crossings where org_id = new.org_id and run_id = new.id;
  else
    insert into run_crossings (org_id, run_id, at) values (new.org_id, new.id, new.next_crossing_at)
    on conflict (org_id, run_id) do update set at = excluded.at;
  end if;
  return null;
end
$$;
create trigger crossings_of_new_runs after insert on runs
  for each row when (new.next_crossing_at is not null) execute function keep_run_crossing();
create trigger crossings_that_move after update of next_crossing_at on runs
  for each row when (new.next_crossing_at is distinct from old.next_crossing_at) execute function keep_run_crossing();

drop index runs_next_crossing;
drop index runs_crossing_by_org;
alter table runs set (fillfactor = 70);

create or replace function due_crossings(most integer) returns table (org_id uuid, run_id uuid) language sql stable security definer as $$
  select c.org_id, c.run_id from run_crossings c
  where c.at <= statement_timestamp()
  order by c.at limit most
$$;

-- Rights ------------------------------------------------------------------------------------------------------------
grant select on run_crossings to stet_app;
alter table run_crossings enable row level security;
alter table run_crossings force row level security;
create policy tenant on run_crossings to stet_app using (org_id = current_org()) with check (org_id = current_org());

do $$
declare
  name text;
begin
  execute format('create policy owner on run_crossings to %I using (true) with check (true)', current_user);
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array[
    'selected_org(uuid)', 'find_session(uuid)', 'find_api_token(bytea)', 'due_crossings(integer)', 'keep_run_crossing()'
  ] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
  revoke execute on function keep_run_crossing() from public;
end
$$;
