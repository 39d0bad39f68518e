-- Tasks that were opened before `uncertain_doer_ids` existed have none. The check of an approval reads the run itself, so nothing was
-- approved that shouldn't have been. But under strict review, My tasks offered these steps to people who were then refused, and they
-- counted as people who can decide, so the steps weren't offered to owners and admins.
update run_tasks t set uncertain_doer_ids = found.ids
from (
  select task.org_id, task.run_id, task.step_id, task.who, array(
    select distinct also.id::uuid
    from jsonb_path_query(r.state, '$.steps.** ? (@.unproved == true)') actor
    cross join lateral jsonb_array_elements_text(actor -> 'also') also (id)
    where jsonb_typeof(actor -> 'also') = 'array' and coalesce(actor ->> 'personId', actor ->> 'id') = any (task.doer_ids::text[])
      and also.id <> all (task.doer_ids::text[])
  ) as ids
  from run_tasks task join runs r on r.org_id = task.org_id and r.id = task.run_id
  where task.is_decision and task.doer_ids <> '{}' and task.uncertain_doer_ids = '{}'
) found
where found.ids <> '{}' and t.org_id = found.org_id and t.run_id = found.run_id and t.step_id = found.step_id and t.who = found.who;
