-- Taking members out of a group that a workflow, a rule or a run names waits for a second manager.
alter table confirmations drop constraint confirmations_kind_check;
alter table confirmations add constraint confirmations_kind_check
  check (kind in ('member', 'policy', 'working_hours', 'escalation', 'reviewers', 'group_members', 'emergency'));
