-- Small pictures of files that are images. They are made after the upload, and deleted with their files.
create table file_previews (
  org_id uuid not null,
  file_id uuid not null,
  -- A JPEG. Null if the file could not be decoded.
  bytes bytea check (length(bytes) between 1 and 131072),
  primary key (org_id, file_id),
  foreign key (org_id, file_id) references files (org_id, id) on delete cascade
);
-- JPEGs are compressed already.
alter table file_previews alter column bytes set storage external;
grant select, insert on file_previews to stet_app;
alter table file_previews enable row level security;
alter table file_previews force row level security;
create policy tenant on file_previews to stet_app using (org_id = current_org()) with check (org_id = current_org());
do $$
begin
  execute format('create policy owner on file_previews to %I using (true) with check (true)', current_user);
end
$$;

-- For images that were uploaded before.
insert into outbox (task, payload, turn_of)
select 'make_preview', jsonb_build_object('orgId', org_id, 'fileId', id), org_id::text
from files where media_type in ('image/png', 'image/jpeg');
