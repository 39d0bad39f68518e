-- Whether one of a workflow's reviewers has to approve each of its drafts. It is separate from the list, which becomes
-- empty when the last reviewer leaves the organization.
create table workflow_review_rules (
  org_id uuid not null,
  workflow_id uuid not null,
  needs_reviewer boolean not null,
  primary key (org_id, workflow_id),
  foreign key (org_id, workflow_id) references workflows (org_id, id) on delete cascade
);

-- The owners and reviewers of workflows. They refer to the rule and not to the workflow, because a confirmed change must
-- not wait for a merge that has locked the workflow.
create table workflow_people (
  org_id uuid not null,
  workflow_id uuid not null,
  part text not null check (part in ('owner', 'reviewer')),
  user_id uuid not null,
  added_at timestamptz not null,
  -- Everyone to whom adding this person is attributed, the actor first.
  added_by uuid[] not null,
  primary key (org_id, workflow_id, part, user_id),
  foreign key (org_id, workflow_id) references workflow_review_rules (org_id, workflow_id) on delete cascade,
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);
create index workflow_people_by_user on workflow_people (org_id, user_id);

grant select, insert, update on workflow_review_rules to stet_app;
grant select, insert, delete on workflow_people to stet_app;
do $$
declare
  name text;
begin
  foreach name in array array['workflow_review_rules', 'workflow_people'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end
$$;

alter table confirmations drop constraint confirmations_kind_check;
alter table confirmations add constraint confirmations_kind_check
  check (kind in ('member', 'policy', 'working_hours', 'escalation', 'reviewers', 'emergency'));

-- The predicate lists the same actions as the statement that reads governing events.
drop index audit_events_that_govern;
create index audit_events_that_govern on audit_events (org_id, seq) where action in (
  'organization.created', 'member.joined', 'member.role_changed', 'member.removed', 'member.left', 'group.created',
  'group.changed', 'group.deleted', 'delegation.created', 'delegation.ended', 'policy.changed', 'escalation.changed',
  'workflow.people_changed', 'workflow.archived', 'workflow.deleted', 'draft.created', 'draft.imported', 'draft.saved',
  'draft.rebased', 'draft.discarded', 'draft.approved', 'draft.approval_withdrawn', 'draft.changes_requested',
  'draft.merged', 'version.rolled_back', 'installation.upgraded'
);
