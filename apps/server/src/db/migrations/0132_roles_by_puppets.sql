-- As before; a role also counts as taken by someone's own hand if the account that gave it is known by their word alone: its
-- address isn't proved, and whoever confirmed it is an account of their mailbox or known by their word alone too.
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
        where u.proved_by is null and mailbox_of(u.email) <> mailbox_of(taker.email)
      )
      select coalesce(bool_or(mailbox_of(u.email) = mailbox_of(taker.email)), false)
             and not coalesce(bool_or(
               mailbox_of(u.email) <> mailbox_of(taker.email)
               and (u.proved_by is not null or not exists (
                 select from confirmations k
                 where k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = u.id::text
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
