-- The events that changed which version of a workflow is in force, by workflow or version. The predicate lists the same
-- actions as the statement that reads them.
create index audit_events_of_live_changes on audit_events (org_id, subject_id, seq) where action in (
  'draft.merged', 'version.rolled_back', 'workflow.archived'
);
