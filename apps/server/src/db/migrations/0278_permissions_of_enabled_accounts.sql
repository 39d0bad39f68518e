-- Disabling an account ends its sessions. But an action in Slack has no session, and a request may have been authenticated before. So
-- the check at the commit also requires that the account isn't disabled. Because of the lock, the account can be disabled only before or
-- after the change. In the second case, the disabling finds everything that the change has saved.
create or replace function hold_standing(org uuid, person uuid, roles text[]) returns boolean language plpgsql as $$
begin
  perform 1 from memberships m join users u on u.id = m.user_id
  where m.org_id = org and m.user_id = person and m.role = any (roles) and u.disabled_at is null
  for share of m, u;
  if not found then
    raise exception 'the role or the account has changed since the request came in' using errcode = 'ST403';
  end if;
  return true;
end
$$;
