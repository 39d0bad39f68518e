-- MACs of events --------------------------------------------------------------------------------------------------------
-- HMAC-SHA-256 by a key that the database doesn't have, and the server's clock when it was made. Null in events from before:
-- signed checkpoints vouch for those.
alter table audit_events
  add column mac bytea check (length(mac) = 32),
  add column made_at timestamptz,
  add constraint audit_events_made check ((mac is null) = (made_at is null));

-- As before, and stores what the server made of each event: {…, mac, made_at}, the MAC in hex.
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
    if event ->> 'mac' is null then
      raise exception 'an event has no MAC' using errcode = 'insufficient_privilege';
    end if;
    insert into audit_events (
      org_id, seq, at, actor, action, subject_type, subject_id, run_id, payload, salt, digest, prev, hash, mac, made_at
    ) values (
      org, head.seq, head.at, event ->> 'actor', event ->> 'action', event ->> 'subject_type', event ->> 'subject_id',
      (event ->> 'run_id')::uuid, payload_text, salt_bytes, event_digest, head.hash, event_hash,
      decode(event ->> 'mac', 'hex'), (event ->> 'made_at')::timestamptz
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

-- How long each organization's trail is: the first start with MACs notes it, before there is a tenant.
create function audit_trail_sizes() returns table (org_id uuid, size bigint) language sql stable security definer as $$
  select h.org_id, h.seq from audit_heads h where h.seq > 0
$$;

do $$
begin
  execute format('alter function audit_append(jsonb) set search_path = %I, pg_temp', current_schema());
  execute format('alter function audit_trail_sizes() set search_path = %I, pg_temp', current_schema());
  revoke execute on function audit_trail_sizes() from public;
end
$$;
grant execute on function audit_trail_sizes() to stet_app;
