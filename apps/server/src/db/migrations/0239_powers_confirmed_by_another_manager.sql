-- A power that came from someone behind the separated work couldn't be made to count again, and any change of someone's role by
-- such a person made them an appointee. Now another manager can give it again or confirm its holder, and a role that someone had
-- when the run started doesn't come from anyone.

-- True if a person had one of these roles at this time.
create function had_role(org uuid, person uuid, roles text[], moment timestamptz) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from role_history h
    where h.org_id = org and h.user_id = person and h.role = any (roles) and date_trunc('milliseconds', h.since) <= moment
      and (h.until is null or date_trunc('milliseconds', h.until) > moment)
  );
end
$$;

-- True if a member already had their role when the run started, even if it changed in between. An admin who was an owner also had
-- it.
create function role_is_older(org uuid, person uuid, started timestamptz) returns boolean language plpgsql stable as $$
begin
  return coalesce((
    select date_trunc('milliseconds', h.since) <= started
      or had_role(org, person, case h.role when 'admin' then array['owner', 'admin'] else array[h.role] end, started)
    from role_history h where h.org_id = org and h.user_id = person and h.until is null
  ), true);
end
$$;

-- As before, but a manager who already was one when the run started doesn't come from anyone.
create or replace function people_behind_gifts(org uuid, people uuid[], started timestamptz) returns uuid[] language plpgsql stable as $$
begin
  return array(
    with recursive chain (id) as (
      select unnest(people)
      union
      select behind.id from chain
      join role_history h on h.org_id = org and h.user_id = chain.id and h.given_by is not null
        and date_trunc('milliseconds', h.since) > started
      cross join lateral unnest(people_behind(org, h.given_by)) behind (id)
      where not had_role(org, chain.id, array['owner', 'admin'], started)
    )
    select id from chain
  );
end
$$;

-- The people who are certainly behind this person's actions. An account that isn't proved can have an address that only looks
-- like someone's, or an inviter who never saw its link.
create function surely_behind(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
declare
  standing json := account_standing(org, person);
begin
  if coalesce(standing ->> 'provedBy', '') in ('mailbox', 'provider', 'earlier') or json_array_length(standing -> 'vouchedBy') > 0 then
    return people_behind(org, person);
  end if;
  return person || array(select json_array_elements_text(coalesce(standing -> 'sureInviters', '[]'))::uuid);
end
$$;

-- True if, after this time, a proved manager confirmed a person with at least this kind of role. The manager must have been one
-- when the run started, and must not be behind the separated work.
create function is_confirmed_by_another(
  org uuid, person uuid, held text, moment timestamptz, started timestamptz, doer_ids uuid[]
) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from confirmations k
    where k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = person::text and k.decided_at > moment
      and (held not in ('owner', 'admin', 'reviewer') or k.payload ->> 'role' in ('owner', 'admin')
           or held = 'reviewer' and k.payload ->> 'role' = 'reviewer')
      and k.decided_by <> person and k.decided_by <> all (doer_ids) and member_proof(org, k.decided_by) is not null
      and had_role(org, k.decided_by, array['owner', 'admin'], started)
  );
end
$$;

-- True if the role that a person had just before this time came from someone certainly behind the separated work, directly or
-- through others. Only the last gift of a role counts: giving it again means that another manager agrees. It doesn't count if the
-- person already had the role, or was a manager, when the run started, or if another manager confirmed them later.
create function role_comes_from(org uuid, person uuid, moment timestamptz, started timestamptz, doer_ids uuid[])
returns boolean language plpgsql stable as $$
begin
  return exists (
    with recursive chain (id, at) as (
      select person, moment
      union
      -- A role that nobody gave continues the one before it.
      select coalesce(h.given_by, h.user_id), h.since
      from chain
      join role_history h on h.org_id = org and h.user_id = chain.id and h.since < chain.at
        and coalesce(h.until, 'infinity') >= chain.at
      where date_trunc('milliseconds', h.since) > started
        and not had_role(org, chain.id, array['owner', 'admin', h.role], started)
        and not is_confirmed_by_another(org, chain.id, h.role, h.since, started, doer_ids)
    )
    select from chain where chain.at < moment and chain.id = any (doer_ids)
  );
end
$$;

-- True if there is a proved manager, or was one in the last 7 days, other than this person and those certainly behind the work. A
-- manager whom these people appointed since the run started isn't one.
create or replace function has_other_manager(org uuid, person uuid, doer_ids uuid[], started timestamptz) returns boolean
language plpgsql stable as $$
declare
  concerned uuid[] := surely_behind(org, person) || doer_ids;
begin
  return exists (
    select from role_history h
    where h.org_id = org and h.role in ('owner', 'admin') and (h.until is null or h.until > greatest(h.since, now() - interval '7 days'))
      and h.user_id <> all (concerned) and member_proof(org, h.user_id) is not null
      and not role_comes_from(org, h.user_id, coalesce(h.until, 'infinity'), started, doer_ids)
  );
end
$$;

-- True if an approval that depends on someone's role doesn't count, because the role came during the run from someone certainly
-- behind the separated work, and another manager could give it.
create function is_role_barred(org uuid, person uuid, started timestamptz, doer_ids uuid[]) returns boolean language plpgsql stable as $$
begin
  return role_comes_from(org, person, 'infinity', started, doer_ids) and has_other_manager(org, person, doer_ids, started);
end
$$;

-- The same for a membership in a group. `added_by` is everyone to whom adding the member is attributed, the acting account first.
create function is_membership_barred(
  org uuid, person uuid, added_by uuid[], added_at timestamptz, started timestamptz, doer_ids uuid[]
) returns boolean language plpgsql stable as $$
begin
  return date_trunc('milliseconds', added_at) > started
    and exists (
      -- Accounts that aren't proved can look like the acting account's.
      select from users u
      where u.id = any (added_by) and (u.id = added_by[1] or u.proved_by is not null)
        and (u.id = any (doer_ids) or role_comes_from(org, u.id, added_at, started, doer_ids))
    )
    and not is_confirmed_by_another(
      org, person, (select m.role from memberships m where m.org_id = org and m.user_id = person), added_at, started, doer_ids)
    and has_other_manager(org, person, doer_ids, started);
end
$$;

-- False if an approval that depends on someone's role doesn't count because of who gave it to them after the run had started:
-- see `is_role_barred`. Under strict review also if, directly or through others, it came from someone who handed the work over,
-- from someone behind the work or from the person themselves, or if they got it after the step had been active since
-- `active_since`. Null for `active_since` if the step isn't an approval.
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
    select unnest(people_behind(org, h.given_by)) from role_history h
    where h.org_id = org and h.user_id = person and h.given_by is not null and date_trunc('milliseconds', h.since) > started
  );
  origins := people_behind_gifts(org, people, started);
  return not (person = any (people) or origins && giver_ids or origins && doer_ids or exists (
    select from role_history h
    where h.org_id = org and h.user_id = person and h.until is null and date_trunc('milliseconds', h.since) > active_since
  ));
end
$$;

-- The members of the named groups. For an approval that has been active since `since`, without those who don't count because of
-- who added them: see `is_membership_barred`. Under strict review also without those whom someone behind the work, or someone who
-- handed it over, added at any time, directly or through others, those who added themselves after the run had started, and
-- anyone added after `since`.
create or replace function members_of_groups(
  org uuid, names text[], since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[]
) returns uuid[] language sql stable as $$
  select array(
    select m.user_id from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
    cross join lateral (select date_trunc('milliseconds', m.added_at) as at) added
    where g.org_id = org and 'group:' || g.slug = any (names)
      and (since is null or not coalesce(
        is_membership_barred(org, m.user_id, m.added_by, m.added_at, started, doer_ids)
        or (select o.strict from organizations o where o.id = org)
          and (added.at > since or added.at > started and m.user_id = any (m.added_by) or (
            select origins.people && doer_ids or origins.people && giver_ids
            from (select case when added.at > started then people_behind_gifts(org, m.added_by, started) else m.added_by end
                    as people) origins
          )), false))
  )
$$;
