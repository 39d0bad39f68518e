-- Webhooks: addresses that hear of audit events ---------------------------------------------------------------------------
create table webhooks (
  org_id uuid not null references organizations (id),
  id uuid not null,
  url text not null,
  name text not null,
  -- Actions as the audit trail names them; empty for all.
  actions text[] not null,
  is_active boolean not null default true,
  -- The secret is derived from id and generation and kept nowhere. The one before is good for a while after a rotation.
  generation integer not null default 1,
  rotated_at timestamptz,
  -- Events up to this one are not for it.
  after_seq bigint not null,
  -- While its target does not answer nothing is tried before this moment.
  hold_until timestamptz,
  failures_in_row integer not null default 0,
  created_by uuid not null references users (id),
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index webhooks_newest on webhooks (org_id, created_at desc, id desc);

-- How far the events of an organization were handed on; there where it has webhooks.
create table webhook_cursors (
  org_id uuid primary key references organizations (id),
  seq bigint not null
);

-- One event for one webhook; `seq` null is a test. Those of one subject go out one after the other.
create table webhook_deliveries (
  org_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  position bigint generated always as identity,
  seq bigint,
  action text not null,
  subject text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
  attempts integer not null default 0,
  -- Another worker has it until then; a worker that died has it no longer.
  claimed_until timestamptz,
  next_attempt_at timestamptz not null default now(),
  last_status integer,
  last_problem text,
  last_took_ms integer,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, webhook_id) references webhooks (org_id, id) on delete cascade,
  -- Two who hand on the same event leave one delivery.
  unique (org_id, webhook_id, seq)
);
create index webhook_deliveries_newest on webhook_deliveries (org_id, webhook_id, position desc);
create index webhook_deliveries_dead on webhook_deliveries (org_id, webhook_id, position desc) where state = 'dead';
create index webhook_deliveries_queue on webhook_deliveries (org_id, webhook_id, subject, position) where state = 'waiting';
create index webhook_deliveries_waiting on webhook_deliveries (next_attempt_at) where state = 'waiting';
create index webhook_deliveries_by_age on webhook_deliveries (ended_at) where state <> 'waiting';

-- Organizations that have webhooks and events which were not handed on yet.
create function organizations_with_news() returns setof uuid language sql stable security definer as $$
  select c.org_id from webhook_cursors c join audit_heads h on h.org_id = c.org_id where h.seq > c.seq limit 200
$$;

-- Deliveries whose job isn't there any more get a new one; what ended a month ago is forgotten.
create function sweep_webhooks() returns integer language plpgsql security definer as $$
declare
  made integer;
begin
  insert into outbox (task, payload, job_key, turn_of)
  select distinct 'deliver_webhook',
         jsonb_build_object('orgId', d.org_id, 'webhookId', d.webhook_id, 'subject', d.subject),
         'webhook:' || d.webhook_id || ':' || d.subject, d.org_id::text
  from (
    select q.* from webhook_deliveries q
    join webhooks w on w.org_id = q.org_id and w.id = q.webhook_id and w.is_active and (w.hold_until is null or w.hold_until < now())
    where q.state = 'waiting' and q.next_attempt_at < now() - interval '2 minutes'
      and (q.claimed_until is null or q.claimed_until < now())
    order by q.next_attempt_at limit 500
  ) d;
  get diagnostics made = row_count;
  delete from webhook_deliveries where state <> 'waiting' and ended_at < now() - interval '30 days';
  return made;
end
$$;

grant select, insert, update, delete on webhooks, webhook_deliveries, webhook_cursors to stet_app;
do $$
declare
  name text;
begin
  foreach name in array array['webhooks', 'webhook_cursors', 'webhook_deliveries'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array['organizations_with_news()', 'sweep_webhooks()'] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
grant execute on function organizations_with_news(), sweep_webhooks() to stet_app;
