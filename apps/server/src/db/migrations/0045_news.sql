-- How each member wants to be told of what; what is not here is as the application has it by default.
create table notification_preferences (
  org_id uuid not null,
  user_id uuid not null,
  news text not null check (news in ('assignments', 'sla', 'review_requests', 'decisions', 'mentions')),
  channel text not null check (channel in ('in-app', 'email', 'slack')),
  pace text not null check (pace in ('at_once', 'daily', 'off')),
  primary key (org_id, user_id, news, channel),
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);

-- One a day for each person that something was held back for.
create table digests (
  org_id uuid not null references organizations (id),
  id uuid not null,
  user_id uuid not null references users (id),
  -- On the organization's clock.
  day date not null,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent')),
  -- Who is sending it, and since when: of a process that died another takes over.
  claim uuid,
  claimed_at timestamptz,
  primary key (org_id, id),
  constraint digests_once_a_day unique (org_id, user_id, day)
);

alter table notifications
  -- The draft it is about, which its link leads to.
  add column workflow_key text,
  add column draft_id uuid,
  -- The kind of news that preferences know it as; null where there are none.
  add column news text,
  -- Whether it stands in the list behind the bell.
  add column is_shown boolean not null default true,
  -- How it is told outside of the application, decided when it came: not, at once, or in the digest that is named then.
  add column email text not null default 'none' check (email in ('none', 'now', 'daily')),
  add column slack text not null default 'none' check (slack in ('none', 'now', 'daily')),
  add column digest_id uuid,
  -- What is told of a draft goes with it: there is nothing left to open.
  add foreign key (org_id, draft_id) references workflow_versions (org_id, id) on delete cascade,
  add foreign key (org_id, digest_id) references digests (org_id, id);
create index notifications_of_drafts on notifications (org_id, draft_id) where draft_id is not null;
create index notifications_of_digests on notifications (org_id, digest_id, created_at, id) where digest_id is not null;
create index notifications_held on notifications (org_id, user_id, created_at)
  where digest_id is null and (email = 'daily' or slack = 'daily');
drop index notifications_newest;
drop index notifications_unread;
create index notifications_newest on notifications (org_id, user_id, created_at desc, id desc) where is_shown;
create index notifications_unread on notifications (org_id, user_id, created_at desc, id desc) where read_at is null and is_shown;

-- Who is named in a comment and where, as it was when it was written.
alter table draft_comments add column mentions jsonb not null default '[]';

-- Organizations in which something is held back for a digest: from one to the next by the index, however much each holds.
create function organizations_with_held_news() returns setof uuid language sql stable security definer as $$
  with recursive held as (
    (select n.org_id from notifications n
     where n.digest_id is null and (n.email = 'daily' or n.slack = 'daily') order by n.org_id limit 1)
    union all
    select (select n.org_id from notifications n
            where n.digest_id is null and (n.email = 'daily' or n.slack = 'daily') and n.org_id > held.org_id
            order by n.org_id limit 1)
    from held where held.org_id is not null
  )
  select org_id from held where org_id is not null
$$;

grant select, insert, update on notification_preferences, digests to stet_app;
do $$
declare
  name text;
begin
  foreach name in array array['notification_preferences', 'digests'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
  -- A security definer function finds its tables where they were made, whoever calls it.
  execute format('alter function organizations_with_held_news() set search_path = %I, pg_temp', current_schema());
  revoke execute on function organizations_with_held_news() from public;
end
$$;
grant execute on function organizations_with_held_news() to stet_app;
