-- An organization that ends -------------------------------------------------------------------------------------------------
-- Only the owner of the schema writes here, by commands on the server's machine. `ends_at` is null while its archive is
-- written. From `ends_at` on, everything of it is deleted.
create table ending_organizations (
  org_id uuid primary key references organizations (id),
  ends_at timestamptz
);
grant select on ending_organizations to stet_app;
alter table ending_organizations enable row level security;
alter table ending_organizations force row level security;
create policy tenant on ending_organizations to stet_app using (org_id = current_org()) with check (org_id = current_org());

create function has_ended(org uuid) returns boolean language sql stable as $$
  select exists (select from ending_organizations e where e.org_id = org and e.ends_at <= now())
$$;

-- What is recorded although the organization ends: sign-ins, accounts, exports, the end itself, and the work of operators.
create function is_recorded_at_the_end(action text) returns boolean language sql immutable as $$
  select action ~ '^(session|account|audit|installation|job)\.'
      or action in ('organization.ending', 'organization.end_cancelled', 'organization.runs_exported',
                    'organization.person_figures_viewed', 'workflow.exported', 'token.revoked')
$$;

-- As before, but an organization that ends can be read and not changed. It is refused here, because every change records
-- its event in its transaction. The check is after the lock, so that no change is committed after the archive was begun.
create or replace function audit_append(events jsonb) returns bigint language plpgsql security definer as $$
declare
  org uuid := current_org();
  head audit_heads%rowtype;
  began bigint;
  event record;
  times timestamptz[] := '{}';
  digests bytea[] := '{}';
  prevs bytea[] := '{}';
  hashes bytea[] := '{}';
  event_digest bytea;
begin
  if org is null then
    raise exception 'no tenant is set' using errcode = 'insufficient_privilege';
  end if;
  select * into head from audit_heads where org_id = org for update;
  if not found then
    insert into audit_heads (org_id, seq, at, hash) values (org, 0, 'epoch', decode(repeat('00', 32), 'hex'))
      on conflict (org_id) do nothing;
    select * into head from audit_heads where org_id = org for update;
  end if;
  if exists (select from ending_organizations e where e.org_id = org) then
    if has_ended(org) or exists (
      select from jsonb_to_recordset(events) as e (action text) where not is_recorded_at_the_end(e.action)
    ) then
      raise exception 'the organization ends' using errcode = 'ST412';
    end if;
  end if;
  began := head.seq;
  for event in
    select sha256(decode(e.salt, 'hex') || convert_to(e.payload, 'UTF8')) as digest, e.mac is null as is_without_mac
    from jsonb_to_recordset(events) as e (payload text, salt text, mac text)
  loop
    if event.is_without_mac then
      raise exception 'an event has no MAC' using errcode = 'insufficient_privilege';
    end if;
    head.seq := head.seq + 1;
    -- Time never stands still or goes back within a chain, whatever the clock does.
    head.at := greatest(clock_timestamp(), head.at + interval '1 microsecond');
    event_digest := event.digest;
    times := times || head.at;
    digests := digests || event_digest;
    prevs := prevs || head.hash;
    head.hash := sha256(
      '\x0001'::bytea || uuid_send(org) || int8send(head.seq)
      || int8send((extract(epoch from head.at) * 1000000)::bigint) || head.hash || event_digest
    );
    hashes := hashes || head.hash;
  end loop;
  insert into audit_events (
    org_id, seq, at, actor, action, subject_type, subject_id, run_id, payload, salt, digest, prev, hash, mac, made_at
  )
  select org, began + e.n, e.at, e.actor, e.action, e.subject_type, e.subject_id, e.run_id, e.payload, decode(e.salt, 'hex'),
         e.digest, e.prev, e.hash, decode(e.mac, 'hex'), e.made_at
  from rows from (
    jsonb_to_recordset(events) as (
      actor text, action text, subject_type text, subject_id text, run_id uuid, payload text, salt text, mac text, made_at timestamptz
    ),
    unnest(times), unnest(digests), unnest(prevs), unnest(hashes)
  ) with ordinality as e (
    actor, action, subject_type, subject_id, run_id, payload, salt, mac, made_at, at, digest, prev, hash, n
  );
  update audit_heads set seq = head.seq, at = head.at, hash = head.hash where org_id = org;
  if head.seq / 1000 > began / 1000 then
    -- One that waits already covers these too.
    insert into outbox (task, payload)
    select 'seal_audit', jsonb_build_object('orgId', org)
    where not exists (select from outbox o where o.task = 'seal_audit' and o.payload ->> 'orgId' = org::text);
  end if;
  return head.seq;
end
$$;

-- As before, without the clocks of organizations that end.
create or replace function due_crossings(most integer) returns table (org_id uuid, run_id uuid) language sql stable security definer as $$
  select c.org_id, c.run_id from run_crossings c
  where c.at <= statement_timestamp() and not exists (select from ending_organizations e where e.org_id = c.org_id)
  order by c.at limit most
$$;

-- Deleting ------------------------------------------------------------------------------------------------------------------
-- As before, but the rows of an organization that has ended can be deleted.
create or replace function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if has_ended(old.org_id) then
      return old;
    end if;
  end if;
  raise exception 'the audit trail is append only' using errcode = 'insufficient_privilege';
end
$$;

create or replace function refuse_change_of_merged_version() returns trigger language plpgsql as $$
begin
  if old.version is not null and (
    tg_op = 'DELETE'
    or (new.version, new.content_hash, new.steps_count, new.workflow_id, new.revision)
       is distinct from (old.version, old.content_hash, old.steps_count, old.workflow_id, old.revision)
    or new.steps::text is distinct from old.steps::text
    or new.metadata is distinct from old.metadata
    or new.status not in ('live', 'superseded')
  ) and not (tg_op = 'DELETE' and has_ended(old.org_id)) then
    raise exception 'a merged version is immutable' using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

create or replace function refuse_change_of_file() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if (old.activation is not null or old.note_id is not null) and not has_ended(old.org_id) then
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

create or replace function refuse_change_of_chunk() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if has_ended(old.org_id) then
      return old;
    end if;
  end if;
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

-- As before, but nothing is counted while the runs of an organization that has ended are deleted.
create or replace function keep_run_counts() returns trigger language plpgsql security definer as $$
declare
  was text := case when tg_op <> 'INSERT' then old.status end;
  is_now text := case when tg_op <> 'DELETE' then new.status end;
  sla_was text := case when was = 'running' then old.sla_state end;
  sla_is_now text := case when is_now = 'running' then new.sla_state end;
begin
  if tg_op = 'DELETE' then
    if has_ended(old.org_id) then
      return null;
    end if;
  end if;
  insert into run_counts as c (org_id, running, paused, completed, failed, cancelled, on_track, at_risk, breached)
  values (
    coalesce(new.org_id, old.org_id), (is_now = 'running')::int, (is_now = 'paused')::int, (is_now = 'completed')::int,
    (is_now = 'failed')::int, (is_now = 'cancelled')::int, coalesce((sla_is_now = 'on_track')::int, 0),
    coalesce((sla_is_now = 'at_risk')::int, 0), coalesce((sla_is_now = 'breached')::int, 0)
  )
  on conflict (org_id) do update set
    running = c.running + coalesce((is_now = 'running')::int, 0) - coalesce((was = 'running')::int, 0),
    paused = c.paused + coalesce((is_now = 'paused')::int, 0) - coalesce((was = 'paused')::int, 0),
    completed = c.completed + coalesce((is_now = 'completed')::int, 0) - coalesce((was = 'completed')::int, 0),
    failed = c.failed + coalesce((is_now = 'failed')::int, 0) - coalesce((was = 'failed')::int, 0),
    cancelled = c.cancelled + coalesce((is_now = 'cancelled')::int, 0) - coalesce((was = 'cancelled')::int, 0),
    on_track = c.on_track + coalesce((sla_is_now = 'on_track')::int, 0) - coalesce((sla_was = 'on_track')::int, 0),
    at_risk = c.at_risk + coalesce((sla_is_now = 'at_risk')::int, 0) - coalesce((sla_was = 'at_risk')::int, 0),
    breached = c.breached + coalesce((sla_is_now = 'breached')::int, 0) - coalesce((sla_was = 'breached')::int, 0);
  return null;
end
$$;

-- The organizations whose time is over.
create function ended_organizations() returns table (org_id uuid, name text) language sql stable security definer as $$
  select o.id, o.name from ending_organizations e join organizations o on o.id = e.org_id where e.ends_at <= now() order by o.id
$$;

-- Deletes at most this many rows of an organization that has ended from a table, and returns their number.
create function delete_ended_rows(org uuid, of_table text, most integer) returns integer language plpgsql security definer as $$
declare
  deleted integer;
begin
  -- Another execution may have finished in the meantime.
  if not exists (select from organizations where id = org) then
    return 0;
  end if;
  if not has_ended(org) or of_table = 'ending_organizations' then
    raise exception 'the organization has not ended' using errcode = 'insufficient_privilege';
  end if;
  -- The name is that of a table of this schema with a column `org_id`, or the statement fails.
  execute format('delete from %I.%I where org_id = $1 and ctid = any (array(select ctid from %I.%I where org_id = $1 limit $2))',
                 current_schema(), of_table, current_schema(), of_table)
    using org, most;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- Deletes an organization of which no rows are left, and its jobs. Returns false if it was deleted already.
create function delete_ended_organization(org uuid) returns boolean language plpgsql security definer as $$
begin
  if not has_ended(org) then
    return false;
  end if;
  delete from outbox where payload ->> 'orgId' = org::text;
  if to_regclass('graphile_worker._private_jobs') is not null then
    perform graphile_worker.complete_jobs(array(
      select j.id from graphile_worker._private_jobs j where j.payload ->> 'orgId' = org::text and j.locked_at is null
    ));
  end if;
  update users set current_org_id = null where current_org_id = org;
  delete from ending_organizations where org_id = org;
  delete from organizations where id = org;
  return found;
end
$$;

do $$
declare
  name text;
begin
  execute format('create policy owner on ending_organizations to %I using (true) with check (true)', current_user);
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array[
    'audit_append(jsonb)', 'due_crossings(integer)', 'ended_organizations()', 'delete_ended_rows(uuid, text, integer)',
    'delete_ended_organization(uuid)', 'keep_run_counts()'
  ] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
  revoke execute on function ended_organizations(), delete_ended_rows(uuid, text, integer), delete_ended_organization(uuid) from public;
  grant execute on function ended_organizations(), delete_ended_rows(uuid, text, integer), delete_ended_organization(uuid) to stet_app;
end
$$;
