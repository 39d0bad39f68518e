-- Everyone who manages the organization may be behind an unproved account, if its inviter wasn't proved either when they sent the
-- invitation. If the managers are two people, one of them could still decide about the account in the other's place. So the account
-- acted for itself although it can belong to only one of them. Now each mailbox of a manager behind the account, except for one, counts
-- as that of a second manager.
create or replace function unproved_standing(org uuid, person uuid) returns json language plpgsql stable as $$
declare
  behind uuid[] := possible_inviters(org, person);
begin
  return (
    with manager as (
      -- The longest of all roles with which someone with this mailbox manages or managed the organization.
      select mailbox_of(u.email) as mailbox, bool_and(h.user_id = any (behind)) as is_behind, max(coalesce(h.until, 'infinity')) as until
      from role_history h join users u on u.id = h.user_id and u.disabled_at is null
      where h.org_id = org and h.user_id <> person and h.role in ('owner', 'admin')
        and (h.until is null or h.until > now() - interval '7 days') and member_proof(org, h.user_id) is not null
      group by mailbox_of(u.email), h.user_id = any (behind)
    ), ranked as (
      select m.*, row_number() over (partition by is_behind order by until desc, mailbox) as place from manager m
    ), second as (
      select max(until) as until from ranked where not is_behind or place > 1
    )
    select json_build_object(
      'alsoCountsAs', behind,
      'hasSecondManager', second.until is not null,
      'secondManagerUntil', case when second.until < 'infinity' then second.until + interval '7 days' end,
      'isManaged', exists (select from manager where until = 'infinity')
    )
    from second
  );
end
$$;
