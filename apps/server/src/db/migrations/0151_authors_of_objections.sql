-- Who wrote the content that a reviewer objected to: they don't set the request for changes aside on a copy either.
alter table draft_objections add column contributors jsonb not null default '[]';
update draft_objections o set contributors = (
  select coalesce(jsonb_agg(jsonb_build_object('id', c.user_id, 'through', c.through)), '[]')
  from draft_contributors c where c.org_id = o.org_id and c.draft_id = o.draft_id
)
where o.ended_at is null;
