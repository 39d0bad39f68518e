-- A role that someone had when the run started didn't come from anyone, even if another manager had taken it away since then and a
-- person who did the work gave it back.

-- Who ended a role: the person who gave the next one, who removed the member, or the member who left. Null while the role is held,
-- and in rows from before.
alter table role_history add column ended_by uuid references users (id);
-- The statement that removes a member stores who did it.
grant update (ended_by) on role_history to stet_app;

create or replace function keep_role_history() returns trigger language plpgsql security definer as $$
begin
  if tg_op <> 'INSERT' then
    if tg_op = 'UPDATE' and new.role = old.role then
      return null;
    end if;
    update role_history set until = now(), ended_by = case when tg_op = 'UPDATE' then new.given_by else ended_by end
    where org_id = old.org_id and user_id = old.user_id and until is null;
  end if;
  if tg_op <> 'DELETE' then
    insert into role_history (org_id, user_id, role, given_by, since, possibly_behind, surely_behind)
    values (
      new.org_id, new.user_id, new.role, new.given_by, now(),
      case when new.given_by is not null then possibly_behind_gift(new.org_id, new.given_by) end,
      case when new.given_by is not null then surely_behind_gift(new.org_id, new.given_by) end
    );
  end if;
  return null;
end
$$;
do $$
begin
  -- Replacing a function drops its settings: a security definer function finds its tables where they were made.
  execute format('alter function keep_role_history() set search_path = %I, pg_temp', current_schema());
end
$$;

-- The ids of the roles that someone gave back to a person before this time, after someone else had taken them away since the run
-- started. `roles` count as one role. A manager who gives back what they took away themselves only corrects their own change.
create function roles_given_back(org uuid, person uuid, roles text[], started timestamptz, moment timestamptz) returns uuid[]
language plpgsql stable as $$
begin
  return array(
    select given.id from role_history taken
    cross join lateral (
      select g.* from role_history g
      where g.org_id = org and g.user_id = person and g.role = any (roles) and g.id <> taken.id
        and g.since >= taken.until and g.since < moment
      order by g.since, g.until desc nulls first limit 1
    ) given
    where taken.org_id = org and taken.user_id = person and taken.role = any (roles)
      and date_trunc('milliseconds', taken.until) > started and taken.ended_by <> person and given.since > taken.until
      and taken.ended_by <> given.given_by
  );
end
$$;

-- A role, and those that include its powers.
create function roles_including(role text) returns text[] language sql immutable as $$
  select case role when 'owner' then array['owner'] when 'admin' then array['owner', 'admin'] else array['owner', 'admin', role] end
$$;

-- True if the person was a manager when the run started, and nobody gave them that back before this time.
create function was_manager_before(org uuid, person uuid, started timestamptz, moment timestamptz) returns boolean
language plpgsql stable as $$
begin
  return had_role(org, person, array['owner', 'admin'], started)
    and roles_given_back(org, person, array['owner', 'admin'], started, moment) = '{}';
end
$$;

-- True if a member had their current role when the run started, even if it changed in between. An admin who was an owner had it too.
create function had_current_role(org uuid, person uuid, started timestamptz) returns boolean language plpgsql stable as $$
begin
  return coalesce((
    select had_role(org, person, case h.role when 'admin' then array['owner', 'admin'] else array[h.role] end, started)
    from role_history h where h.org_id = org and h.user_id = person and h.until is null
  ), false);
end
$$;

-- The roles that a person got since the run started. If they already had their current role then, only those that were given back.
create function role_gifts(org uuid, person uuid, started timestamptz) returns setof role_history language plpgsql stable as $$
declare
  held role_history;
begin
  select * into held from role_history h where h.org_id = org and h.user_id = person and h.until is null;
  if not found or date_trunc('milliseconds', held.since) <= started then
    return;
  end if;
  if had_current_role(org, person, started) then
    return query select * from role_history h
      where h.id = any (roles_given_back(org, person, roles_including(held.role), started, 'infinity')) and h.org_id = org;
  else
    return query select * from role_history h
      where h.org_id = org and h.user_id = person and date_trunc('milliseconds', h.since) > started;
  end if;
end
$$;
drop function role_is_older(uuid, uuid, timestamptz);

-- As before, but a manager to whom someone gave their role back comes from that person.
create or replace function people_behind_gifts(org uuid, people uuid[], started timestamptz) returns uuid[] language plpgsql stable as $$
begin
  return array(
    with recursive chain (id) as (
      select unnest(people)
      union
      select behind.id from chain
      join role_history h on h.org_id = org and h.user_id = chain.id and h.given_by is not null
        and date_trunc('milliseconds', h.since) > started
      cross join lateral unnest(possible_givers(h)) behind (id)
      where not had_role(org, chain.id, array['owner', 'admin'], started)
        or h.id = any (roles_given_back(org, chain.id, array['owner', 'admin'], started, 'infinity'))
    )
    select id from chain
  );
end
$$;

create or replace function is_confirmed_by_another(
  org uuid, person uuid, held text, moment timestamptz, started timestamptz, doer_ids uuid[]
) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from confirmations k
    where k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = person::text and k.decided_at > moment
      and (held not in ('owner', 'admin', 'reviewer') or k.payload ->> 'role' in ('owner', 'admin')
           or held = 'reviewer' and k.payload ->> 'role' = 'reviewer')
      and k.decided_by <> person and k.decided_by <> all (doer_ids) and member_proof(org, k.decided_by) is not null
      and was_manager_before(org, k.decided_by, started, k.decided_at)
  );
end
$$;

create or replace function role_comes_from(org uuid, person uuid, moment timestamptz, started timestamptz, doer_ids uuid[])
returns boolean language plpgsql stable as $$
begin
  return exists (
    with recursive chain (id, at) as (
      select person, moment
      union
      -- A role that nobody gave continues the one before it.
      select behind.id, h.since
      from chain
      join role_history h on h.org_id = org and h.user_id = chain.id and h.since < chain.at
        and coalesce(h.until, 'infinity') >= chain.at
      cross join lateral unnest(coalesce(h.surely_behind, array[coalesce(h.given_by, h.user_id)])) behind (id)
      where date_trunc('milliseconds', h.since) > started
        and not (had_role(org, chain.id, array['owner', 'admin', h.role], started)
                 and roles_given_back(org, chain.id, roles_including(h.role), started, chain.at) = '{}')
        and not is_confirmed_by_another(org, chain.id, h.role, h.since, started, doer_ids)
    )
    select from chain where chain.at < moment and chain.id = any (doer_ids)
  );
end
$$;

-- As before, but a role that was given back counts unless it came from the people behind the work or those who handed it over.
create or replace function role_counts(
  org uuid, person uuid, active_since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[]
) returns boolean language plpgsql stable as $$
declare
  people uuid[];
  origins uuid[];
begin
  if active_since is null or started is null or not exists (select from role_gifts(org, person, started)) then
    return true;
  end if;
  if is_role_barred(org, person, started, doer_ids) then
    return false;
  end if;
  if not (select o.strict from organizations o where o.id = org) then
    return true;
  end if;
  people := array(select unnest(possible_givers(h)) from role_gifts(org, person, started) h);
  origins := people_behind_gifts(org, people, started);
  if origins && giver_ids or origins && doer_ids then
    return false;
  end if;
  return had_current_role(org, person, started) or not (person = any (people) or exists (
    select from role_history h
    where h.org_id = org and h.user_id = person and h.until is null and date_trunc('milliseconds', h.since) > active_since
  ));
end
$$;
