-- Three ways around the rules for powers that come from the people behind the work: removing the inviter of an unproved manager before
-- that manager gives a power, giving back a higher role than another manager took away, and changing a role before another manager
-- removes its holder.

-- The people behind unproved members whose inviter was removed, as they were stored when these members joined.
create function stored_behind_removed_inviters(org uuid, people uuid[]) returns setof role_history language plpgsql stable as $$
begin
  return query select joined.* from memberships m
    join role_history joined on joined.org_id = m.org_id and joined.user_id = m.user_id and joined.since = m.created_at
      and joined.given_by = m.invited_by
    where m.org_id = org and m.user_id = any (people) and member_proof(org, m.user_id) is null
      and not exists (select from memberships i where i.org_id = org and i.user_id = m.invited_by);
end
$$;

-- As before, and if the inviter of one of these people was removed, everyone who may have been behind the inviter.
create or replace function possibly_behind_gift(org uuid, giver uuid) returns uuid[] language plpgsql stable as $$
declare
  possible uuid[] := array(
    select unnest(people_behind(org, giver))
    union
    select json_array_elements_text(account_standing(org, giver) -> 'alsoCountsAs')::uuid
  );
begin
  return array(
    select unnest(possible) union select unnest(joined.possibly_behind) from stored_behind_removed_inviters(org, possible) joined
  );
end
$$;

-- As before, and if the inviter of one of these people was removed, everyone who certainly was behind the inviter. Only members who
-- joined with a link that nobody else saw are certainly their inviter's.
create or replace function surely_behind_gift(org uuid, giver uuid) returns uuid[] language plpgsql stable as $$
declare
  sure uuid[] := surely_behind(org, giver);
begin
  sure := array(
    select u.id from users u
    where u.id = any (sure)
      and (u.id = giver or u.proved_by is not null
           or u.id in (select json_array_elements_text(account_standing(org, giver) -> 'sureInviters')::uuid))
  );
  return array(
    select unnest(sure)
    union
    select unnest(joined.surely_behind) from stored_behind_removed_inviters(org, sure) joined
    join memberships m on m.org_id = org and m.user_id = joined.user_id and m.link_was_private
  );
end
$$;

-- The ids of the roles that someone gave back to a person before this time, after anyone else had changed what the person could do
-- since the run started, or had removed them. `roles` count as one role. A manager who gives back what they took away themselves only
-- corrects their own change.
create or replace function roles_given_back(org uuid, person uuid, roles text[], started timestamptz, moment timestamptz) returns uuid[]
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
      and date_trunc('milliseconds', taken.until) > started and given.since > taken.until
      and exists (
        select from role_history x
        where x.org_id = org and x.user_id = person and x.since >= taken.since and x.until <= given.since
          and x.ended_by <> person and x.ended_by <> given.given_by
      )
  );
end
$$;

-- As before, but a manager's role that someone gave back doesn't excuse a later one, whichever of the two manager's roles it was.
create or replace function role_comes_from(org uuid, person uuid, moment timestamptz, started timestamptz, doer_ids uuid[])
returns boolean language plpgsql stable as $$
declare
  held role_history;
  givers uuid[];
  -- The roles that came from these people.
  tainted uuid[] := '{}';
begin
  -- All roles since the run started of the person, and of everyone from whom they may have come, oldest first.
  for held in
    with recursive reached (id) as (
      select person
      union
      select behind.id
      from reached join role_history h on h.org_id = org and h.user_id = reached.id and h.since < moment
        and date_trunc('milliseconds', h.since) > started
      cross join lateral unnest(h.surely_behind || h.given_by) behind (id)
      where behind.id is not null
    )
    select h.* from reached join role_history h on h.org_id = org and h.user_id = reached.id and h.since < moment
      and date_trunc('milliseconds', h.since) > started
    order by h.since, h.until, h.id
  loop
    -- A role that nobody gave continues the one before it.
    givers := coalesce(held.surely_behind, array[coalesce(held.given_by, held.user_id)]);
    continue when not givers && doer_ids and not exists (
      select from role_history g
      where g.org_id = org and g.user_id = any (givers) and g.since < held.since and coalesce(g.until, 'infinity') >= held.since
        and g.id = any (tainted)
    );
    continue when is_confirmed_by_another(org, held.user_id, held.role, held.since, started, doer_ids);
    continue when exists (
      select from role_history e
      where e.org_id = org and e.user_id = held.user_id and e.role in ('owner', 'admin', held.role)
        and e.since < held.since and e.until > e.since and date_trunc('milliseconds', e.until) > started and e.id <> all (tainted)
        and roles_given_back(
          org, held.user_id, roles_including(held.role) || e.role, greatest(started, date_trunc('milliseconds', e.since)),
          least(moment, coalesce(held.until, 'infinity'))) = '{}'
    );
    tainted := tainted || held.id;
  end loop;
  return exists (
    select from role_history h
    where h.org_id = org and h.user_id = person and h.since < moment and coalesce(h.until, 'infinity') >= moment and h.id = any (tainted)
  );
end
$$;
