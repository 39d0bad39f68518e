-- The finished reviews of drafts, with the times of their submission and decision. `round` counts the reviews of a draft
-- from 1, and `version` is the number under which the draft went live, if it did.
-- All events are counted again, in the background.
create table insight_reviews (
  org_id uuid not null references organizations (id),
  draft_id uuid not null,
  round integer not null,
  workflow_key text not null,
  version integer,
  submitted_at timestamptz not null,
  decided_at timestamptz not null,
  decision text not null,
  primary key (org_id, draft_id, round)
);
create index insight_reviews_newest on insight_reviews (org_id, workflow_key, decided_at desc, draft_id desc, round desc);
create index insight_reviews_by_time on insight_reviews (org_id, decided_at);
truncate insight_runs, insight_findings, insight_cells;
update insight_cursors set seq = 0, at = 'epoch';

grant select, insert, delete on insight_reviews to stet_app;
alter table insight_reviews enable row level security;
alter table insight_reviews force row level security;
create policy tenant on insight_reviews to stet_app using (org_id = current_org()) with check (org_id = current_org());
do $$
begin
  execute format('create policy owner on insight_reviews to %I using (true) with check (true)', current_user);
end
$$;
