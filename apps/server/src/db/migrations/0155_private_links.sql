-- Only the sender of an invitation sees its link, so an account that joins with it got it from them. Other owners and admins may
-- have seen the links of earlier invitations: for these, and for accounts that joined with them, both columns stay false.
alter table invitations add column link_is_private boolean not null default false;
alter table memberships add column link_was_private boolean not null default false;

-- The people from whom an unproved account certainly got its link: its inviter and, if they weren't proved either, theirs; with
-- the other proved accounts of the mailboxes of those who are proved.
create function sure_inviters(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    with recursive chain (id, depth) as (
      select m.invited_by, 1 from memberships m where m.org_id = org and m.user_id = person and m.link_was_private
      union
      select m.invited_by, chain.depth + 1 from chain
      join memberships m on m.org_id = org and m.user_id = chain.id and m.link_was_private
      where member_proof(org, chain.id) is null and chain.depth < 20
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

create or replace function account_standing(org uuid, person uuid) returns json language plpgsql stable as $$
declare
  proof text := member_proof(org, person);
  more jsonb := jsonb_build_object(
    'vouchedBy', vouchers_of(org, person), 'isStrict', (select o.strict from organizations o where o.id = org)
  );
begin
  if proof is not null then
    return jsonb_build_object('provedBy', proof) || more;
  end if;
  return unproved_standing(org, person)::jsonb || more || jsonb_build_object('sureInviters', sure_inviters(org, person));
end
$$;
