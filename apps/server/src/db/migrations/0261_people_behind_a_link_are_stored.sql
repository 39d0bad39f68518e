-- The people behind an unproved account were looked up among the current members. If the inviter was removed, the people behind the
-- inviter were lost. Now an invitation stores them when it is sent.
alter table invitations
  -- The sender and everyone who may be behind the sender, and those who certainly are. Null in rows from before.
  add column possible_inviters uuid[],
  add column sure_inviters uuid[],
  -- The account that accepted the invitation.
  add column accepted_by uuid;

update invitations i set accepted_by = u.id from users u
where i.accepted_at is not null and u.email = i.email and u.created_at <= i.accepted_at;
update invitations i set accepted_by = f.user_id from former_addresses f
where i.accepted_at is not null and i.accepted_by is null and f.email = i.email;
create index invitations_accepted on invitations (org_id, accepted_by, accepted_at) where accepted_by is not null;

-- The sender of the invitation with which a person joined, and the people behind the sender when it was sent. None of them, nor the
-- person, has to be a member now.
create function senders_of_link(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select m.invited_by from memberships m where m.org_id = org and m.user_id = person and m.invited_by is not null
    union
    select unnest(coalesce(used.possible_inviters, array[used.invited_by]))
    from (select * from invitations i where i.org_id = org and i.accepted_by = person order by i.accepted_at desc limit 1) used
  );
end
$$;

-- Those of them who certainly had the link or gave it to someone, because nobody else saw it.
create function sure_senders_of_link(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select m.invited_by from memberships m
    where m.org_id = org and m.user_id = person and m.invited_by is not null and m.link_was_private
    union
    select unnest(coalesce(used.sure_inviters, case when used.link_is_private then array[used.invited_by] end))
    from (select * from invitations i where i.org_id = org and i.accepted_by = person order by i.accepted_at desc limit 1) used
    where not exists (select from memberships m where m.org_id = org and m.user_id = person and not m.link_was_private)
  );
end
$$;

-- The people behind the link of an account that isn't proved.
create function possible_inviters(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    with recursive chain (id) as (
      select unnest(senders_of_link(org, person))
      union
      select sender.id from chain cross join lateral unnest(senders_of_link(org, chain.id)) sender (id)
      where member_proof(org, chain.id) is null
    )
    select id from chain where id <> person
  );
end
$$;

-- As before, also if some of these people were removed.
create or replace function sure_inviters(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    with recursive chain (id) as (
      select unnest(sure_senders_of_link(org, person))
      union
      select sender.id from chain cross join lateral unnest(sure_senders_of_link(org, chain.id)) sender (id)
      where member_proof(org, chain.id) is null
    )
    select id from chain where id <> person
    union
    select twin.id from chain
    join users u on u.id = chain.id and u.proved_by is not null
    join users twin on mailbox_of(twin.email) = mailbox_of(u.email) and twin.proved_by is not null
    where twin.id <> person
  );
end
$$;

-- Everyone who may be behind the sender of an invitation, and those who certainly are, the sender included. For those who certainly
-- are, also other proved accounts of their mailboxes.
create function possible_senders(org uuid, sender uuid) returns uuid[] language plpgsql stable as $$
begin
  return sender || case when member_proof(org, sender) is null then possible_inviters(org, sender) else '{}' end;
end
$$;
create function sure_senders(org uuid, sender uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select unnest(surely_behind_gift(org, sender))
    union
    select unnest(case when member_proof(org, sender) is null then sure_inviters(org, sender) end)
  );
end
$$;

-- As before, also if some of the people behind the account were removed.
create or replace function unproved_standing(org uuid, person uuid) returns json language plpgsql stable as $$
declare
  behind uuid[] := possible_inviters(org, person);
begin
  return (
    select json_build_object(
      'alsoCountsAs', behind,
      'hasSecondManager', coalesce(bool_or(h.user_id <> all (behind)), false),
      'secondManagerUntil',
        case when bool_or(h.user_id <> all (behind) and h.until is null) then null
             else max(h.until) filter (where h.user_id <> all (behind)) + interval '7 days' end,
      'isManaged', coalesce(bool_or(h.until is null), false)
    )
    from role_history h
    where h.org_id = org and h.user_id <> person and h.role in ('owner', 'admin')
      and (h.until is null or h.until > now() - interval '7 days') and member_proof(org, h.user_id) is not null
  );
end
$$;

-- The standing of a giver contains the people behind removed inviters now.
create or replace function possibly_behind_gift(org uuid, giver uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select unnest(people_behind(org, giver))
    union
    select json_array_elements_text(account_standing(org, giver) -> 'alsoCountsAs')::uuid
  );
end
$$;
create or replace function surely_behind_gift(org uuid, giver uuid) returns uuid[] language plpgsql stable as $$
declare
  sure uuid[] := surely_behind(org, giver);
begin
  return array(
    select u.id from users u
    where u.id = any (sure)
      and (u.id = giver or u.proved_by is not null
           or u.id in (select json_array_elements_text(account_standing(org, giver) -> 'sureInviters')::uuid))
  );
end
$$;
drop function stored_behind_removed_inviters(uuid, uuid[]);
