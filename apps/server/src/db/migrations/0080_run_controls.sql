-- What an organization lets people do in runs ------------------------------------------------------------------------
alter table organizations
  -- Whether editors may help on manual steps that name someone else.
  add column editors_may_help boolean not null default true,
  -- Whether a version with simulated steps may go live.
  add column simulated_steps text not null default 'allowed' check (simulated_steps in ('allowed', 'refused'));

-- Rejected runs that were cancelled: looked for whenever someone starts a run of the same workflow --------------------
alter table runs add column rejected boolean not null default false;
create index runs_cancelled_rejected on runs (org_id, workflow_id, ended_at) where rejected and status = 'cancelled';

-- A pause of seven days is escalated: pauses that began before are looked at as well.
update runs set next_crossing_at = to_timestamp((state ->> 'pausedSince')::bigint / 1000.0) + interval '7 days'
where status = 'paused' and state ? 'pausedSince';

-- Tasks --------------------------------------------------------------------------------------------------------------
-- From when on it is a task of these people; null for at once.
alter table run_tasks add column opens_at timestamptz;

-- A step that names someone waits, if those are too few, for owners and admins; a manual one for all who may help.
update run_tasks t set otherwise = case s.type when 'approval' then 'permission:step.stand_in' else 'helpers' end
from run_steps s
where s.org_id = t.org_id and s.run_id = t.run_id and s.step_id = t.step_id
  and t.who not like 'permission:%' and t.otherwise like 'permission:%';
update run_tasks t set who = case s.type when 'approval' then 'permission:step.stand_in' else 'helpers' end
from run_steps s
where s.org_id = t.org_id and s.run_id = t.run_id and s.step_id = t.step_id and t.who like 'permission:%' and exists (
  select from run_tasks n
  where n.org_id = t.org_id and n.run_id = t.run_id and n.step_id = t.step_id and n.who not like 'permission:%'
);
-- Where working hours are counted, the moment is known once something happens to the run.
insert into run_tasks (org_id, run_id, step_id, who, due_at, at_risk_at, except_ids, opens_at)
select distinct on (t.org_id, t.run_id, t.step_id)
       t.org_id, t.run_id, t.step_id, 'permission:step.stand_in', t.due_at, t.at_risk_at, t.except_ids, t.due_at + interval '24 hours'
from run_tasks t
join run_steps s on s.org_id = t.org_id and s.run_id = t.run_id and s.step_id = t.step_id
join organizations o on o.id = t.org_id
where s.type = 'approval' and t.who not like 'permission:%' and t.due_at < 'infinity' and o.working_hours is null
on conflict do nothing;

-- As before, and a task that was to open later opens now.
create or replace function open_tasks_left_behind() returns trigger language plpgsql security definer as $$
begin
  insert into run_tasks as opened (org_id, run_id, step_id, who, due_at, at_risk_at, except_ids)
  select distinct on (t.run_id, t.step_id)
         t.org_id, t.run_id, t.step_id, t.otherwise, t.due_at, t.at_risk_at, t.except_ids
  from run_tasks t
  where t.org_id = old.org_id and t.otherwise is not null
    and t.who = any(array['role:' || old.role, (select email from users where id = old.user_id)])
    and t.needs > (
      select count(distinct m.user_id) from run_tasks n
      join memberships m on m.org_id = old.org_id and not (m.user_id = any(n.except_ids))
      join users u on u.id = m.user_id
      where n.org_id = old.org_id and n.run_id = t.run_id and n.step_id = t.step_id and n.who in (u.email, 'role:' || m.role)
    )
  on conflict (org_id, run_id, step_id, who) do update set opens_at = null where opened.opens_at is not null;
  return null;
end
$$;

do $$
begin
  execute format('alter function open_tasks_left_behind() set search_path = %I, pg_temp', current_schema());
end
$$;
