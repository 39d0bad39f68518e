-- Input that an unproved account submitted before people behind it could return it has no `reject_ids`. These people could return it,
-- but My tasks didn't show it to them until the run changed. If all managers are behind the account, nobody saw it.
update run_tasks t set reject_ids = found.ids
from (
  select task.org_id, task.run_id, task.step_id, task.who, array(
    select also.id::uuid from jsonb_array_elements_text(submitter.actor -> 'also') also (id)
    where also.id <> coalesce(submitter.actor ->> 'personId', submitter.actor ->> 'id')
  ) as ids
  from run_tasks task join runs r on r.org_id = task.org_id and r.id = task.run_id
  cross join lateral (select r.state -> 'steps' -> task.step_id -> 'submitted' -> 'by' as actor offset 0) submitter
  where task.is_decision and task.reject_ids is null and submitter.actor @> '{"unproved": true}'
    and jsonb_typeof(submitter.actor -> 'also') = 'array'
) found
where found.ids <> '{}' and t.org_id = found.org_id and t.run_id = found.run_id and t.step_id = found.step_id and t.who = found.who;
