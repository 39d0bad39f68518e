-- The events that produce rows which verification compares, now with those that store the requirements of drafts.
drop index audit_events_that_govern;
create index audit_events_that_govern on audit_events (org_id, seq) where action in (
  'organization.created', 'member.joined', 'member.role_changed', 'member.removed', 'member.left', 'group.created',
  'group.changed', 'group.deleted', 'delegation.created', 'delegation.ended', 'policy.changed', 'escalation.changed',
  'workflow.people_changed', 'workflow.archived', 'workflow.deleted', 'draft.created', 'draft.imported', 'draft.saved',
  'draft.rebased', 'draft.submitted', 'draft.requirements_added', 'draft.discarded', 'draft.approved',
  'draft.approval_withdrawn', 'draft.changes_requested', 'draft.merged', 'version.rolled_back', 'installation.upgraded'
);

-- Drafts that were submitted before requirements were stored, or before the rules became stricter, become tasks of the
-- groups that have to approve them.
insert into outbox (task, payload, job_key)
select 'update_requirements', jsonb_build_object('orgId', o.id), 'requirements:' || o.id
from organizations o
where o.review_routes <> '[]'
  and exists (select from workflow_versions v where v.org_id = o.id and v.status = 'in_review');
