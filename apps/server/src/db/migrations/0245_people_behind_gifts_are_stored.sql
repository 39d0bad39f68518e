-- Who is behind a manager was looked up when an approval depended on a role or membership that the manager had given. An inviter is
-- known only while the invited person is a member, so removing the manager hid who had invited them. Now these people are stored
-- with the role or membership.

-- In both tables: `possibly_behind` is everyone who may be behind the person who gave the role or added the member, and `surely_behind` is
-- everyone who certainly is, including that person. Null if nobody gave it, and in rows from before.
alter table role_history add column possibly_behind uuid[], add column surely_behind uuid[];
alter table group_members add column possibly_behind uuid[], add column surely_behind uuid[];

-- Everyone who may be behind a role or membership that this manager gives. This includes the inviters of an unproved account even
-- if nobody else could confirm it, because another manager can prove their address later.
create function possibly_behind_gift(org uuid, giver uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select unnest(people_behind(org, giver))
    union
    select json_array_elements_text(account_standing(org, giver) -> 'alsoCountsAs')::uuid
  );
end
$$;

-- Everyone who is certainly behind it. An account that isn't proved can have an address that only looks like the manager's, and a
-- manager who isn't proved can have an address that only looks like someone's.
create function surely_behind_gift(org uuid, giver uuid) returns uuid[] language plpgsql stable as $$
declare
  sure uuid[] := surely_behind(org, giver);
begin
  return array(
    select u.id from users u
    where u.id = any (sure)
      and (u.id = giver or u.proved_by is not null
           or u.id in (select json_array_elements_text(account_standing(org, giver) -> 'sureInviters')::uuid))
  );
end
$$;

create or replace function keep_role_history() returns trigger language plpgsql security definer as $$
begin
  if tg_op <> 'INSERT' then
    if tg_op = 'UPDATE' and new.role = old.role then
      return null;
    end if;
    update role_history set until = now() where org_id = old.org_id and user_id = old.user_id and until is null;
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

create or replace function remember_earlier_senders() returns trigger language plpgsql security definer as $$
begin
  insert into role_history (org_id, user_id, role, given_by, since, until, possibly_behind, surely_behind)
  select new.org_id, new.user_id, new.role, sender.id, now(), now(),
         possibly_behind_gift(new.org_id, sender.id), surely_behind_gift(new.org_id, sender.id)
  from (
    select i.earlier_senders from invitations i join users u on u.email = i.email
    where i.org_id = new.org_id and u.id = new.user_id and i.accepted_at = now()
  ) used cross join lateral unnest(used.earlier_senders) as sender (id)
  where sender.id <> new.user_id and sender.id is distinct from new.given_by;
  return null;
end
$$;
do $$
begin
  -- Replacing a function drops its settings: a security definer function finds its tables where they were made.
  execute format('alter function keep_role_history() set search_path = %I, pg_temp', current_schema());
  execute format('alter function remember_earlier_senders() set search_path = %I, pg_temp', current_schema());
end
$$;

-- The stored people behind a role that someone gave, or for rows from before, those behind the giver now.
create function possible_givers(given role_history) returns uuid[] language plpgsql stable as $$
begin
  return case when given.given_by is null then '{}' else coalesce(given.possibly_behind, people_behind(given.org_id, given.given_by)) end;
end
$$;

-- The stored people behind a membership in a group.
create function possible_adders(added group_members) returns uuid[] language sql stable as $$
  select coalesce(added.possibly_behind, added.added_by)
$$;

create function sure_adders(added group_members) returns uuid[] language plpgsql stable as $$
begin
  return coalesce(added.surely_behind, array(
    -- Accounts that aren't proved can look like the acting account's.
    select u.id from users u where u.id = any (added.added_by) and (u.id = added.added_by[1] or u.proved_by is not null)
  ));
end
$$;

-- As before, with the stored people.
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
    )
    select id from chain
  );
end
$$;

-- As before, with everyone who is certainly behind each giver.
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
        and not had_role(org, chain.id, array['owner', 'admin', h.role], started)
        and not is_confirmed_by_another(org, chain.id, h.role, h.since, started, doer_ids)
    )
    select from chain where chain.at < moment and chain.id = any (doer_ids)
  );
end
$$;

-- True if adding a member came from someone certainly behind the separated work, directly or through others. `adders` is everyone
-- certainly behind adding them.
drop function addition_comes_from(uuid, uuid[], timestamptz, timestamptz, uuid[]);
create function addition_comes_from(org uuid, adders uuid[], added_at timestamptz, started timestamptz, doer_ids uuid[])
returns boolean language plpgsql stable as $$
begin
  return date_trunc('milliseconds', added_at) > started and exists (
    select from unnest(adders) adder (id)
    where adder.id = any (doer_ids) or role_comes_from(org, adder.id, added_at, started, doer_ids)
  );
end
$$;

drop function is_membership_barred(uuid, uuid, uuid[], timestamptz, timestamptz, uuid[]);
create function is_membership_barred(org uuid, added group_members, started timestamptz, doer_ids uuid[])
returns boolean language plpgsql stable as $$
begin
  return addition_comes_from(org, sure_adders(added), added.added_at, started, doer_ids)
    and not is_confirmed_by_another(
      org, added.user_id, (select m.role from memberships m where m.org_id = org and m.user_id = added.user_id), added.added_at,
      started, doer_ids)
    and has_other_manager(org, added.user_id, doer_ids, started);
end
$$;

-- As before, with the stored people.
create or replace function role_counts(
  org uuid, person uuid, active_since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[]
) returns boolean language plpgsql stable as $$
declare
  people uuid[];
  origins uuid[];
begin
  if active_since is null or started is null or role_is_older(org, person, started) then
    return true;
  end if;
  if is_role_barred(org, person, started, doer_ids) then
    return false;
  end if;
  if not (select o.strict from organizations o where o.id = org) then
    return true;
  end if;
  people := array(
    select unnest(possible_givers(h)) from role_history h
    where h.org_id = org and h.user_id = person and date_trunc('milliseconds', h.since) > started
  );
  origins := people_behind_gifts(org, people, started);
  return not (person = any (people) or origins && giver_ids or origins && doer_ids or exists (
    select from role_history h
    where h.org_id = org and h.user_id = person and h.until is null and date_trunc('milliseconds', h.since) > active_since
  ));
end
$$;

-- As before, with the stored people. They are used only for members who were added after the run had started.
create or replace function counted_members(
  org uuid, names text[], only_person uuid, since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[]
) returns uuid[] language plpgsql stable as $$
declare
  is_strict boolean;
begin
  if since is null then
    return array(
      select m.user_id from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
      where g.org_id = org and 'group:' || g.slug = any (names) and (only_person is null or m.user_id = only_person)
    );
  end if;
  is_strict := (select o.strict from organizations o where o.id = org);
  return array(
    with member as materialized (
      select m.user_id, m.added_at, added.at, sure_adders(m) as sure,
             case when added.at > started then possible_adders(m) else m.added_by end as possible
      from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
      cross join lateral (select date_trunc('milliseconds', m.added_at) as at) added
      where g.org_id = org and 'group:' || g.slug = any (names) and (only_person is null or m.user_id = only_person)
    ), addition as materialized (
      select a.sure, a.possible, a.added_at, addition_comes_from(org, a.sure, a.added_at, started, doer_ids) as is_by_doer,
             is_strict and (
               select origins.people && doer_ids or origins.people && giver_ids
               from (select case when a.at > started then people_behind_gifts(org, a.possible, started) else a.possible end
                       as people) origins
             ) as is_by_doer_or_giver
      from (select distinct sure, possible, added_at, at from member) a
    ), concerned as materialized (
      select distinct m.user_id, m.added_at from member m join addition a using (sure, possible, added_at)
      where a.is_by_doer and not is_confirmed_by_another(
        org, m.user_id, (select r.role from memberships r where r.org_id = org and r.user_id = m.user_id), m.added_at, started,
        doer_ids)
    ), tie as materialized (
      -- `has_other_manager` is the same for all members behind whom there are the same managers, usually none.
      select c.user_id, c.added_at, case when only_person is null then array(
               select behind.id from unnest(surely_behind(org, c.user_id)) behind (id)
               where behind.id in (select h.user_id from role_history h where h.org_id = org and h.role in ('owner', 'admin'))
               order by 1
             ) end as manager_ids
      from concerned c
    ), judged as materialized (
      select one.manager_ids, has_other_manager(org, one.user_id, doer_ids, started) as is_barred
      from (select distinct on (manager_ids) manager_ids, user_id from tie) one
    ), barred as materialized (
      select t.user_id, t.added_at
      from tie t join judged j on j.manager_ids is not distinct from t.manager_ids
      where j.is_barred
    )
    select m.user_id from member m join addition a using (sure, possible, added_at)
    where not coalesce(
      a.is_by_doer and (m.user_id, m.added_at) in (select user_id, added_at from barred)
      or is_strict and (a.is_by_doer_or_giver or m.at > since or m.at > started and m.user_id = any (m.possible)), false)
  );
end
$$;
