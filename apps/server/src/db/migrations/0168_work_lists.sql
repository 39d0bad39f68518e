-- The drafts in review of an organization, oldest first.
create index workflow_versions_to_review on workflow_versions (org_id, submitted_at, id) where status = 'in_review';

-- What a person has done, newest first.
create index audit_events_done on audit_events (org_id, actor, seq) where action in (
  'step.completed', 'step.submitted', 'step.approved', 'step.rejected', 'step.returned', 'draft.approved',
  'draft.changes_requested'
);
