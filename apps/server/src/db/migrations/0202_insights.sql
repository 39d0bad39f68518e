-- Figures about runs, counted from the audit trail -------------------------------------------------------------------------
-- How far the events of an organization are counted. `at` is the time of that event.
create table insight_cursors (
  org_id uuid primary key references organizations (id),
  seq bigint not null,
  at timestamptz not null
);

-- Sums of the runs of a week, which can be added: see `Cell` in the domain. `spreads` has durations and counts in turn.
create table insight_cells (
  org_id uuid not null references organizations (id),
  kind text not null,
  workflow_key text not null,
  week date not null,
  version integer not null,
  -- The digest of `subject`, because a path can be too long for an index.
  digest text not null,
  subject text not null,
  counts jsonb not null,
  spreads json not null,
  primary key (org_id, kind, workflow_key, week, version, digest)
);
create index insight_cells_by_week on insight_cells (org_id, kind, week);

create table insight_findings (
  org_id uuid not null references organizations (id),
  run_id uuid not null,
  step_id text not null,
  kind text not null,
  activation integer not null,
  workflow_key text not null,
  version integer not null,
  -- The week of the run's start.
  week date not null,
  started_at timestamptz not null,
  at timestamptz not null,
  primary key (org_id, run_id, step_id, kind, activation),
  foreign key (org_id, run_id) references runs (org_id, id) on delete cascade
);
create index insight_findings_newest
  on insight_findings (org_id, workflow_key, started_at desc, run_id desc, step_id, kind, activation);
create index insight_findings_by_kind
  on insight_findings (org_id, workflow_key, kind, started_at desc, run_id desc, step_id, activation);

-- Organizations with events that aren't counted yet.
create function organizations_to_count() returns setof uuid language sql stable security definer as $$
  select h.org_id from audit_heads h left join insight_cursors c on c.org_id = h.org_id
  where h.seq > coalesce(c.seq, 0) limit 200
$$;

grant select, insert, update on insight_cursors to stet_app;
grant select, insert, update, delete on insight_cells, insight_findings to stet_app;
do $$
declare
  name text;
begin
  foreach name in array array['insight_cursors', 'insight_cells', 'insight_findings'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
  execute format('alter function organizations_to_count() set search_path = %I, pg_temp', current_schema());
  revoke execute on function organizations_to_count() from public;
end
$$;
grant execute on function organizations_to_count() to stet_app;
