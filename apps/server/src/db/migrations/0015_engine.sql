-- Jobs ----------------------------------------------------------------------------------------------------------------
-- What a job is about: of two with the same key that wait, one is done.
alter table outbox add column job_key text;
create index outbox_by_key on outbox (job_key) where job_key is not null;

-- The worker pools that live. A pool that was not seen for a while is dead, and what it had taken is free again.
create table job_pools (
  id text primary key,
  seen_at timestamptz not null default clock_timestamp()
);

-- Steps that the server itself carries out and whose job isn't there any more get a new one; a job is named here as
-- `jobs.ts` of the runs module names it.
create function make_lost_jobs_again(older_than interval) returns integer language plpgsql security definer as $$
declare
  made integer;
begin
  insert into outbox (task, payload, job_key)
  select case s.type when 'notification' then 'carry_out_step' else 'carry_out_script' end,
         jsonb_build_object('orgId', s.org_id, 'runId', s.run_id, 'stepId', s.step_id, 'activation', s.activation),
         s.key
  from (
    select s.*, 'step:' || s.run_id || ':' || s.activation || ':' || s.step_id as key
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
create index run_steps_for_the_server on run_steps (activated_at)
  where state = 'active' and type in ('automated', 'condition', 'notification');

-- What people are told within the application --------------------------------------------------------------------------
create table notifications (
  org_id uuid not null references organizations (id),
  user_id uuid not null references users (id),
  id uuid not null,
  -- What it tells of: nobody is told the same twice.
  source text not null,
  kind text not null,
  run_id uuid,
  step_id text,
  title text not null,
  body text not null,
  -- In milliseconds, as a page's cursor names it.
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  read_at timestamptz,
  primary key (org_id, user_id, id),
  constraint notifications_once unique (org_id, user_id, source),
  foreign key (org_id, run_id) references runs (org_id, id)
);
create index notifications_newest on notifications (org_id, user_id, created_at desc, id desc);
create index notifications_unread on notifications (org_id, user_id, created_at desc, id desc) where read_at is null;

-- How far a notification step has come: one row for each recipient over each channel.
create table step_deliveries (
  org_id uuid not null,
  run_id uuid not null,
  step_id text not null,
  activation integer not null,
  channel text not null check (channel in ('email', 'slack', 'in-app')),
  recipient text not null,
  state text not null check (state in ('sent', 'failed')),
  problem text,
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, run_id, step_id, activation, channel, recipient),
  foreign key (org_id, run_id) references runs (org_id, id)
);

grant select, insert, update on notifications, step_deliveries to stet_app;
do $$
declare
  name text;
begin
  execute format('alter function make_lost_jobs_again(interval) set search_path = %I, pg_temp', current_schema());
  foreach name in array array['notifications', 'step_deliveries'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end
$$;
revoke execute on function make_lost_jobs_again(interval) from public;
grant execute on function make_lost_jobs_again(interval) to stet_app;
