alter table users add column disabled_at timestamptz;

-- Every way of signing in inserts a session. The lock makes a concurrent change of the account wait, so that the session
-- is either refused or ended by that change.
create function refuse_disabled_account() returns trigger language plpgsql as $$
declare
  disabled timestamptz;
begin
  select disabled_at into disabled from users where id = new.user_id for share;
  if disabled is not null then
    raise exception using errcode = 'ST410', message = 'the account is disabled';
  end if;
  return new;
end
$$;
create trigger sessions_of_enabled_accounts before insert on sessions
  for each row execute function refuse_disabled_account();
