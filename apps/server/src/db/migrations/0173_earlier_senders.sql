-- Everyone who sent an invitation gave the member their role, also if another manager sent it again later.
alter table invitations add column earlier_senders uuid[] not null default '{}';

update invitations i set earlier_senders = array(
  select distinct u.id from audit_events e join users u on u.id::text = e.actor
  where e.org_id = i.org_id and e.action in ('invitation.sent', 'invitation.resent') and e.subject_id = i.id::text
    and u.id <> i.invited_by
)
where accepted_at is null and revoked_at is null;

create function remember_earlier_senders() returns trigger language plpgsql security definer as $$
begin
  insert into role_history (org_id, user_id, role, given_by, since, until)
  select new.org_id, new.user_id, new.role, sender.id, now(), now()
  from (
    select i.earlier_senders from invitations i join users u on u.email = i.email
    where i.org_id = new.org_id and u.id = new.user_id and i.accepted_at = now()
  ) used cross join lateral unnest(used.earlier_senders) as sender (id)
  where sender.id <> new.user_id and sender.id is distinct from new.given_by;
  return null;
end
$$;
do $$
begin
  execute format('alter function remember_earlier_senders() set search_path = %I, pg_temp', current_schema());
end
$$;
create trigger earlier_senders_are_remembered after insert on memberships
  for each row execute function remember_earlier_senders();

-- As before, but an account that a manager confirmed for a lower kind of role acts for itself: they said that it is another person than
-- its inviter.
create or replace function account_standing(org uuid, person uuid) returns json language plpgsql stable as $$
declare
  proof text := member_proof(org, person);
  more jsonb := jsonb_build_object(
    'vouchedBy', vouchers_of(org, person), 'isStrict', (select o.strict from organizations o where o.id = org)
  );
  standing jsonb;
begin
  if proof is not null then
    return jsonb_build_object('provedBy', proof) || more;
  end if;
  standing := unproved_standing(org, person)::jsonb || more || jsonb_build_object('sureInviters', sure_inviters(org, person));
  if exists (
    select from confirmations k
    where k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = person::text
      and not (standing -> 'alsoCountsAs') ? k.decided_by::text
  ) then
    return standing || '{"alsoCountsAs": [], "sureInviters": []}';
  end if;
  return standing;
end
$$;
