-- As before, except for a person who is named by address: an account that isn't proved doesn't bar them because it has an
-- address of their mailbox. Anyone can have made it so; their decision is marked instead.
create or replace function count_able_people(
  org uuid, names text[], except_ids uuid[], is_decision boolean, most integer, is_approval boolean default false
) returns integer language plpgsql stable as $$
declare
  account record;
  people uuid[];
  barring uuid[];
  counted uuid[] := '{}';
  able integer := 0;
begin
  for account in
    select u.id, u.email, false as is_unproved from memberships m join users u on u.id = m.user_id
    where m.org_id = org and u.proved_by is not null and (u.email = any (names) or 'role:' || m.role = any (names))
    union all
    select u.id, u.email, true from memberships m join users u on u.id = m.user_id
    where m.org_id = org and u.proved_by is null and (u.email = any (names) or 'role:' || m.role = any (names))
  loop
    exit when able >= most;
    people := people_behind(org, account.id);
    barring := people;
    if account.email = any (names) then
      barring := array(select u.id from users u where u.id = any (people) and (u.id = account.id or u.proved_by is not null));
    end if;
    continue when barring && except_ids or people && counted;
    continue when is_approval and account.email <> all (names) and took_role_by_own_hand(org, account.id);
    continue when is_decision and account.is_unproved and not may_decide_steps(org, account.id);
    able := able + 1;
    counted := counted || people;
  end loop;
  return able;
end
$$;
