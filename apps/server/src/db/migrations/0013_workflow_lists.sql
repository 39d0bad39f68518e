-- Whether a workflow without a live version is in review is asked for every row of a list and of the counts.
create index workflow_versions_in_review on workflow_versions (org_id, workflow_id) where status = 'in_review';
