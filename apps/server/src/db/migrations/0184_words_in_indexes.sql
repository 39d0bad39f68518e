-- These indexes also contain the words of open runs, so that a search that skips many runs doesn't read the table.
drop index open_runs_by_due;
create index open_runs_by_due on open_runs (org_id, due_at, started_at, run_id) include (words);
drop index open_runs_in_trouble;
create index open_runs_in_trouble on open_runs (org_id, due_at, started_at, run_id) include (words)
  where status = 'failed' or (status = 'running' and sla_state in ('at_risk', 'breached'));
