-- Who vouches for a member: managers whose own address is proved, with every other account of their mailboxes, so that two
-- accounts of one mailbox don't count as two managers.
create or replace function vouchers_of(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select distinct twin.id
    from confirmations k join users u on u.id = k.decided_by join users twin on mailbox_of(twin.email) = mailbox_of(u.email)
    where k.org_id = org and k.kind = 'member' and k.subject_id = person::text and k.status = 'confirmed'
      and u.proved_by is not null
  );
end
$$;

-- A task that owners and admins have because those named are too few ends once others are named: it then waits for the moment
-- from which they have it in any case, because the step is long overdue.
alter table run_tasks add column overdue_at timestamptz;
update run_tasks t set overdue_at = t.due_at + interval '24 hours'
from organizations o
where o.id = t.org_id and o.working_hours is null and t.who = 'permission:step.stand_in' and t.opens_at is null and t.due_at < 'infinity';

-- Whether fewer people of those an approval step names can decide it than it still needs.
create function is_too_few(org uuid, run uuid, step text) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from run_tasks n
    where n.org_id = org and n.run_id = run and n.step_id = step and n.otherwise = 'permission:step.stand_in'
      and n.needs > count_able_people(org, array(
        select m.who from run_tasks m where m.org_id = org and m.run_id = run and m.step_id = step and m.otherwise is not null
      ), n.except_ids, n.is_decision, n.needs, true)
  );
end
$$;

create or replace function open_tasks_left_behind() returns trigger language plpgsql security definer as $$
begin
  insert into run_tasks as opened (org_id, run_id, step_id, who, due_at, at_risk_at, except_ids, is_decision)
  select distinct on (t.run_id, t.step_id)
         t.org_id, t.run_id, t.step_id, t.otherwise, t.due_at, t.at_risk_at, t.except_ids, t.is_decision
  from run_tasks t
  where t.org_id = old.org_id and t.otherwise is not null
    and t.who = any(array['role:' || old.role, (select email from users where id = old.user_id)])
    and t.needs > count_able_people(old.org_id, array(
      select n.who from run_tasks n where n.org_id = old.org_id and n.run_id = t.run_id and n.step_id = t.step_id
    ), t.except_ids, t.is_decision, t.needs, t.otherwise = 'permission:step.stand_in')
  on conflict (org_id, run_id, step_id, who) do update set opens_at = null, overdue_at = opened.opens_at
    where opened.opens_at is not null;
  return null;
end
$$;

do $$
begin
  execute format('alter function open_tasks_left_behind() set search_path = %I, pg_temp', current_schema());
end
$$;

-- What a verification found stays while the trail is verified again.
alter table audit_verifications
  drop constraint audit_verifications_check,
  add constraint audit_verifications_found
    check ((problem is null or is_broken) and (state <> 'broken' or problem is not null));
