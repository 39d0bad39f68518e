-- Disabling an account locks its memberships before the account, and so do all checks at the commit, except this one of personal tokens:
-- it locked the account first. If both waited for each other, the disabling could fail.
create or replace function hold_token_standing(org uuid, token uuid, roles text[]) returns boolean language plpgsql as $$
declare
  held api_tokens%rowtype;
begin
  select * into held from api_tokens t
  where t.org_id = org and t.id = token and t.revoked_at is null and (t.expires_at is null or t.expires_at > now()) for share;
  if held.kind = 'personal' then
    -- Locks the membership and the account.
    perform hold_standing(org, held.user_id, roles);
    perform 1 from users u
    where u.id = held.user_id and (u.tokens_ended_at is null or held.created_at > u.tokens_ended_at);
    if not found then
      raise exception 'the token has ended since the request came in' using errcode = 'ST403';
    end if;
  elsif held.role is null or held.role <> all (roles) then
    raise exception 'the token has changed since the request came in' using errcode = 'ST403';
  end if;
  return true;
end
$$;
