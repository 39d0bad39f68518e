-- Who ceased to be an owner or admin lately: asked under the lock of the organization where the approvals are changed.
create index audit_events_of_members on audit_events (org_id, seq)
  where action in ('member.role_changed', 'member.removed', 'member.left');
