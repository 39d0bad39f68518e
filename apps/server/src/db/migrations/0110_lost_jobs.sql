-- Steps that the server performs and that have lost their job get a new one. The caller passes the types with the task of each,
-- so that a new type needs no migration.
drop function make_lost_jobs_again(interval);
create function make_lost_jobs_again(older_than interval, types text[], tasks text[])
returns integer language plpgsql security definer as $$
declare
  made integer;
begin
  insert into outbox (task, payload, job_key, turn_of)
  select s.task,
         jsonb_build_object('orgId', s.org_id, 'runId', s.run_id, 'stepId', s.step_id, 'activation', s.activation),
         s.key,
         s.org_id::text
  from (
    select s.org_id, s.run_id, s.step_id, s.activation, t.task,
           'step:' || s.run_id || ':' || s.activation || ':' || s.step_id as key
    from run_steps s join unnest(types, tasks) as t (type, task) on t.type = s.type
    where s.state = 'active' and s.type not in ('manual', 'approval')
      and s.activated_at < clock_timestamp() - older_than
  ) s
  join runs r on r.org_id = s.org_id and r.id = s.run_id and r.status = 'running'
  where not exists (select from outbox o where o.job_key = s.key)
    and not exists (
      select from graphile_worker._private_jobs j
      where j.key = s.key and (j.locked_at is not null or j.attempts < j.max_attempts)
    )
  limit 500;
  get diagnostics made = row_count;
  return made;
end
$$;
do $$
begin
  execute format('alter function make_lost_jobs_again(interval, text[], text[]) set search_path = %I, pg_temp', current_schema());
end
$$;
revoke execute on function make_lost_jobs_again(interval, text[], text[]) from public;
grant execute on function make_lost_jobs_again(interval, text[], text[]) to stet_app;

-- The steps that people perform are left out by name: those of a type that is added later are found.
drop index run_steps_for_the_server;
create index run_steps_for_the_server on run_steps (activated_at)
  where state = 'active' and type not in ('manual', 'approval');
