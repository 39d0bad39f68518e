-- Checkpoints: signed statements of what the trail was ------------------------------------------------------------------
create table audit_checkpoints (
  org_id uuid not null references organizations (id),
  -- How many events it seals: the number of the last one.
  size bigint not null check (size > 0),
  at timestamptz not null,
  root bytea not null,
  head bytea not null,
  -- The complete subtrees of the tree over the events, 32 bytes each, largest first: the next checkpoint grows from here.
  peaks bytea not null check (length(peaks) % 32 = 0),
  note text not null,
  primary key (org_id, size)
);
create trigger audit_checkpoints_append_only before update or delete on audit_checkpoints
  for each row execute function refuse_change_of_audit();
create trigger audit_checkpoints_no_truncate before truncate on audit_checkpoints
  for each statement execute function refuse_change_of_audit();

-- The latest verification of each organization's trail, and how far it has come.
create table audit_verifications (
  org_id uuid primary key references organizations (id),
  id uuid not null,
  state text not null check (state in ('running', 'ok', 'broken')),
  started_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  done bigint not null default 0,
  total bigint not null default 0,
  first_bad_seq bigint,
  problem text,
  check ((state = 'broken') = (problem is not null))
);

-- As before, and asks for a checkpoint with each thousandth event; the others come by the minute.
create or replace function audit_append(events jsonb) returns bigint language plpgsql security definer as $$
declare
  org uuid := current_org();
  head audit_heads%rowtype;
  began bigint;
  event jsonb;
  event_digest bytea;
  event_hash bytea;
  payload_text text;
  salt_bytes bytea;
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
  began := head.seq;
  for event in select value from jsonb_array_elements(events) loop
    payload_text := event ->> 'payload';
    salt_bytes := decode(event ->> 'salt', 'hex');
    head.seq := head.seq + 1;
    -- Time never stands still or goes back within a chain, whatever the clock does.
    head.at := greatest(clock_timestamp(), head.at + interval '1 microsecond');
    event_digest := sha256(salt_bytes || convert_to(payload_text, 'UTF8'));
    event_hash := sha256(
      '\x00'::bytea || '\x01'::bytea || uuid_send(org) || int8send(head.seq)
      || int8send((extract(epoch from head.at) * 1000000)::bigint) || head.hash || event_digest
    );
    insert into audit_events (org_id, seq, at, actor, action, subject_type, subject_id, run_id, payload, salt, digest, prev, hash)
    values (
      org, head.seq, head.at, event ->> 'actor', event ->> 'action', event ->> 'subject_type', event ->> 'subject_id',
      (event ->> 'run_id')::uuid, payload_text, salt_bytes, event_digest, head.hash, event_hash
    );
    head.hash := event_hash;
  end loop;
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

-- The organizations that have events which no checkpoint covers: a job's question, before any tenant.
create function unsealed_organizations() returns table (org_id uuid) language sql stable security definer as $$
  select h.org_id from audit_heads h
  where h.seq > coalesce((select c.size from audit_checkpoints c where c.org_id = h.org_id order by c.size desc limit 1), 0)
$$;

-- The number of the first event that is not before a moment; the next number where there is none. Times rise with numbers,
-- so it takes a look at some twenty events, and no index by time.
create function audit_seq_at(org uuid, moment timestamptz) returns bigint language plpgsql stable as $$
declare
  low bigint := 1;
  high bigint := coalesce((select seq from audit_heads where org_id = org), 0) + 1;
  middle bigint;
  met timestamptz;
begin
  while low < high loop
    middle := (low + high) / 2;
    select at into met from audit_events where org_id = org and seq = middle;
    if met >= moment then high := middle; else low := middle + 1; end if;
  end loop;
  return low;
end
$$;

-- Rights ------------------------------------------------------------------------------------------------------------
grant select, insert on audit_checkpoints to stet_app;
grant select, insert, update on audit_verifications to stet_app;

do $$
declare
  name text;
begin
  foreach name in array array['audit_checkpoints', 'audit_verifications'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
  -- A security definer function finds its tables where they were made, whoever calls it.
  execute format('alter function audit_append(jsonb) set search_path = %I, pg_temp', current_schema());
  execute format('alter function unsealed_organizations() set search_path = %I, pg_temp', current_schema());
  revoke execute on function unsealed_organizations() from public;
end
$$;
grant execute on function unsealed_organizations(), audit_seq_at(uuid, timestamptz) to stet_app;
