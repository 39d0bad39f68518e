-- Lists of runs that are narrowed twice begin in an index of their own, also where next to none match both.
create index runs_by_workflow_and_sla on runs (org_id, workflow_key, sla_state, created_at desc, id desc);
create index runs_by_workflow_and_status on runs (org_id, workflow_key, status, created_at desc, id desc);
create index runs_by_status_and_sla on runs (org_id, status, sla_state, created_at desc, id desc);
