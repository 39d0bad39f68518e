-- Drafts in review whose base isn't the last reviewed version may now need groups, and become tasks of these.
insert into outbox (task, payload, job_key)
select 'update_requirements', jsonb_build_object('orgId', o.id), 'requirements:' || o.id
from organizations o
where o.review_routes <> '[]'
  and exists (select from workflow_versions v where v.org_id = o.id and v.status = 'in_review');
