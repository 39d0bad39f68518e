-- Teams of people. Workflows name a group by its slug, which never changes.
create table groups (
  org_id uuid not null references organizations (id),
  id uuid not null,
  slug text not null,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  constraint groups_slug_taken unique (org_id, slug)
);

create table group_members (
  org_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  added_at timestamptz not null,
  -- Everyone to whom adding this member is attributed, the actor first.
  added_by uuid[] not null,
  primary key (org_id, group_id, user_id),
  foreign key (org_id, group_id) references groups (org_id, id) on delete cascade,
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);
create index group_members_by_user on group_members (org_id, user_id);

grant select, insert, update, delete on groups to stet_app;
grant select, insert, delete on group_members to stet_app;
do $$
declare
  name text;
begin
  foreach name in array array['groups', 'group_members'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end
$$;

-- The predicate lists the same actions as the statement that reads governing events.
drop index audit_events_that_govern;
create index audit_events_that_govern on audit_events (org_id, seq) where action in (
  'organization.created', 'member.joined', 'member.role_changed', 'member.removed', 'member.left', 'group.created',
  'group.changed', 'group.deleted', 'policy.changed', 'escalation.changed', 'workflow.archived', 'workflow.deleted',
  'draft.created', 'draft.imported', 'draft.saved', 'draft.rebased', 'draft.discarded', 'draft.approved',
  'draft.approval_withdrawn', 'draft.changes_requested', 'draft.merged', 'version.rolled_back', 'installation.upgraded'
);
