-- When the reviewer withdrew the approval. A withdrawn approval is also dismissed.
alter table draft_reviews add column withdrawn_at timestamptz;
grant update (withdrawn_at) on draft_reviews to stet_app;

-- The approval that ended the request for changes. The request is open again once that approval is withdrawn.
alter table draft_objections add column ended_by_review uuid;
update draft_objections o set ended_by_review = (
  select r.id from draft_reviews r
  where r.org_id = o.org_id and r.reviewer_id = o.reviewer_id and r.verdict = 'approved'
    and (r.draft_id = o.draft_id or r.content_hash = o.content_hash) and r.at > o.at and r.at <= o.ended_at
  order by r.at desc, r.id desc limit 1
)
where o.ended_by = o.reviewer_id and o.ended_because is null;

-- The predicate lists the same actions as the statement that reads governing events.
drop index audit_events_that_govern;
create index audit_events_that_govern on audit_events (org_id, seq) where action in (
  'organization.created', 'member.joined', 'member.role_changed', 'member.removed', 'member.left', 'policy.changed',
  'escalation.changed', 'workflow.archived', 'workflow.deleted', 'draft.created', 'draft.imported', 'draft.saved',
  'draft.rebased', 'draft.discarded', 'draft.approved', 'draft.approval_withdrawn', 'draft.changes_requested',
  'draft.merged', 'version.rolled_back', 'installation.upgraded'
);
