-- Sort keys of runs. `next_due_at` is the earliest due time of the active steps of a running run. It changes with every
-- step, so no index on `runs` contains it; `open_runs` does.
alter table runs
  add column next_due_at timestamptz,
  add column priority_rank smallint not null generated always as (
    case priority when 'low' then 1 when 'medium' then 2 when 'high' then 3 when 'urgent' then 4 else 5 end
  ) stored,
  add column sort_name text collate "C" not null generated always as (lower(name)) stored;

-- Existing runs that aren't completed or cancelled: what they wait for now.
update runs r
set next_due_at = case when r.status = 'running' then now.due_at end,
    summary = r.summary || jsonb_build_object('currentSteps', now.steps)
from (
  select s.org_id, s.run_id, min(s.due_at) filter (where s.state = 'active') as due_at,
         jsonb_agg(jsonb_build_object('id', s.step_id, 'name', s.title, 'waitsFor', coalesce((
           select jsonb_agg(t.who order by t.who) from run_tasks t
           where t.org_id = s.org_id and t.run_id = s.run_id and t.step_id = s.step_id and t.opens_at is null
             and (t.needs is not null or t.who like '%@%' or t.who like 'role:%')
         ), '[]')) order by s.activated_at, s.step_id) as steps
  from run_steps s join runs o on o.org_id = s.org_id and o.id = s.run_id
  where s.state = case when o.status = 'failed' then 'failed' else 'active' end and o.status not in ('completed', 'cancelled')
  group by s.org_id, s.run_id
) now
where r.org_id = now.org_id and r.id = now.run_id;

-- Every sort of the list has an index for each filter (decision 125). Newest first had most of them already.
create index runs_by_version on runs (org_id, workflow_key, version, created_at desc, id desc);
create index runs_by_priority on runs (org_id, priority_rank desc, created_at desc, id desc);
create index runs_by_status_then_priority on runs (org_id, status, priority_rank desc, created_at desc, id desc);
create index runs_by_workflow_then_priority on runs (org_id, workflow_key, priority_rank desc, created_at desc, id desc);
create index runs_by_version_then_priority on runs (org_id, workflow_key, version, priority_rank desc, created_at desc, id desc);
create index runs_by_env_then_priority on runs (org_id, env, priority_rank desc, created_at desc, id desc) where env is not null;
create index runs_by_sla_then_priority on runs (org_id, sla_state, priority_rank desc, created_at desc, id desc);
create index runs_by_name on runs (org_id, sort_name, id);
create index runs_by_status_then_name on runs (org_id, status, sort_name, id);
create index runs_by_workflow_then_name on runs (org_id, workflow_key, sort_name, id);
create index runs_by_version_then_name on runs (org_id, workflow_key, version, sort_name, id);
create index runs_by_env_then_name on runs (org_id, env, sort_name, id) where env is not null;
create index runs_by_sla_then_name on runs (org_id, sla_state, sort_name, id);
create index runs_by_priority_then_name on runs (org_id, priority_rank, sort_name, id);

-- Open runs by due time ------------------------------------------------------------------------------------------------
-- One row for each run that is neither completed nor cancelled, with everything that its list filters by.
create table open_runs (
  org_id uuid not null,
  run_id uuid not null,
  -- Infinity without a due time, so that one order serves all.
  due_at timestamptz not null,
  started_at timestamptz not null,
  status text not null,
  sla_state text not null,
  workflow_key text not null,
  version integer not null,
  priority_rank smallint not null,
  env text,
  primary key (org_id, run_id),
  foreign key (org_id, run_id) references runs (org_id, id) on delete cascade
);
insert into open_runs
select org_id, id, coalesce(next_due_at, 'infinity'), created_at, status, sla_state, workflow_key, version, priority_rank, env
from runs where status not in ('completed', 'cancelled');
create index open_runs_by_due on open_runs (org_id, due_at, started_at, run_id);
create index open_runs_by_workflow on open_runs (org_id, workflow_key, due_at, started_at, run_id);
create index open_runs_by_version on open_runs (org_id, workflow_key, version, due_at, started_at, run_id);
create index open_runs_by_priority on open_runs (org_id, priority_rank, due_at, started_at, run_id);
create index open_runs_by_env on open_runs (org_id, env, due_at, started_at, run_id) where env is not null;
create index open_runs_by_sla on open_runs (org_id, sla_state, due_at, started_at, run_id);
create index open_runs_in_trouble on open_runs (org_id, due_at, started_at, run_id)
  where status = 'failed' or (status = 'running' and sla_state in ('at_risk', 'breached'));

create function keep_open_run() returns trigger language plpgsql security definer as $$
begin
  if new.status in ('completed', 'cancelled') then
    delete from open_runs where org_id = new.org_id and run_id = new.id;
  else
    insert into open_runs (org_id, run_id, due_at, started_at, status, sla_state, workflow_key, version, priority_rank, env)
    values (new.org_id, new.id, coalesce(new.next_due_at, 'infinity'), new.created_at, new.status, new.sla_state,
            new.workflow_key, new.version, new.priority_rank, new.env)
    on conflict (org_id, run_id) do update
    set due_at = excluded.due_at, status = excluded.status, sla_state = excluded.sla_state, priority_rank = excluded.priority_rank;
  end if;
  return null;
end
$$;
create trigger open_runs_that_start after insert on runs
  for each row when (new.status not in ('completed', 'cancelled')) execute function keep_open_run();
create trigger open_runs_that_change after update on runs
  for each row when (
    new.next_due_at is distinct from old.next_due_at or new.status <> old.status or new.sla_state <> old.sla_state
    or new.priority <> old.priority
  ) execute function keep_open_run();

-- Runs by whom they wait for -------------------------------------------------------------------------------------------
alter table run_tasks
  add column started_at timestamptz,
  add column priority_rank smallint,
  add column sort_name text collate "C";
update run_tasks t set started_at = r.created_at, priority_rank = r.priority_rank, sort_name = r.sort_name
from runs r where r.org_id = t.org_id and r.id = t.run_id;
create index run_tasks_by_start on run_tasks (org_id, who, started_at desc, run_id desc);
create index run_tasks_by_priority on run_tasks (org_id, who, priority_rank desc, started_at desc, run_id desc);
create index run_tasks_by_name on run_tasks (org_id, who, sort_name, run_id);
-- No statement reads these any more.
drop index run_steps_active_by_due;
drop index run_steps_active_by_assignee;

-- Counts of running runs by SLA state ----------------------------------------------------------------------------------
alter table run_counts
  add column on_track bigint not null default 0,
  add column at_risk bigint not null default 0,
  add column breached bigint not null default 0;
update run_counts c set (on_track, at_risk, breached) = (
  select count(*) filter (where o.sla_state = 'on_track'), count(*) filter (where o.sla_state = 'at_risk'),
         count(*) filter (where o.sla_state = 'breached')
  from open_runs o where o.org_id = c.org_id and o.status = 'running'
);

create or replace function keep_run_counts() returns trigger language plpgsql security definer as $$
declare
  was text := case when tg_op <> 'INSERT' then old.status end;
  is_now text := case when tg_op <> 'DELETE' then new.status end;
  sla_was text := case when was = 'running' then old.sla_state end;
  sla_is_now text := case when is_now = 'running' then new.sla_state end;
begin
  insert into run_counts as c (org_id, running, paused, completed, failed, cancelled, on_track, at_risk, breached)
  values (
    coalesce(new.org_id, old.org_id), (is_now = 'running')::int, (is_now = 'paused')::int, (is_now = 'completed')::int,
    (is_now = 'failed')::int, (is_now = 'cancelled')::int, coalesce((sla_is_now = 'on_track')::int, 0),
    coalesce((sla_is_now = 'at_risk')::int, 0), coalesce((sla_is_now = 'breached')::int, 0)
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
-- An update that changes no count doesn't reach the trigger.
drop trigger runs_are_counted on runs;
create constraint trigger runs_are_counted after insert or delete on runs
  deferrable initially deferred for each row execute function keep_run_counts();
create constraint trigger changed_runs_are_counted after update on runs
  deferrable initially deferred for each row
  when (new.status <> old.status or new.sla_state <> old.sla_state) execute function keep_run_counts();

-- Searching ------------------------------------------------------------------------------------------------------------
-- As before, now with all filters, in every order, and with a period instead of words. Planned for the values of each call:
-- what is rare comes by the index on words or times, what is frequent by going through the order. The `due` order lists open
-- runs; `without` leaves out the runs that the list has shown before ('open', 'in_trouble').
drop function search_runs(text, integer, timestamptz, uuid, timestamptz, timestamptz, text, text, text, text);
create function search_runs(
  pattern text, of_order text, without text, is_in_trouble boolean, most integer, key_due timestamptz, key_at timestamptz,
  key_id uuid, key_name text, key_rank smallint, since timestamptz, until timestamptz, of_status text, of_workflow text,
  of_version integer, of_env text, of_priority smallint, of_sla text
) returns table (id uuid) language plpgsql stable security definer as $$
begin
  return query execute
    'select r.id from runs r'
    || case when of_order = 'due' then ' join open_runs o on o.org_id = r.org_id and o.run_id = r.id and o.org_id = $1' else '' end
    || ' where r.org_id = $1'
    || case when pattern is not null then ' and (r.name || '' '' || r.workflow_title) ilike $2' else '' end
    || case when since > '-infinity' then ' and r.created_at >= $9' else '' end
    || case when until < 'infinity' then ' and r.created_at <= $10' else '' end
    || case when of_status is not null then ' and r.status = $11' else '' end
    || case when of_workflow is not null then ' and r.workflow_key = $12' else '' end
    || case when of_version is not null then ' and r.version = $13' else '' end
    || case when of_env is not null then ' and r.env = $14' else '' end
    || case when of_priority is not null then ' and r.priority_rank = $15' else '' end
    || case when of_sla is not null then ' and $16 = run_sla_state(r.has_clock, r.at_risk_at, r.breach_at, r.clock_stopped_at)' else '' end
    || case when without = 'open' then ' and r.status in (''completed'', ''cancelled'')' else '' end
    || case when is_in_trouble or without = 'in_trouble' then
         case when is_in_trouble then ' and ' else ' and not ' end
         || '(r.status = ''failed'' or (r.status = ''running'' and r.sla_state in (''at_risk'', ''breached'')))'
       else '' end
    || case of_order
         when 'newest' then ' and (r.created_at, r.id) < ($4, $5) order by r.created_at desc, r.id desc'
         when 'oldest' then ' and (r.created_at, r.id) > ($4, $5) order by r.created_at, r.id'
         when 'name' then ' and (r.sort_name, r.id) > ($6, $5) order by r.sort_name, r.id'
         when 'priority' then ' and (r.priority_rank, r.created_at, r.id) < ($7, $4, $5)
                               order by r.priority_rank desc, r.created_at desc, r.id desc'
         else ' and (o.due_at, o.started_at, o.run_id) > ($3, $4, $5) order by o.due_at, o.started_at, o.run_id'
       end
    || ' limit $8'
  using current_org(), pattern, key_due, key_at, key_id, key_name, key_rank, most, since, until, of_status, of_workflow,
        of_version, of_env, of_priority, of_sla;
end
$$;

-- Rights ------------------------------------------------------------------------------------------------------------
grant select on open_runs to stet_app;
alter table open_runs enable row level security;
alter table open_runs force row level security;
create policy tenant on open_runs to stet_app using (org_id = current_org()) with check (org_id = current_org());
do $$
declare
  name text;
  search text := 'search_runs(text, text, text, boolean, integer, timestamptz, timestamptz, uuid, text, smallint, timestamptz, timestamptz, text, text, integer, text, smallint, text)';
begin
  execute format('create policy owner on open_runs to %I using (true) with check (true)', current_user);
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array['keep_open_run()', 'keep_run_counts()', search] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
  execute format('grant execute on function %s to stet_app', search);
end
$$;
