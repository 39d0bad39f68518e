-- Whether a person's role is, at this moment, one of these; held until the transaction ends, which fails where it is none.
-- A share of the membership's own row: who changes or ends the membership waits for it, nobody else does.
create function hold_standing(org uuid, person uuid, roles text[]) returns boolean language plpgsql as $$
begin
  perform 1 from memberships where org_id = org and user_id = person and role = any (roles) for share;
  if not found then
    raise exception 'the role has changed since the request came in' using errcode = 'ST403';
  end if;
  return true;
end
$$;
grant execute on function hold_standing(uuid, uuid, text[]) to stet_app;
