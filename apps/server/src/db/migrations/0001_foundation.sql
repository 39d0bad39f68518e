-- Roles -----------------------------------------------------------------------------------------------------------
-- The server works as stet_app: it owns nothing, bypasses nothing and sees only the tenant that a transaction names.
do $$
begin
  create role stet_app nologin nosuperuser nobypassrls noinherit;
exception
  when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
  if not pg_has_role(current_user, 'stet_app', 'set') then
    execute format('grant stet_app to %I', current_user);
  end if;
exception
  -- Before PostgreSQL 16 the privilege 'set' has no name.
  when invalid_parameter_value then execute format('grant stet_app to %I', current_user);
end
$$;

do $$
begin
  execute format('grant usage on schema %I to stet_app', current_schema());
end
$$;

-- The tenant of this transaction; null where none was set, and null equals nothing.
create function current_org() returns uuid language sql stable
  return nullif(current_setting('stet.org_id', true), '')::uuid;

-- People and organizations ------------------------------------------------------------------------------------------
create table users (
  id uuid primary key,
  email text not null constraint users_email_taken unique check (email = lower(email) and length(email) <= 254),
  name text not null,
  role text not null check (role in ('editor', 'reviewer', 'viewer')),
  password_hash text not null,
  current_org_id uuid,
  created_at timestamptz not null default now()
);

create table organizations (
  id uuid primary key,
  name text not null,
  type text not null check (type in ('individual', 'team')),
  slug text constraint organizations_slug_taken unique,
  required_approvals integer not null check (required_approvals between 0 and 20),
  created_at timestamptz not null default now()
);

create table memberships (
  org_id uuid not null references organizations (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'admin', 'editor', 'reviewer', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (org_id, user_id)
);
create index memberships_by_user on memberships (user_id);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_by_user on sessions (user_id);

-- Workflows -----------------------------------------------------------------------------------------------------------
create table workflows (
  org_id uuid not null references organizations (id),
  id uuid not null,
  key text not null,
  -- Title, description and step count of the live version, else of the newest draft.
  title text not null,
  description text not null,
  steps_count integer not null,
  live_version_id uuid,
  next_version integer not null default 1,
  created_by uuid not null references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  -- A workflow that never was live and is deleted keeps its row, so that its key is never used again.
  deleted_at timestamptz,
  primary key (org_id, id),
  constraint workflows_key_taken unique (org_id, key)
);
create index workflows_by_update on workflows (org_id, updated_at desc, id desc) where deleted_at is null;

create table workflow_versions (
  org_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  status text not null check (status in ('draft', 'in_review', 'live', 'superseded')),
  version integer,
  revision integer not null default 1,
  -- The live version that a draft began from; null where there was none.
  base_version_id uuid,
  metadata jsonb not null,
  -- json, not jsonb: text and order of what was approved stay as they came.
  steps json not null,
  steps_count integer not null,
  content_hash text not null,
  created_by uuid not null references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid not null references users (id),
  submitted_at timestamptz,
  submitted_by uuid references users (id),
  merged_at timestamptz,
  merged_by uuid references users (id),
  superseded_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, workflow_id) references workflows (org_id, id),
  unique (org_id, workflow_id, version),
  check ((version is null) = (status in ('draft', 'in_review')))
);
create index workflow_versions_by_workflow on workflow_versions (org_id, workflow_id, created_at desc, id desc);
create unique index workflow_versions_one_live on workflow_versions (org_id, workflow_id) where status = 'live';
create index workflow_versions_open on workflow_versions (org_id, workflow_id, updated_at desc) where status in ('draft', 'in_review');

-- A merged version never changes, except that it stops and starts being the live one.
create function refuse_change_of_merged_version() returns trigger language plpgsql as $$
begin
  if old.version is not null and (
    tg_op = 'DELETE'
    or (new.version, new.content_hash, new.steps_count, new.workflow_id, new.revision)
       is distinct from (old.version, old.content_hash, old.steps_count, old.workflow_id, old.revision)
    or new.steps::text is distinct from old.steps::text
    or new.metadata is distinct from old.metadata
    or new.status not in ('live', 'superseded')
  ) then
    raise exception 'a merged version is immutable' using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger merged_versions_are_immutable before update or delete on workflow_versions
  for each row execute function refuse_change_of_merged_version();

create table draft_contributors (
  org_id uuid not null,
  draft_id uuid not null,
  user_id uuid not null references users (id),
  saves integer not null default 1,
  last_saved_at timestamptz not null default now(),
  primary key (org_id, draft_id, user_id),
  foreign key (org_id, draft_id) references workflow_versions (org_id, id) on delete cascade
);

create table draft_reviews (
  org_id uuid not null,
  id uuid not null,
  draft_id uuid not null,
  reviewer_id uuid not null references users (id),
  verdict text not null check (verdict in ('approved', 'changes_requested')),
  comment text not null default '',
  content_hash text not null,
  -- Once a change in content has dismissed an approval it stays dismissed, also when the content returns.
  dismissed boolean not null default false,
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  foreign key (org_id, draft_id) references workflow_versions (org_id, id) on delete cascade
);
create index draft_reviews_by_draft on draft_reviews (org_id, draft_id, at);

create table draft_comments (
  org_id uuid not null,
  id uuid not null,
  draft_id uuid not null,
  author_id uuid not null references users (id),
  body text not null,
  step_id text,
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  foreign key (org_id, draft_id) references workflow_versions (org_id, id) on delete cascade
);
create index draft_comments_by_draft on draft_comments (org_id, draft_id, at);

-- Runs ------------------------------------------------------------------------------------------------------------
create table runs (
  org_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  workflow_key text not null,
  workflow_title text not null,
  version_id uuid not null,
  version integer not null,
  name text not null,
  description text,
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent', 'critical')),
  status text not null check (status in ('running', 'paused', 'completed', 'failed', 'cancelled')),
  -- The machine's state, and what lists show of it, so that a list never reads step definitions.
  state jsonb not null,
  summary jsonb not null,
  revision integer not null default 1,
  steps_total integer not null,
  steps_completed integer not null default 0,
  target_ms bigint,
  has_clock boolean not null,
  -- When the run turns at risk and breached, if nothing happens; the clock stands from clock_stopped_at on.
  at_risk_at timestamptz,
  breach_at timestamptz,
  clock_stopped_at timestamptz,
  started_by uuid not null references users (id),
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, workflow_id) references workflows (org_id, id),
  foreign key (org_id, version_id) references workflow_versions (org_id, id)
);
create index runs_newest on runs (org_id, created_at desc, id desc);
create index runs_by_status on runs (org_id, status, created_at desc, id desc);
create index runs_by_workflow on runs (org_id, workflow_key, created_at desc, id desc);
create index runs_by_workflow_id on runs (org_id, workflow_id, status);

create table run_steps (
  org_id uuid not null,
  run_id uuid not null,
  step_id text not null,
  activation integer not null,
  state text not null check (state in ('active', 'completed', 'skipped', 'failed', 'waiting')),
  title text not null,
  type text not null,
  assignee text not null,
  -- Null where a branch that was taken back and not taken again skipped it.
  activated_at timestamptz,
  due_at timestamptz,
  primary key (org_id, run_id, step_id),
  foreign key (org_id, run_id) references runs (org_id, id)
);
create index run_steps_active_by_due on run_steps (org_id, due_at) where state = 'active';
create index run_steps_active_by_assignee on run_steps (org_id, lower(assignee), due_at) where state = 'active';

-- Answers already given to an Idempotency-Key ------------------------------------------------------------------------
create table idempotency_keys (
  org_id uuid not null references organizations (id),
  user_id uuid not null references users (id),
  key text not null,
  request_digest text not null,
  answer text,
  created_at timestamptz not null default now(),
  primary key (org_id, user_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Audit trail -----------------------------------------------------------------------------------------------------
create table audit_heads (
  org_id uuid primary key references organizations (id),
  seq bigint not null,
  at timestamptz not null,
  hash bytea not null
);

create table audit_events (
  org_id uuid not null references organizations (id),
  seq bigint not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  run_id uuid,
  payload text,
  salt bytea,
  digest bytea not null,
  prev bytea not null,
  hash bytea not null,
  primary key (org_id, seq)
);
create index audit_events_by_run on audit_events (org_id, run_id, seq) where run_id is not null;

create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'the audit trail is append only' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_events_append_only before update or delete on audit_events for each row execute function refuse_change_of_audit();
create trigger audit_events_no_truncate before truncate on audit_events for each statement execute function refuse_change_of_audit();

-- Appends events of the tenant to its chain. Each event: {actor, action, subject_type, subject_id, run_id, payload, salt}, salt in hex.
-- Takes the org's head last: it is what every writer of this org waits for.
create function audit_append(events jsonb) returns bigint language plpgsql security definer as $$
declare
  org uuid := current_org();
  head audit_heads%rowtype;
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
  return head.seq;
end
$$;

-- Jobs wait here until the transaction that asked for them is committed; a dispatcher moves them into the queue.
create table outbox (
  id bigint generated always as identity primary key,
  task text not null,
  payload jsonb not null,
  run_at timestamptz not null default now()
);

-- Reads that come before a tenant is known ------------------------------------------------------------------------------
-- The session with its user and the user's organizations; no row where the session is unknown, ended or expired.
create function find_session(session uuid)
returns table (
  user_id uuid, email text, name text, role text, org_id uuid, org_role text, organizations json
) language sql stable security definer rows 1 as $$
  select u.id, u.email, u.name, u.role, m.org_id, m.role, (
    select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'type', o.type, 'slug', o.slug, 'role', om.role)
                             order by om.created_at, o.id), '[]')
    from memberships om join organizations o on o.id = om.org_id where om.user_id = u.id
  )
  from sessions s
  join users u on u.id = s.user_id
  left join memberships m on m.user_id = u.id and m.org_id = u.current_org_id
  where s.id = session and s.ended_at is null and s.expires_at > now()
$$;

-- Takes away what no client asks for again: keys of a day ago.
create function sweep_idempotency_keys() returns void language sql security definer as $$
  delete from idempotency_keys where created_at < now() - interval '1 day'
$$;

-- Rights ------------------------------------------------------------------------------------------------------------
grant select, insert, update on users, organizations, memberships, sessions to stet_app;
grant delete on memberships to stet_app;
grant select, insert, update on workflows, runs, run_steps, idempotency_keys to stet_app;
grant select, insert, update, delete on workflow_versions, draft_contributors to stet_app;
grant select, insert on draft_reviews, draft_comments to stet_app;
grant update (dismissed) on draft_reviews to stet_app;
grant select on audit_events, audit_heads to stet_app;
grant insert on outbox to stet_app;

do $$
declare
  name text;
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  execute format('alter function audit_append(jsonb) set search_path = %I, pg_temp', current_schema());
  execute format('alter function find_session(uuid) set search_path = %I, pg_temp', current_schema());
  execute format('alter function sweep_idempotency_keys() set search_path = %I, pg_temp', current_schema());
  foreach name in array array[
    'memberships', 'workflows', 'workflow_versions', 'draft_contributors', 'draft_reviews', 'draft_comments',
    'runs', 'run_steps', 'idempotency_keys', 'audit_events', 'audit_heads'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
  alter table organizations enable row level security;
  alter table organizations force row level security;
  execute format('create policy owner on organizations to %I using (true) with check (true)', current_user);
end
$$;
create policy tenant on organizations to stet_app using (id = current_org()) with check (id = current_org());

revoke execute on function audit_append(jsonb), find_session(uuid), sweep_idempotency_keys() from public;
grant execute on function audit_append(jsonb), find_session(uuid), sweep_idempotency_keys(), current_org() to stet_app;
