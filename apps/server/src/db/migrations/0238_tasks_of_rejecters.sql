-- Tasks of stand-ins also store who can only reject: without this, these people didn't see the tasks.
create or replace function open_tasks_of(org uuid, names text[]) returns void language sql as $$
  insert into run_tasks as opened (org_id, run_id, step_id, who, due_at, at_risk_at, except_ids, reject_ids, is_decision, doer_ids, giver_ids)
  select distinct on (t.run_id, t.step_id)
         t.org_id, t.run_id, t.step_id, t.otherwise, t.due_at, t.at_risk_at, t.except_ids, t.reject_ids, t.is_decision, t.doer_ids,
         t.giver_ids
  from run_tasks t
  where t.org_id = org and t.otherwise is not null and t.who = any (names)
    and t.needs > count_able_for_step(org, t.run_id, t.step_id, t)
  on conflict (org_id, run_id, step_id, who) do update set opens_at = null, overdue_at = opened.opens_at
    where opened.opens_at is not null
$$;


-- Changing an address disconnects the identity provider.
grant delete on identities to stet_app;
