-- The Slack workspace that an organization is connected to. The token is sealed under a key outside the database.
create table slack_connections (
  org_id uuid primary key references organizations (id),
  team_id text not null,
  team_name text not null,
  sealed_token text not null,
  -- Where messages go whose assignee has no Slack account under their address; null: nowhere.
  channel_id text,
  channel_name text,
  -- Why Slack takes nothing of us any more; null while it does.
  problem text,
  connected_by uuid not null references users (id),
  connected_at timestamptz not null default now()
);

-- What was told in Slack, each once: `key` says what it tells of.
create table slack_messages (
  org_id uuid not null references organizations (id),
  key text not null,
  assignee text not null,
  title text not null,
  workflow_title text not null,
  state text not null check (state in ('sending', 'waiting', 'sent', 'failed')),
  claim text,
  job jsonb not null,
  channel_id text,
  ts text,
  problem text,
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, key)
);
create index slack_messages_to on slack_messages (org_id, lower(assignee), at desc);
create index slack_messages_waiting on slack_messages (org_id, key) where state = 'waiting';

-- Tickets and states of a connection under way that were used: each opens something once.
create table used_tickets (
  id uuid primary key,
  expires_at timestamptz not null
);

-- Whether another organization is connected to the same workspace: then the token is theirs as well.
create function slack_team_is_shared(team text, but_org uuid) returns boolean language sql stable security definer as $$
  select exists (select from slack_connections where team_id = team and org_id <> but_org)
$$;

-- Organizations whose token is not sealed under the key of now.
create function slack_sealed_otherwise(key_id text) returns table (org_id uuid) language sql stable security definer as $$
  select c.org_id from slack_connections c where split_part(c.sealed_token, '.', 2) <> key_id limit 500
$$;

grant select, insert, update, delete on slack_connections to stet_app;
grant select, insert, update on slack_messages to stet_app;
grant select, insert, delete on used_tickets to stet_app;
do $$
declare
  name text;
begin
  foreach name in array array['slack_connections', 'slack_messages'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
  foreach name in array array['slack_team_is_shared(text, uuid)', 'slack_sealed_otherwise(text)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
grant execute on function slack_team_is_shared(text, uuid), slack_sealed_otherwise(text) to stet_app;
