-- Events that rows are derived from --------------------------------------------------------------------------------------
-- Few beside those of runs, whose writes touch no entry of it.
create index audit_events_that_govern on audit_events (org_id, seq) where action in (
  'organization.created', 'member.joined', 'member.role_changed', 'member.removed', 'member.left', 'policy.changed',
  'escalation.changed', 'workflow.archived', 'workflow.deleted', 'draft.created', 'draft.imported', 'draft.saved',
  'draft.rebased', 'draft.discarded', 'draft.approved', 'draft.changes_requested', 'draft.merged', 'version.rolled_back',
  'installation.upgraded'
);
