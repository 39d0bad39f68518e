-- The runs behind figures about steps and paths, so that each figure leads to its runs. There is no foreign key to runs,
-- because its index would be as large as the table; an organization's rows are deleted with it.
-- All events are counted again, in the background.
create table insight_runs (
  org_id uuid not null references organizations (id),
  workflow_key text not null,
  -- `late:{step id}` for an outcome of a step, or `path:{digest}`.
  figure text not null,
  version integer not null,
  started_at timestamptz not null,
  run_id uuid not null,
  primary key (org_id, workflow_key, figure, version, started_at, run_id)
);
delete from insight_findings;
delete from insight_cells;
update insight_cursors set seq = 0, at = 'epoch';

grant select, insert, delete on insight_runs to stet_app;
alter table insight_runs enable row level security;
alter table insight_runs force row level security;
create policy tenant on insight_runs to stet_app using (org_id = current_org()) with check (org_id = current_org());
do $$
begin
  execute format('create policy owner on insight_runs to %I using (true) with check (true)', current_user);
end
$$;
