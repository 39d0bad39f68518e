-- How many people a task still needs, and who has it too where those whom it names are fewer.
alter table run_tasks add column needs integer, add column otherwise text;

-- Who leaves or has another role leaves tasks behind that may have too few others: `open_run_tasks` of the runs module for
-- all tasks that name them.
create function open_tasks_left_behind() returns trigger language plpgsql security definer as $$
begin
  insert into run_tasks (org_id, run_id, step_id, who, due_at, at_risk_at, except_ids)
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
  on conflict do nothing;
  return null;
end
$$;
create trigger tasks_are_opened after delete or update of role on memberships
  for each row execute function open_tasks_left_behind();

do $$
begin
  execute format('alter function open_tasks_left_behind() set search_path = %I, pg_temp', current_schema());
end
$$;
