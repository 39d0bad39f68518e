-- The notes on a run, newest first.
create index audit_events_notes on audit_events (org_id, run_id, seq) where action = 'note.added';
