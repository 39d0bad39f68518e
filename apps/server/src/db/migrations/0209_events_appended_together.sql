-- As before, but all events are inserted by one statement, and each is parsed once. Every change waits for this function.
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
-- Replacing a function drops its settings: a security definer function finds its tables where they were made.
do $$
begin
  execute format('alter function audit_append(jsonb) set search_path = %I, pg_temp', current_schema());
end
$$;
