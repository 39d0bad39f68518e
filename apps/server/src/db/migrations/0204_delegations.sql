-- Work that one member does for another while they are away.
create table delegations (
  org_id uuid not null references organizations (id),
  id uuid not null,
  from_user_id uuid not null,
  to_user_id uuid not null check (to_user_id <> from_user_id),
  starts_at timestamptz not null,
  -- Exclusive.
  ends_at timestamptz not null,
  -- Set if it was ended early.
  ended_at timestamptz,
  kinds text[] not null,
  -- Null for all workflows.
  workflow_keys text[],
  reason text not null,
  primary key (org_id, id),
  foreign key (org_id, from_user_id) references memberships (org_id, user_id) on delete cascade,
  foreign key (org_id, to_user_id) references memberships (org_id, user_id) on delete cascade
);
create index delegations_by_delegator on delegations (org_id, from_user_id, ends_at) where ended_at is null;
create index delegations_by_delegate on delegations (org_id, to_user_id, ends_at) where ended_at is null;

grant select, insert, update (ended_at) on delegations to stet_app;
alter table delegations enable row level security;
alter table delegations force row level security;
create policy tenant on delegations to stet_app using (org_id = current_org()) with check (org_id = current_org());
do $$
begin
  execute format('create policy owner on delegations to %I using (true) with check (true)', current_user);
end
$$;

-- Raises an error unless the delegation is active at this moment and the delegator still has this role. Neither can
-- change until the transaction ends.
create function lock_delegation(org uuid, delegation uuid, delegator uuid, role_of_delegator text)
returns boolean language plpgsql as $$
begin
  perform from memberships m where m.org_id = org and m.user_id = delegator and m.role = role_of_delegator for share;
  if found then
    perform from delegations d
    where d.org_id = org and d.id = delegation and d.ended_at is null
      and d.starts_at <= clock_timestamp() and d.ends_at > clock_timestamp()
    for share;
  end if;
  if not found then
    raise exception 'the delegation has ended' using errcode = 'ST411';
  end if;
  return true;
end
$$;
grant execute on function lock_delegation(uuid, uuid, uuid, text) to stet_app;

-- The predicate lists the same actions as the statement that reads governing events.
drop index audit_events_that_govern;
create index audit_events_that_govern on audit_events (org_id, seq) where action in (
  'organization.created', 'member.joined', 'member.role_changed', 'member.removed', 'member.left', 'group.created',
  'group.changed', 'group.deleted', 'delegation.created', 'delegation.ended', 'policy.changed', 'escalation.changed',
  'workflow.archived', 'workflow.deleted', 'draft.created', 'draft.imported', 'draft.saved', 'draft.rebased',
  'draft.discarded', 'draft.approved', 'draft.approval_withdrawn', 'draft.changes_requested', 'draft.merged',
  'version.rolled_back', 'installation.upgraded'
);
