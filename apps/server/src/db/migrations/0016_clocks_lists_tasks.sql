-- Searching by words within names needs trigrams; where the server may not have the extension it is slower, not wrong.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
exception
  when insufficient_privilege or undefined_file or feature_not_supported then
    raise notice 'without pg_trgm and btree_gin, searching runs looks at each of them';
end
$$;

-- Runs: clocks and lists ----------------------------------------------------------------------------------------------
alter table runs
  -- The next moment that the sweep of clocks has something to tell; null in a pause and after the end.
  add column next_crossing_at timestamptz,
  -- The SLA state as of the last save; right until next_crossing_at.
  add column sla_state text not null default 'none' check (sla_state in ('none', 'on_track', 'at_risk', 'breached')),
  -- What the name says that it is for: '{title} - Production', '{title} - Testing'.
  add column env text check (env in ('production', 'testing'));

create function run_env(name text) returns text language sql immutable return case
  when name ~* '-\s*production\s*$' then 'production' when name ~* '-\s*testing\s*$' then 'testing' end;

update runs set
  env = run_env(name),
  next_crossing_at = case when status = 'running' then least(at_risk_at, breach_at) end,
  sla_state = case
    when not has_clock then 'none'
    when breach_at < coalesce(clock_stopped_at, now()) then 'breached'
    when at_risk_at <= coalesce(clock_stopped_at, now()) then 'at_risk'
    else 'on_track' end;

create index runs_next_crossing on runs (next_crossing_at) where next_crossing_at is not null;
create index runs_crossing_by_org on runs (org_id, next_crossing_at) where next_crossing_at is not null;
create index runs_by_sla on runs (org_id, sla_state, created_at desc, id desc);
create index runs_by_env on runs (org_id, env, created_at desc, id desc) where env is not null;

do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    create index runs_by_words on runs using gin (org_id, (name || ' ' || workflow_title) gin_trgm_ops);
  end if;
end
$$;

-- The runs whose clocks have something to tell: a job's question, before any tenant. Those that have waited longest first.
create function due_crossings(most integer) returns table (org_id uuid, run_id uuid) language sql stable security definer as $$
  select r.org_id, r.id from runs r
  where r.next_crossing_at <= clock_timestamp()
  order by r.next_crossing_at limit most
$$;

-- A page of the tenant's runs with the words in their names, newest first. Row-level security keeps an index on words from
-- being used, since the comparison could tell what it looks at; so this looks with the owner's eyes, at the tenant's rows.
-- Planned for the words of each call: what is rare comes by the index, what is frequent by going through the newest.
create function search_runs(
  pattern text, most integer, before_at timestamptz, before_id uuid, since timestamptz, until timestamptz,
  of_status text, of_workflow text, of_env text, of_sla text
) returns table (id uuid) language plpgsql stable security definer as $$
begin
  return query execute
    'select r.id from runs r where r.org_id = $1 and (r.name || '' '' || r.workflow_title) ilike $2
       and (r.created_at, r.id) < ($4, $5) and r.created_at >= $6 and r.created_at <= $7'
    || case when of_status is not null then ' and r.status = $8' else '' end
    || case when of_workflow is not null then ' and r.workflow_key = $9' else '' end
    || case when of_env is not null then ' and r.env = $10' else '' end
    || case when of_sla is not null then ' and $11 = run_sla_state(r.has_clock, r.at_risk_at, r.breach_at, r.clock_stopped_at)' else '' end
    || ' order by r.created_at desc, r.id desc limit $3'
  using current_org(), pattern, most, before_at, before_id, since, until, of_status, of_workflow, of_env, of_sla;
end
$$;

-- The SLA state of a run as it is now.
create function run_sla_state(has_clock boolean, at_risk_at timestamptz, breach_at timestamptz, stopped_at timestamptz)
returns text language sql stable return case
  when not has_clock then 'none'
  when breach_at < coalesce(stopped_at, clock_timestamp()) then 'breached'
  when at_risk_at <= coalesce(stopped_at, clock_timestamp()) then 'at_risk'
  else 'on_track' end;

-- How many runs there are, by status: counting a million of them takes longer than anyone waits.
create table run_counts (
  org_id uuid primary key references organizations (id),
  running bigint not null default 0,
  paused bigint not null default 0,
  completed bigint not null default 0,
  failed bigint not null default 0,
  cancelled bigint not null default 0
);
insert into run_counts
select org_id, count(*) filter (where status = 'running'), count(*) filter (where status = 'paused'),
       count(*) filter (where status = 'completed'), count(*) filter (where status = 'failed'), count(*) filter (where status = 'cancelled')
from runs group by org_id;

create function keep_run_counts() returns trigger language plpgsql security definer as $$
declare
  was text := case when tg_op <> 'INSERT' then old.status end;
  is_now text := case when tg_op <> 'DELETE' then new.status end;
begin
  if was is not distinct from is_now then return null; end if;
  insert into run_counts as c (org_id, running, paused, completed, failed, cancelled)
  values (
    coalesce(new.org_id, old.org_id), (is_now = 'running')::int, (is_now = 'paused')::int, (is_now = 'completed')::int,
    (is_now = 'failed')::int, (is_now = 'cancelled')::int
  )
  on conflict (org_id) do update set
    running = c.running + coalesce((is_now = 'running')::int, 0) - coalesce((was = 'running')::int, 0),
    paused = c.paused + coalesce((is_now = 'paused')::int, 0) - coalesce((was = 'paused')::int, 0),
    completed = c.completed + coalesce((is_now = 'completed')::int, 0) - coalesce((was = 'completed')::int, 0),
    failed = c.failed + coalesce((is_now = 'failed')::int, 0) - coalesce((was = 'failed')::int, 0),
    cancelled = c.cancelled + coalesce((is_now = 'cancelled')::int, 0) - coalesce((was = 'cancelled')::int, 0);
  return null;
end
$$;
create trigger runs_are_counted after insert or delete or update of status on runs
  for each row execute function keep_run_counts();

-- Tasks: which active step of a running run waits for whom -------------------------------------------------------------
create table run_tasks (
  org_id uuid not null,
  run_id uuid not null,
  step_id text not null,
  -- An e-mail in lower case, `role:editor`, or `permission:step.act_any`.
  who text not null,
  -- Without a clock: infinity, so that one order serves all.
  due_at timestamptz not null default 'infinity',
  at_risk_at timestamptz,
  -- Who has done their part, or may not do it: voted, submitted, or had a hand in the step before.
  except_ids uuid[] not null default '{}',
  primary key (org_id, run_id, step_id, who),
  foreign key (org_id, run_id) references runs (org_id, id)
);
create index run_tasks_by_due on run_tasks (org_id, who, due_at, run_id, step_id) include (except_ids);

insert into run_tasks (org_id, run_id, step_id, who, due_at)
select s.org_id, s.run_id, s.step_id,
       case when trim(s.assignee) like '%@%' then lower(trim(s.assignee)) else 'role:' || lower(trim(s.assignee)) end,
       coalesce(s.due_at, 'infinity')
from run_steps s join runs r on r.org_id = s.org_id and r.id = s.run_id
where s.state = 'active' and r.status = 'running' and s.type in ('manual', 'approval')
  and (trim(s.assignee) like '%@%' or lower(trim(s.assignee)) in ('owner', 'admin', 'editor', 'reviewer', 'viewer'));

-- Settings of clocks --------------------------------------------------------------------------------------------------
-- When the organization works; null is the clock on the wall.
alter table organizations add column working_hours jsonb;

-- Who is told of a breach in runs of a workflow, besides its assignee, owners and admins, and after how long again.
create table workflow_escalations (
  org_id uuid not null,
  workflow_id uuid not null,
  -- E-mails of members, and roles.
  tell jsonb not null,
  again_after_minutes integer check (again_after_minutes between 5 and 43200),
  updated_at timestamptz not null default now(),
  updated_by uuid not null references users (id),
  primary key (org_id, workflow_id),
  foreign key (org_id, workflow_id) references workflows (org_id, id)
);

-- Rights ------------------------------------------------------------------------------------------------------------
grant select on run_counts to stet_app;
grant select, insert, update, delete on run_tasks to stet_app;
grant select, insert, update on workflow_escalations to stet_app;

do $$
declare
  name text;
begin
  foreach name in array array['run_counts', 'run_tasks', 'workflow_escalations'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array[
    'due_crossings(integer)', 'keep_run_counts()',
    'search_runs(text, integer, timestamptz, uuid, timestamptz, timestamptz, text, text, text, text)'
  ] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
grant execute on function
  due_crossings(integer), run_env(text), run_sla_state(boolean, timestamptz, timestamptz, timestamptz),
  search_runs(text, integer, timestamptz, uuid, timestamptz, timestamptz, text, text, text, text)
to stet_app;
