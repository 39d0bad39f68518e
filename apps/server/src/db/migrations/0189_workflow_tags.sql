-- Words by which people find workflows. They aren't part of a version.
alter table workflows add column tags text[] not null default '{}';
