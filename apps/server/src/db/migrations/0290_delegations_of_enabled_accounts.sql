-- As before, but neither of the two people's accounts may be disabled. A delegate's work isn't checked again by `hold_standing`. The
-- membership is locked before the account, as when an account is disabled.
create or replace function lock_delegation(org uuid, delegation uuid, delegator uuid, role_of_delegator text)
returns boolean language plpgsql as $$
begin
  perform from memberships m join users u on u.id = m.user_id
  where m.org_id = org and m.user_id = delegator and m.role = role_of_delegator and u.disabled_at is null
  for share of m, u;
  if found then
    perform from delegations d join users u on u.id = d.to_user_id
    where d.org_id = org and d.id = delegation and d.ended_at is null
      and d.starts_at <= clock_timestamp() and d.ends_at > clock_timestamp() and u.disabled_at is null
    for share of d, u;
  end if;
  if not found then
    raise exception 'the delegation has ended' using errcode = 'ST411';
  end if;
  return true;
end
$$;
