-- Whether a draft with unresolved comments can be merged.
alter table organizations add column resolved_comments boolean not null default false;
