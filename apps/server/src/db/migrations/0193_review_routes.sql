-- Rules about reviews: which group has to approve which changes.
alter table organizations add column review_routes jsonb not null default '[]';
