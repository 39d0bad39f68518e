-- Finds the events of a version and of its workflow, for the version's certificate.
create index audit_events_of_versions on audit_events (org_id, subject_id, seq) where subject_type in ('version', 'workflow');
