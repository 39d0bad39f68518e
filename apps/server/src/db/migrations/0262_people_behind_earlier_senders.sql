-- The people behind the senders of an invitation were determined when it was accepted. A sender could prove their address or be
-- removed before that. Now they are those that were stored when each sender sent it.

-- Everyone who sent the invitation before its current sender did, by id: {"possible": […], "sure": […]}, see `possible_inviters`.
alter table invitations add column earlier_inviters jsonb not null default '{}';
update invitations i set
  possible_inviters = possible_senders(i.org_id, i.invited_by),
  sure_inviters = sure_senders(i.org_id, i.invited_by),
  earlier_inviters = (
    select coalesce(jsonb_object_agg(sender.id, jsonb_build_object(
             'possible', possible_senders(i.org_id, sender.id), 'sure', sure_senders(i.org_id, sender.id))), '{}')
    from unnest(i.earlier_senders) sender (id)
  )
where i.accepted_at is null and i.revoked_at is null;
alter table invitations drop column earlier_senders;

drop trigger earlier_senders_are_remembered on memberships;
drop function remember_earlier_senders();

-- Everyone who may be behind a role that someone gave with an invitation.
create function possibly_behind_link(sender uuid, possible uuid[], sure uuid[]) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select unnest(possible || sure)
    union
    select twin.id from users u join users twin on mailbox_of(twin.email) = mailbox_of(u.email) where u.id = sender
  );
end
$$;

-- As before, but a role given with an invitation comes from the people who were behind its senders when they sent it.
create or replace function keep_role_history() returns trigger language plpgsql security definer as $$
declare
  used invitations;
  possible uuid[];
  sure uuid[];
begin
  if tg_op <> 'INSERT' then
    if tg_op = 'UPDATE' and new.role = old.role then
      return null;
    end if;
    update role_history set until = now(), ended_by = case when tg_op = 'UPDATE' then new.given_by else ended_by end
    where org_id = old.org_id and user_id = old.user_id and until is null;
  end if;
  if tg_op = 'DELETE' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    select * into used from invitations i
    where i.org_id = new.org_id and i.accepted_by = new.user_id and i.accepted_at = now() and i.invited_by = new.given_by;
    insert into role_history (org_id, user_id, role, given_by, since, until, possibly_behind, surely_behind)
    select new.org_id, new.user_id, new.role, sent.sender, now(), now(), possibly_behind_link(sent.sender, sent.possible, sent.sure),
           sent.sure
    from (
      select e.key::uuid as sender, array(select jsonb_array_elements_text(e.value -> 'possible')::uuid) as possible,
             array(select jsonb_array_elements_text(e.value -> 'sure')::uuid) as sure
      from jsonb_each(used.earlier_inviters) e
    ) sent where sent.sender <> new.user_id;
  end if;
  if used.possible_inviters is not null then
    possible := possibly_behind_link(new.given_by, used.possible_inviters, used.sure_inviters);
    sure := used.sure_inviters;
  elsif new.given_by is not null then
    possible := possibly_behind_gift(new.org_id, new.given_by);
    sure := surely_behind_gift(new.org_id, new.given_by);
  end if;
  insert into role_history (org_id, user_id, role, given_by, since, possibly_behind, surely_behind)
  values (new.org_id, new.user_id, new.role, new.given_by, now(), possible, sure);
  return null;
end
$$;
do $$
begin
  -- Replacing a function drops its settings: a security definer function finds its tables where they were made.
  execute format('alter function keep_role_history() set search_path = %I, pg_temp', current_schema());
end
$$;
