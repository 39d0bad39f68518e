-- Whether the same person has begun an upload again, by choosing the same file again. Then several forms may contain it, so a
-- form that removes it doesn't delete it. Uploads from before may be in several forms, too.
alter table files add column reused boolean not null default true;
alter table files alter column reused set default false;
grant update (reused) on files to stet_app;
