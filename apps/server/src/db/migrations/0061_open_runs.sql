-- How many open runs stay on which version of a workflow is read from the index alone, as often as a draft is looked at.
create index runs_by_workflow_status_version on runs (org_id, workflow_id, status, version);
drop index runs_by_workflow_id;
