-- Someone who did the separated work could appoint a manager who gave the role, or joined the group, that the approval step
-- names. So everyone counts from whom a power came since the run started, directly or through others.

-- These people, and everyone from whom they got a role since a run started, directly or through others.
create function people_behind_gifts(org uuid, people uuid[], started timestamptz) returns uuid[] language plpgsql stable as $$
begin
  return array(
    with recursive chain (id) as (
      select unnest(people)
      union
      select behind.id from chain
      join role_history h on h.org_id = org and h.user_id = chain.id and h.given_by is not null
        and date_trunc('milliseconds', h.since) > started
      cross join lateral unnest(people_behind(org, h.given_by)) behind (id)
    )
    select id from chain
  );
end
$$;

-- True if there is a proved manager, or was one in the last 7 days, other than this person and those who did the work. A manager
-- whom these people appointed since the run started isn't one.
create function has_other_manager(org uuid, person uuid, doer_ids uuid[], started timestamptz) returns boolean
language plpgsql stable as $$
declare
  concerned uuid[] := people_behind(org, person) || doer_ids;
begin
  return exists (
    select from role_history h
    where h.org_id = org and h.role in ('owner', 'admin') and (h.until is null or h.until > now() - interval '7 days')
      and member_proof(org, h.user_id) is not null and not people_behind(org, h.user_id) && concerned
      -- Giving someone a role again doesn't make them an appointee.
      and exists (
        select from role_history g
        where g.org_id = org and g.user_id = h.user_id and g.role in ('owner', 'admin')
          and (date_trunc('milliseconds', g.since) <= started or g.given_by is null
               or not people_behind_gifts(org, people_behind(org, g.given_by), started) && doer_ids)
      )
  );
end
$$;

-- Since when a member has their role.
create or replace function role_given(org uuid, person uuid) returns json language plpgsql stable security definer as $$
begin
  return (
    select json_build_object('since', floor(extract(epoch from h.since) * 1000)::bigint)
    from role_history h
    where h.org_id = org and h.user_id = person and h.until is null
  );
end
$$;
do $$
begin
  -- Replacing a function drops its settings: a security definer function finds its tables where they were made.
  execute format('alter function role_given(uuid, uuid) set search_path = %I, pg_temp', current_schema());
end
$$;

-- False if an approval that depends on someone's role doesn't count because of who gave it to them after the run had started,
-- directly or through others: someone behind the separated work, if another manager could have given it. Under strict review
-- also someone who handed the work over, the person themselves, and anyone after the step had been active since
-- `active_since`. Null for `active_since` if the step isn't an approval.
create or replace function role_counts(
  org uuid, person uuid, active_since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[]
) returns boolean language plpgsql stable as $$
declare
  since timestamptz;
  people uuid[];
  origins uuid[];
begin
  if active_since is null or started is null then
    return true;
  end if;
  select date_trunc('milliseconds', h.since) into since
  from role_history h where h.org_id = org and h.user_id = person and h.until is null;
  if not found or since <= started then
    return true;
  end if;
  people := array(
    select unnest(people_behind(org, h.given_by)) from role_history h
    where h.org_id = org and h.user_id = person and h.given_by is not null and date_trunc('milliseconds', h.since) > started
  );
  origins := people_behind_gifts(org, people, started);
  if (select o.strict from organizations o where o.id = org)
    and (since > active_since or person = any (people) or origins && giver_ids or origins && doer_ids) then
    return false;
  end if;
  return not (origins && doer_ids and has_other_manager(org, person, doer_ids, started));
end
$$;

-- The members of the named groups. For an approval that has been active since `since`, without those who don't count
-- because of who added them: someone behind the separated work after the run had started, directly or through others, if
-- another manager could have added them. Under strict review also someone who did that work or handed it over at any time, the
-- members themselves after the run had started, and anyone after `since`.
create or replace function members_of_groups(
  org uuid, names text[], since timestamptz, started timestamptz, doer_ids uuid[], giver_ids uuid[]
) returns uuid[] language sql stable as $$
  select array(
    select m.user_id from groups g join group_members m on m.org_id = g.org_id and m.group_id = g.id
    cross join lateral (select date_trunc('milliseconds', m.added_at) as at) added
    cross join lateral (
      select case when since is null then '{}' when added.at > started then people_behind_gifts(org, m.added_by, started)
                  else m.added_by end as people
    ) origins
    where g.org_id = org and 'group:' || g.slug = any (names)
      and (since is null or not coalesce(
        added.at > started and origins.people && doer_ids and has_other_manager(org, m.user_id, doer_ids, started)
        or (select o.strict from organizations o where o.id = org)
          and (origins.people && doer_ids or origins.people && giver_ids or added.at > since
               or added.at > started and m.user_id = any (m.added_by)), false))
  )
$$;

-- As before; tasks of stand-ins also store who is behind the work, because their role can come from those people.
create or replace function open_tasks_of(org uuid, names text[]) returns void language sql as $$
  insert into run_tasks as opened (org_id, run_id, step_id, who, due_at, at_risk_at, except_ids, is_decision, doer_ids, giver_ids)
  select distinct on (t.run_id, t.step_id)
         t.org_id, t.run_id, t.step_id, t.otherwise, t.due_at, t.at_risk_at, t.except_ids, t.is_decision, t.doer_ids, t.giver_ids
  from run_tasks t
  where t.org_id = org and t.otherwise is not null and t.who = any (names)
    and t.needs > count_able_for_step(org, t.run_id, t.step_id, t)
  on conflict (org_id, run_id, step_id, who) do update set opens_at = null, overdue_at = opened.opens_at
    where opened.opens_at is not null
$$;
