-- Why a draft was submitted, and whom its author asked to review it.
alter table workflow_versions
  add column summary text,
  add column asked_reviewers uuid[] not null default '{}';
