-- One row for a role that more people hold than get a row each: who holds it is asked when it is read.
create table role_notifications (
  org_id uuid not null references organizations (id),
  id uuid not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'reviewer', 'viewer')),
  source text not null,
  kind text not null,
  news text,
  run_id uuid,
  step_id text,
  workflow_key text,
  draft_id uuid,
  title text not null,
  body text not null,
  -- Who of the role it is not for: they caused it, may not act on it, or have a row of their own.
  except_ids uuid[] not null,
  -- In milliseconds, as a page's cursor names it.
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (org_id, id),
  constraint role_notifications_once unique (org_id, role, source),
  foreign key (org_id, run_id) references runs (org_id, id),
  foreign key (org_id, draft_id) references workflow_versions (org_id, id) on delete cascade
);
create index role_notifications_newest on role_notifications (org_id, role, created_at desc, id desc);
create index role_notifications_of_drafts on role_notifications (org_id, draft_id) where draft_id is not null;

-- When a person has read one of them.
create table role_notification_reads (
  org_id uuid not null,
  user_id uuid not null,
  notification_id uuid not null,
  read_at timestamptz not null default clock_timestamp(),
  primary key (org_id, user_id, notification_id),
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade,
  foreign key (org_id, notification_id) references role_notifications (org_id, id) on delete cascade
);
create index role_notification_reads_of_one on role_notification_reads (org_id, notification_id);

-- Up to when a person has read all of them: what is older needs no look for unread ones.
create table role_notification_marks (
  org_id uuid not null,
  user_id uuid not null,
  read_up_to timestamptz not null,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);

grant select, insert on role_notifications, role_notification_reads to stet_app;
grant select, insert, update on role_notification_marks to stet_app;
do $$
declare
  name text;
begin
  foreach name in array array['role_notifications', 'role_notification_reads', 'role_notification_marks'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end
$$;
