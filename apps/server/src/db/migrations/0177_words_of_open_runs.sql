-- The text that a search looks through, so that open runs are searched in the order of their due times without reading runs.
-- In lower case and without a collation, LIKE takes a fraction of the time of ILIKE.
alter table open_runs add column words text collate "C";
update open_runs o set words = lower(r.name || ' ' || r.workflow_title) from runs r where r.org_id = o.org_id and r.id = o.run_id;
alter table open_runs alter column words set not null;

-- Few runs need attention, so this index is small. It answers at once if none of an environment does.
create index open_runs_in_trouble_by_env on open_runs (org_id, env, due_at, started_at, run_id)
  where env is not null and (status = 'failed' or (status = 'running' and sla_state in ('at_risk', 'breached')));

-- Most updates change an existing row. A plain update costs less than an insert that conflicts.
create or replace function keep_open_run() returns trigger language plpgsql security definer as $$
begin
  if new.status in ('completed', 'cancelled') then
    delete from open_runs where org_id = new.org_id and run_id = new.id;
    return null;
  end if;
  if tg_op = 'UPDATE' then
    update open_runs
    set due_at = coalesce(new.next_due_at, 'infinity'), status = new.status, sla_state = new.sla_state, priority_rank = new.priority_rank
    where org_id = new.org_id and run_id = new.id;
    if found then return null; end if;
  end if;
  insert into open_runs (org_id, run_id, due_at, started_at, status, sla_state, workflow_key, version, priority_rank, env, words)
  values (new.org_id, new.id, coalesce(new.next_due_at, 'infinity'), new.created_at, new.status, new.sla_state,
          new.workflow_key, new.version, new.priority_rank, new.env, lower(new.name || ' ' || new.workflow_title));
  return null;
end
$$;

-- Words and periods in the order of names are checked in the index, without reading the runs.
drop index runs_by_name;
create index runs_by_name on runs (org_id, sort_name, id) include (name, workflow_title, created_at);

-- As before, but the `due` order reads only open runs. Words are checked in both tables: rare ones are found by the index on
-- the words of runs, and frequent ones by going through the open runs.
create or replace function search_runs(
  pattern text, of_order text, without text, is_in_trouble boolean, most integer, key_due timestamptz, key_at timestamptz,
  key_id uuid, key_name text, key_rank smallint, since timestamptz, until timestamptz, of_status text, of_workflow text,
  of_version integer, of_env text, of_priority smallint, of_sla text
) returns table (id uuid) language plpgsql stable security definer as $$
begin
  if of_order = 'due' then
    return query execute
      'select o.run_id from open_runs o'
      || case when pattern is not null then ' join runs r on r.org_id = $1 and r.id = o.run_id' else '' end
      || ' where o.org_id = $1 and (o.due_at, o.started_at, o.run_id) > ($3, $4, $5)'
      || case when pattern is not null then ' and o.words like lower($2) and (r.name || '' '' || r.workflow_title) ilike $2' else '' end
      || case when since > '-infinity' then ' and o.started_at >= $7' else '' end
      || case when until < 'infinity' then ' and o.started_at <= $8' else '' end
      || case when of_status is not null then ' and o.status = $9' else '' end
      || case when of_workflow is not null then ' and o.workflow_key = $10' else '' end
      || case when of_version is not null then ' and o.version = $11' else '' end
      || case when of_env is not null then ' and o.env = $12' else '' end
      || case when of_priority is not null then ' and o.priority_rank = $13' else '' end
      || case when of_sla is not null then ' and o.sla_state = $14' else '' end
      || case when is_in_trouble then
           ' and (o.status = ''failed'' or (o.status = ''running'' and o.sla_state in (''at_risk'', ''breached'')))'
         else '' end
      || ' order by o.due_at, o.started_at, o.run_id limit $6'
    using current_org(), pattern, key_due, key_at, key_id, most, since, until, of_status, of_workflow, of_version, of_env,
          of_priority, of_sla;
    return;
  end if;
  return query execute
    'select r.id from runs r where r.org_id = $1'
    || case when pattern is not null then ' and (r.name || '' '' || r.workflow_title) ilike $2' else '' end
    || case when since > '-infinity' then ' and r.created_at >= $8' else '' end
    || case when until < 'infinity' then ' and r.created_at <= $9' else '' end
    || case when of_status is not null then ' and r.status = $10' else '' end
    || case when of_workflow is not null then ' and r.workflow_key = $11' else '' end
    || case when of_version is not null then ' and r.version = $12' else '' end
    || case when of_env is not null then ' and r.env = $13' else '' end
    || case when of_priority is not null then ' and r.priority_rank = $14' else '' end
    || case when of_sla is not null then ' and $15 = run_sla_state(r.has_clock, r.at_risk_at, r.breach_at, r.clock_stopped_at)' else '' end
    || case without
         when 'open' then ' and r.status in (''completed'', ''cancelled'')'
         when 'in_trouble' then
           ' and not (r.status = ''failed'' or (r.status = ''running'' and r.sla_state in (''at_risk'', ''breached'')))'
         else '' end
    || case of_order
         when 'newest' then ' and (r.created_at, r.id) < ($3, $4) order by r.created_at desc, r.id desc'
         when 'oldest' then ' and (r.created_at, r.id) > ($3, $4) order by r.created_at, r.id'
         when 'name' then ' and (r.sort_name, r.id) > ($5, $4) order by r.sort_name, r.id'
         else ' and (r.priority_rank, r.created_at, r.id) < ($6, $3, $4)
                order by r.priority_rank desc, r.created_at desc, r.id desc'
       end
    || ' limit $7'
  using current_org(), pattern, key_at, key_id, key_name, key_rank, most, since, until, of_status, of_workflow, of_version,
        of_env, of_priority, of_sla;
end
$$;
-- Replacing a function drops its settings: a security definer function finds its tables where they were made.
do $$
declare
  name text;
begin
  foreach name in array array['keep_open_run()', 'search_runs(text, text, text, boolean, integer, timestamptz, timestamptz, uuid, text, smallint, timestamptz, timestamptz, text, text, integer, text, smallint, text)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end
$$;
