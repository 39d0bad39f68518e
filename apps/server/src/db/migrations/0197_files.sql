-- Files that people attach to the steps of runs. Their bytes are in chunks, so that no file is ever in memory as a whole.
create table files (
  org_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  step_id text not null,
  name text not null check (length(name) between 1 and 255),
  size integer not null check (size between 1 and 26214400),
  sha256 bytea not null check (length(sha256) = 32),
  uploaded_by uuid not null references users (id),
  created_at timestamptz not null default now(),
  -- Determined from the bytes. Null until the upload is complete.
  media_type text,
  -- The activation of the step whose output names the file. Null until then.
  activation integer,
  primary key (org_id, id),
  foreign key (org_id, run_id) references runs (org_id, id),
  check (activation is null or media_type is not null)
);
-- A person who uploads the same file again continues.
create index files_of_step on files (org_id, run_id, step_id);
create index files_to_sweep on files (created_at) where activation is null;

create table file_chunks (
  org_id uuid not null,
  file_id uuid not null,
  n integer not null check (n between 0 and 99),
  bytes bytea not null check (length(bytes) between 1 and 262144),
  primary key (org_id, file_id, n),
  foreign key (org_id, file_id) references files (org_id, id) on delete cascade
);
-- Photos and documents are compressed already.
alter table file_chunks alter column bytes set storage external;

-- The space that an organization's files use, in bytes. It is reserved when an upload begins.
create table file_usage (
  org_id uuid primary key references organizations (id),
  bytes bigint not null check (bytes >= 0)
);

create function refuse_change_of_file() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.activation is not null then
      raise exception 'evidence is never deleted' using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if (new.org_id, new.id, new.run_id, new.step_id, new.name, new.size, new.sha256, new.uploaded_by, new.created_at)
       is distinct from (old.org_id, old.id, old.run_id, old.step_id, old.name, old.size, old.sha256, old.uploaded_by, old.created_at)
     or (old.media_type is not null and new.media_type is distinct from old.media_type)
     or (old.activation is not null and new.activation is distinct from old.activation) then
    raise exception 'a file is immutable' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger files_are_immutable before update or delete on files for each row execute function refuse_change_of_file();

create function refuse_change_of_chunk() returns trigger language plpgsql as $$
begin
  -- A chunk of a file that is being deleted has no file any more.
  if exists (
    select from files f
    where f.org_id = coalesce(new.org_id, old.org_id) and f.id = coalesce(new.file_id, old.file_id) and f.media_type is not null
  ) then
    raise exception 'a complete file is immutable' using errcode = 'restrict_violation';
  end if;
  return coalesce(new, old);
end
$$;
create trigger chunks_of_complete_files_are_immutable before insert or update or delete on file_chunks
  for each row execute function refuse_change_of_chunk();

-- Organizations with uploads that nobody has finished within these hours, or attached to a step within these days.
create function organizations_with_stale_uploads(unfinished_hours float8, unused_days float8)
returns setof uuid language sql stable security definer as $$
  select distinct f.org_id from files f
  where f.activation is null
    and f.created_at < now() - case when f.media_type is null then unfinished_hours * interval '1 hour' else unused_days * interval '1 day' end
$$;
do $$
begin
  execute format(
    'alter function organizations_with_stale_uploads(float8, float8) set search_path = %I, pg_temp', current_schema()
  );
end
$$;
revoke all on function organizations_with_stale_uploads(float8, float8) from public;
grant execute on function organizations_with_stale_uploads(float8, float8) to stet_app;

grant select, insert, delete, update (media_type, activation) on files to stet_app;
grant select, insert, delete, update (bytes) on file_chunks to stet_app;
grant select, insert, update (bytes) on file_usage to stet_app;
do $$
declare
  name text;
begin
  foreach name in array array['files', 'file_chunks', 'file_usage'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end
$$;
