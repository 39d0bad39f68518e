-- Files in notes on a run: they have no step, and belong to one note once it is written.
alter table files
  alter column step_id drop not null,
  add column note_id uuid,
  add check (case when step_id is null then activation is null else note_id is null end),
  add check (note_id is null or media_type is not null);
drop index files_to_sweep;
create index files_to_sweep on files (created_at) where activation is null and note_id is null;

create or replace function refuse_change_of_file() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.activation is not null or old.note_id is not null then
      raise exception 'evidence is never deleted' using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if (new.org_id, new.id, new.run_id, new.step_id, new.name, new.size, new.sha256, new.uploaded_by, new.created_at)
       is distinct from (old.org_id, old.id, old.run_id, old.step_id, old.name, old.size, old.sha256, old.uploaded_by, old.created_at)
     or (old.media_type is not null and new.media_type is distinct from old.media_type)
     or (old.activation is not null and new.activation is distinct from old.activation)
     or (old.note_id is not null and new.note_id is distinct from old.note_id) then
    raise exception 'a file is immutable' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

-- Organizations with uploads that nobody has finished within these hours, or attached to a step or note within these days.
create or replace function organizations_with_stale_uploads(unfinished_hours float8, unused_days float8)
returns setof uuid language sql stable security definer as $$
  select distinct f.org_id from files f
  where f.activation is null and f.note_id is null
    and f.created_at < now() - case when f.media_type is null then unfinished_hours * interval '1 hour' else unused_days * interval '1 day' end
$$;
do $$
begin
  execute format(
    'alter function organizations_with_stale_uploads(float8, float8) set search_path = %I, pg_temp', current_schema()
  );
end
$$;

grant update (note_id) on files to stet_app;
