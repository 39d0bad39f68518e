-- Comments are settled, and opened again.
alter table draft_comments
  add column resolved_at timestamptz,
  add column resolved_by uuid references users (id),
  add constraint draft_comments_resolved check ((resolved_at is null) = (resolved_by is null));
grant update (resolved_at, resolved_by) on draft_comments to stet_app;

-- What was reviewed, once for each content: a draft moves on, and a reviewer wants to see what changed since.
create table draft_contents (
  org_id uuid not null,
  draft_id uuid not null,
  content_hash text not null,
  metadata jsonb not null,
  steps json not null,
  primary key (org_id, draft_id, content_hash),
  foreign key (org_id, draft_id) references workflow_versions (org_id, id) on delete cascade
);
grant select, insert on draft_contents to stet_app;
alter table draft_contents enable row level security;
alter table draft_contents force row level security;
create policy tenant on draft_contents to stet_app using (org_id = current_org()) with check (org_id = current_org());
do $$
begin
  execute format('create policy owner on draft_contents to %I using (true) with check (true)', current_user);
end
$$;

insert into draft_contents (org_id, draft_id, content_hash, metadata, steps)
select v.org_id, v.id, v.content_hash, v.metadata, v.steps
from workflow_versions v
where exists (
  select from draft_reviews r where r.org_id = v.org_id and r.draft_id = v.id and r.content_hash = v.content_hash
);

-- A workflow whose last draft was discarded before anything was merged is gone; lists still had it.
update workflows w set deleted_at = now()
where w.deleted_at is null and w.archived_at is null and w.live_version_id is null and w.next_version = 1
  and not exists (select from workflow_versions v where v.org_id = w.org_id and v.workflow_id = w.id);
