-- Jobs that wait for their organization's turn: what one of them has left here must not keep the others waiting.
alter table outbox add column turn_of text;
create index outbox_turns on outbox (task, turn_of, id) where turn_of is not null;
create index outbox_at_once on outbox (id) where turn_of is null;

-- A recipient is taken by one sender at a time: `claim` says which, `at` when that one was last heard of. Who waits was
-- tried in vain and may be taken again.
alter table step_deliveries add column claim text;
alter table step_deliveries drop constraint step_deliveries_state_check;
alter table step_deliveries add constraint step_deliveries_state_check
  check (state in ('sending', 'waiting', 'sent', 'failed'));

-- Steps that the server itself carries out and whose job isn't there any more get a new one; a job is named here as
-- `step-jobs.ts` of the runs module names it.
create or replace function make_lost_jobs_again(older_than interval) returns integer language plpgsql security definer as $$
declare
  made integer;
begin
  insert into outbox (task, payload, job_key, turn_of)
  select s.task,
         jsonb_build_object('orgId', s.org_id, 'runId', s.run_id, 'stepId', s.step_id, 'activation', s.activation),
         s.key,
         s.org_id::text
  from (
    select s.*, 'step:' || s.run_id || ':' || s.activation || ':' || s.step_id as key,
           case s.type when 'notification' then 'carry_out_message'
                       when 'condition' then 'carry_out_condition' else 'carry_out_script' end as task
    from run_steps s
    where s.state = 'active' and s.type in ('automated', 'condition', 'notification')
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
  execute format('alter function make_lost_jobs_again(interval) set search_path = %I, pg_temp', current_schema());
end
$$;
