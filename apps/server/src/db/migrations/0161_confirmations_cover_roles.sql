-- Whether a manager's confirmation of a member counts for the member's current role: it counts up to the kind of role that it names.
-- If the member gets their earlier role back, the earlier confirmation counts again.
create function confirmation_counts(k confirmations) returns boolean language plpgsql stable as $$
begin
  return k.status = 'confirmed' and (k.counts_for_all_roles or not exists (
    select from memberships m
    where m.org_id = k.org_id and m.user_id = k.subject_id::uuid and case
      when m.role in ('owner', 'admin') then k.payload ->> 'role' not in ('owner', 'admin')
      when m.role = 'reviewer' then k.payload ->> 'role' not in ('owner', 'admin', 'reviewer')
      else false
    end
  ));
end
$$;

-- As before, with the confirmations that count for the current role.
create or replace function member_proof(org uuid, person uuid) returns text language plpgsql stable as $$
begin
  return (
    select coalesce(
      u.proved_by,
      case when exists (
        select from confirmations k
        where k.org_id = org and k.kind = 'member' and k.subject_id = person::text and k.status = 'confirmed'
          and confirmation_counts(k)
      ) then 'manager' end,
      case when exists (select from organizations o where o.id = org and o.founded_by = person) then 'founder' end
    )
    from users u where u.id = person
  );
end
$$;

create or replace function vouchers_of(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select distinct twin.id
    from confirmations k join users u on u.id = k.decided_by join users twin on mailbox_of(twin.email) = mailbox_of(u.email)
    where k.org_id = org and k.kind = 'member' and k.subject_id = person::text and k.status = 'confirmed'
      and confirmation_counts(k) and u.proved_by is not null
  );
end
$$;

create or replace function took_role_by_own_hand(org uuid, person uuid) returns boolean
language plpgsql stable security definer as $$
begin
  return exists (
    select from role_history h join users taker on taker.id = h.user_id
    cross join lateral (
      with recursive words (id) as (
        select h.given_by
        union
        select k.decided_by
        from words w join users u on u.id = w.id
        join confirmations k on k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = w.id::text
        where u.proved_by is null and mailbox_of(u.email) <> mailbox_of(taker.email) and confirmation_counts(k)
      )
      select coalesce(bool_or(mailbox_of(u.email) = mailbox_of(taker.email)), false)
             and not coalesce(bool_or(
               mailbox_of(u.email) <> mailbox_of(taker.email)
               and (u.proved_by is not null or not exists (
                 select from confirmations k
                 where k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = u.id::text
                   and confirmation_counts(k)
               ))
             ), false) as is_own
      from words w join users u on u.id = w.id
    ) giver
    where h.org_id = org and h.user_id = person and h.until is null and h.since > now() - interval '7 days' and giver.is_own
  );
end
$$;

do $$
begin
  execute format('alter function took_role_by_own_hand(uuid, uuid) set search_path = %I, pg_temp', current_schema());
end
$$;

-- Weaker escalations that an organization's token proposed end: a former owner of the token, who knows it, could confirm them. Such
-- tokens can't propose anything any more.
update confirmations k set status = 'replaced', decided_at = clock_timestamp()
where k.kind = 'escalation' and k.status = 'waiting' and exists (
  select from audit_events e join api_tokens t on t.org_id = e.org_id and t.id::text = e.actor
  where e.org_id = k.org_id and e.action = 'confirmation.proposed' and e.subject_id = k.subject_id
    and t.kind = 'organization' and position(k.id::text in e.payload) > 0
);
