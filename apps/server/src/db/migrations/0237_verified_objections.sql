-- The events that produce rows which verification compares, now with those that set requests for changes aside.
drop index audit_events_that_govern;
create index audit_events_that_govern on audit_events (org_id, seq) where action in (
  'organization.created', 'member.joined', 'member.role_changed', 'member.removed', 'member.left', 'group.created',
  'group.changed', 'group.deleted', 'delegation.created', 'delegation.ended', 'policy.changed', 'escalation.changed',
  'workflow.people_changed', 'workflow.archived', 'workflow.deleted', 'draft.created', 'draft.imported', 'draft.saved',
  'draft.rebased', 'draft.submitted', 'draft.requirements_added', 'draft.discarded', 'draft.approved',
  'draft.approval_withdrawn', 'draft.changes_requested', 'draft.objection_set_aside', 'draft.merged',
  'version.rolled_back', 'installation.upgraded'
);
