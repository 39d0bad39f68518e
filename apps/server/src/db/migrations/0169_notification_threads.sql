-- Notifications about one thing form a thread: a run, a draft, or a batch of steps for a role. Lists can show one line for each.
alter table notifications
  add column thread text not null default gen_random_uuid(),
  -- When a request was met or withdrawn, so that nobody has to do anything about it.
  add column closed_at timestamptz,
  -- Since when a process has been mailing it: if the process died, another one takes over.
  add column mailing_since timestamptz,
  drop constraint notifications_email_check,
  -- `done`: it was mailed, or there was nothing to mail any more.
  add constraint notifications_email_check check (email in ('none', 'now', 'daily', 'done'));
alter table role_notifications add column thread text not null default gen_random_uuid();

-- Earlier mails have their own jobs, so none of them is collected again.
update notifications n
set thread = case when n.draft_id is not null then 'draft:' || n.draft_id when n.run_id is not null then 'run:' || n.run_id else n.source end,
    workflow_key = coalesce(n.workflow_key, (select r.workflow_key from runs r where r.org_id = n.org_id and r.id = n.run_id)),
    email = case n.email when 'now' then 'done' else n.email end;
update role_notifications n
set thread = case when n.draft_id is not null then 'draft:' || n.draft_id when n.run_id is not null then 'run:' || n.run_id else n.source end,
    workflow_key = coalesce(n.workflow_key, (select r.workflow_key from runs r where r.org_id = n.org_id and r.id = n.run_id));

update notifications n set closed_at = now(), read_at = coalesce(n.read_at, now())
where n.kind = 'review_requested' and not exists (
  select from workflow_versions v join workflows w on w.org_id = v.org_id and w.id = v.workflow_id
  where v.org_id = n.org_id and v.id = n.draft_id and v.status = 'in_review' and w.archived_at is null and w.deleted_at is null
);

create index notifications_of_thread on notifications (org_id, user_id, thread, created_at desc, id desc) where is_shown;
create index notifications_to_mail on notifications (org_id, user_id, created_at) where email = 'now';
create index role_notifications_of_thread on role_notifications (org_id, role, thread, created_at desc, id desc);
