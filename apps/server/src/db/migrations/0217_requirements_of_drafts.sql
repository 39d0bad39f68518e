-- The groups that have to approve a draft, from its submission on, and who approved for them at the merge.
alter table workflow_versions add column requirements jsonb not null default '[]';
create index workflow_versions_with_requirements on workflow_versions (org_id) where version is null and requirements <> '[]';
